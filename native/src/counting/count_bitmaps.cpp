// Counting by bitmaps: depth first over the strata of Z, block by block of rows, empty strata cut off.
#include <algorithm>
#include <array>
#include <bit>

#include "bitsep/counter.hpp"

namespace bitsep {

namespace {

// Rows are taken in blocks whose bitmaps (of all variables of a test) and masks stay in the first-level cache.
constexpr std::size_t block_words = 256;

// When a node of the descent has few rows in a block, walking them one by one is cheaper than counting its strata:
// nanoseconds of a stratum by bitmaps, and of one row.
constexpr double stratum_ns = 15, stratum_ns_per_vector = 5, row_ns = 10;

using LevelPointers = std::array<const std::uint64_t*, max_bitmap_levels>;

int code_of(const Column& column, std::size_t row) {
    return (*std::get_if<std::span<const std::int8_t>>(&column.codes()))[row];
}

} // namespace

// One block of rows.
struct Counter::Descent {
    Descent(const Kernel& with, std::uint64_t* buffer, std::span<const Axis> through, const Axis& first,
            const Axis& second, std::uint32_t* into, bool with_margins)
        : kernel(with), masks(buffer), given(through), x(first), y(second), cells(into), margins(with_margins) {}

    const Kernel& kernel;
    std::uint64_t* masks; // one more than there are given variables
    std::span<const Axis> given;
    const Axis &x, &y;
    std::uint32_t* cells;
    bool margins;
    std::size_t begin = 0, words = 0; // the block, in words
    double few_rows = 0;              // a stratum with fewer rows than this is walked
    LevelPointers xs, ys;

    // `rows` of this block are in the mask (nullptr: all of them).
    void run(std::size_t first_word, std::size_t count, const std::uint64_t* mask, double rows) {
        begin = first_word;
        words = count;
        few_rows = (stratum_ns + stratum_ns_per_vector * static_cast<double>(words / words_per_vector)) / row_ns;
        for (int level = 0; level < x.visited; ++level)
            xs[static_cast<std::size_t>(level)] = x.column->bitmap(level) + begin;
        for (int level = 0; level < y.visited; ++level)
            ys[static_cast<std::size_t>(level)] = y.column->bitmap(level) + begin;
        if (!given.empty())
            descend(0, mask, rows, cells);
        else if (mask != nullptr)
            count_stratum(mask, nullptr, cells);
        else
            kernel.count_pairs(xs.data(), x.visited, ys.data(), y.visited, words, target(cells));
    }

private:
    StratumCounts target(std::uint32_t* stratum) const { return {stratum, x.stride, y.stride, margins}; }

    // All strata below one node: `rows` of this block are in its mask (nullptr: all of them).
    void descend(std::size_t depth, const std::uint64_t* mask, double rows, std::uint32_t* node) {
        const Axis& axis = given[depth];
        if (mask != nullptr && rows < few_rows * axis.strata)
            return walk_rows(mask, depth, node);
        std::uint64_t* joint = masks + (depth + 1) * block_words;
        const double share = rows / static_cast<double>(axis.column->rows());
        const bool last = depth + 1 == given.size();
        for (int level = 0; level < axis.visited; ++level) {
            std::uint32_t* below = node + static_cast<std::size_t>(level) * axis.stride;
            const std::uint64_t* own = axis.column->bitmap(level) + begin;
            if (last && share * static_cast<double>(axis.column->count(level)) >= few_rows) {
                count_stratum(mask == nullptr ? own : mask, mask == nullptr ? nullptr : own, below);
                continue;
            }
            const auto inside = static_cast<double>(kernel.intersect(joint, mask == nullptr ? own : mask, own, words));
            if (inside == 0)
                continue;
            if (!last)
                descend(depth + 1, joint, inside, below);
            else if (inside < few_rows)
                walk_rows(joint, depth + 1, below);
            else
                count_stratum(joint, nullptr, below);
        }
    }

    // The stratum of the rows in a & b (b = nullptr: in a).
    void count_stratum(const std::uint64_t* a, const std::uint64_t* b, std::uint32_t* stratum) {
        kernel.count_stratum(a, b, xs.data(), x.visited, ys.data(), y.visited, words, target(stratum));
    }

    // The few rows of a mask one by one, each into its stratum among those that `depth` leads to.
    void walk_rows(const std::uint64_t* mask, std::size_t depth, std::uint32_t* node) {
        for (std::size_t word = 0; word < words; ++word)
            for (std::uint64_t bits = mask[word]; bits != 0; bits &= bits - 1)
                add_row((begin + word) * 64 + static_cast<std::size_t>(std::countr_zero(bits)), depth, node);
    }

    void add_row(std::size_t row, std::size_t depth, std::uint32_t* stratum) {
        for (; depth < given.size(); ++depth) {
            const int code = code_of(*given[depth].column, row);
            if (code < 0 || code >= given[depth].visited)
                return;
            stratum += static_cast<std::size_t>(code) * given[depth].stride;
        }
        const int i = code_of(*x.column, row), j = code_of(*y.column, row);
        const bool inner_x = i >= 0 && i < x.visited, inner_y = j >= 0 && j < y.visited;
        const StratumCounts out = target(stratum);
        if (inner_x && inner_y)
            ++*out.at(i, j);
        if (margins) {
            ++*out.at(x.visited, y.visited);
            if (inner_x)
                ++*out.at(i, y.visited);
            if (inner_y)
                ++*out.at(x.visited, j);
        }
    }
};

void Counter::count_strata(std::span<Axis> given, const Axis& x, const Axis& y, std::uint32_t* cells, bool margins) {
    double strata = 1;
    for (std::size_t depth = given.size(); depth-- > 0;)
        given[depth].strata = strata *= given[depth].visited;
    if (mask_words_ < (given.size() + 1) * block_words) {
        mask_words_ = (given.size() + 1) * block_words;
        masks_ = allocate_words(mask_words_);
    }
    // Rows that miss X or Y must not fall into the last level by subtraction: they are masked out from the start.
    const bool masked = margins && (x.column->has_missing() || y.column->has_missing());
    Descent descent(kernel_, masks_.get(), given, x, y, cells, margins);
    for (std::size_t begin = 0; begin < table_.words(); begin += block_words) {
        const std::size_t words = std::min(block_words, table_.words() - begin);
        const std::uint64_t* mask = nullptr;
        std::uint64_t rows = std::min(table_.rows() - begin * 64, words * 64);
        if (masked) {
            mask = masks_.get();
            rows = kernel_.intersect(masks_.get(), x.column->present() + begin, y.column->present() + begin, words);
        }
        descent.run(begin, words, mask, static_cast<double>(rows));
    }
}

void Counter::by_bitmaps(std::size_t x, std::size_t y, Variables z) {
    const Column &cx = table_.column(x), &cy = table_.column(y);
    const int kx = static_cast<int>(cx.levels()), ky = static_cast<int>(cy.levels());
    auto size = static_cast<std::size_t>(kx * ky);
    axes_.resize(z.size());
    for (std::size_t depth = z.size(); depth-- > 0;) {
        const Column& column = table_.column(static_cast<std::size_t>(z[depth]));
        axes_[depth] = {&column, static_cast<int>(column.levels()), size};
        size *= static_cast<std::size_t>(column.levels());
    }
    cells_.assign(size, 0);
    const bool margins_known = z.empty() && !cx.has_missing() && !cy.has_missing();
    if (margins_known) {
        for (int i = 0; i + 1 < kx; ++i)
            cells_[static_cast<std::size_t>(i * ky + ky - 1)] = cx.small_counts()[i];
        std::copy_n(cy.small_counts(), ky, cells_.end() - ky);
        cells_.back() = static_cast<std::uint32_t>(table_.rows());
    }
    count_strata(axes_, {&cx, kx - 1, static_cast<std::size_t>(ky)}, {&cy, ky - 1, 1}, cells_.data(), !margins_known);
    // From margins in the places of the last levels to the last levels themselves.
    for (std::size_t begin = 0; begin < size; begin += static_cast<std::size_t>(kx * ky)) {
        std::uint32_t* last_row = cells_.data() + begin + (kx - 1) * ky;
        if (last_row[ky - 1] == 0)
            continue;
        for (std::uint32_t* row = cells_.data() + begin; row != last_row; row += ky) {
            last_row[ky - 1] -= row[ky - 1]; // the whole row
            for (int j = 0; j + 1 < ky; ++j) {
                row[ky - 1] -= row[j];
                last_row[j] -= row[j];
            }
        }
        for (int j = 0; j + 1 < ky; ++j)
            last_row[ky - 1] -= last_row[j];
    }
}

} // namespace bitsep
