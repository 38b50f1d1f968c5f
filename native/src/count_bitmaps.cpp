// Counting by bitmaps: depth first over the strata of Z, block by block of rows, empty strata cut off.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "bitsep/counter.hpp"

namespace bitsep {

namespace {

// Rows are taken in blocks whose bitmaps (of all variables of a test) and masks stay in the first-level cache.
constexpr std::size_t block_words = 256;

// When a node of the descent has few rows in a block, walking them one by one is cheaper than counting its strata:
// nanoseconds of a stratum by bitmaps, and of one row.
constexpr double stratum_ns = 15, stratum_ns_per_vector = 5, row_ns = 4;

} // namespace

struct Counter::Layout {
    int kx, ky;         // domain sizes
    std::size_t stride; // counts of one stratum: cells, rows, columns without the last of each, and the total

    std::uint32_t* cells(std::uint32_t* stratum) const { return stratum; }
    std::uint32_t* rows(std::uint32_t* stratum) const { return stratum + (kx - 1) * (ky - 1); }
    std::uint32_t* columns(std::uint32_t* stratum) const { return rows(stratum) + (kx - 1); }
    std::uint32_t* total(std::uint32_t* stratum) const { return columns(stratum) + (ky - 1); }
};

struct Counter::Descent {
    Counter& counter;
    const Column &x, &y;
    std::span<const std::int32_t> z;
    Layout layout;
    std::size_t begin, words;                                   // the block, in words
    double few_rows;                                            // a stratum with fewer rows than this is walked
    std::array<const std::uint64_t*, max_bitmap_levels> xs, ys; // bitmaps of all levels but the last, in this block

    const Column& given(std::size_t depth) const { return counter.table_.column(static_cast<std::size_t>(z[depth])); }

    // All strata below one node: `rows` of this block are in its mask (nullptr: all of them); `first` is the index of
    // the first of its `strata`.
    void descend(std::size_t depth, const std::uint64_t* mask, double rows, std::size_t first, std::size_t strata) {
        if (mask != nullptr && rows < few_rows * static_cast<double>(strata))
            return walk_rows(mask, depth, first, strata);
        const Column& column = given(depth);
        const std::size_t below = strata / static_cast<std::size_t>(column.levels());
        std::uint64_t* joint = counter.masks_.get() + (depth + 1) * block_words;
        const double per_row = rows / static_cast<double>(counter.table_.rows());
        for (std::int64_t level = 0; level < column.levels(); ++level, first += below) {
            const std::uint64_t* own = column.bitmap(level) + begin;
            const bool last = depth + 1 == z.size();
            if (last && per_row * static_cast<double>(column.count(level)) >= few_rows) {
                count_stratum(mask == nullptr ? own : mask, mask == nullptr ? nullptr : own, first);
                continue;
            }
            const auto inside =
                static_cast<double>(counter.kernel_.intersect(joint, mask == nullptr ? own : mask, own, words));
            if (inside == 0)
                continue;
            if (!last)
                descend(depth + 1, joint, inside, first, below);
            else if (inside < few_rows)
                walk_rows(joint, depth + 1, first, 1);
            else
                count_stratum(joint, nullptr, first);
        }
    }

    // The stratum of the rows in a & b (b = nullptr: in a).
    void count_stratum(const std::uint64_t* a, const std::uint64_t* b, std::size_t index) {
        std::uint32_t* stratum = counter.strata_.data() + index * layout.stride;
        counter.kernel_.count_stratum(
            a, b, xs.data(), layout.kx - 1, ys.data(), layout.ky - 1, words,
            {layout.cells(stratum), layout.rows(stratum), layout.columns(stratum), layout.total(stratum)});
    }

    // The few rows of a mask one by one, each into its stratum among those from `first` on that `depth` leads to.
    void walk_rows(const std::uint64_t* mask, std::size_t depth, std::size_t first, std::size_t strata) {
        for (std::size_t word = 0; word < words; ++word)
            for (std::uint64_t bits = mask[word]; bits != 0; bits &= bits - 1)
                add_row((begin + word) * 64 + static_cast<std::size_t>(std::countr_zero(bits)), depth, first, strata);
    }

    void add_row(std::size_t row, std::size_t depth, std::size_t index, std::size_t strata) {
        for (; depth < z.size(); ++depth) {
            const int code = code_of(given(depth), row);
            if (code < 0)
                return;
            strata /= static_cast<std::size_t>(given(depth).levels());
            index += static_cast<std::size_t>(code) * strata;
        }
        const int i = code_of(x, row), j = code_of(y, row);
        std::uint32_t* stratum = counter.strata_.data() + index * layout.stride;
        ++*layout.total(stratum);
        if (i < layout.kx - 1)
            ++layout.rows(stratum)[i];
        if (j < layout.ky - 1)
            ++layout.columns(stratum)[j];
        if (i < layout.kx - 1 && j < layout.ky - 1)
            ++layout.cells(stratum)[i * (layout.ky - 1) + j];
    }

    static int code_of(const Column& column, std::size_t row) {
        return (*std::get_if<std::span<const std::int8_t>>(&column.codes()))[row];
    }
};

void Counter::by_bitmaps(Accumulator& sums, std::size_t x, std::size_t y, std::span<const std::int32_t> z) {
    const Column &cx = table_.column(x), &cy = table_.column(y);
    Layout layout{static_cast<int>(cx.levels()), static_cast<int>(cy.levels()), 0};
    layout.stride = static_cast<std::size_t>(layout.kx * layout.ky);
    std::size_t strata = 1;
    for (const std::int32_t variable : z)
        strata *= static_cast<std::size_t>(table_.column(static_cast<std::size_t>(variable)).levels());
    strata_.assign(strata * layout.stride, 0);
    if (mask_words_ < (z.size() + 1) * block_words) {
        mask_words_ = (z.size() + 1) * block_words;
        masks_ = allocate_words(mask_words_);
    }

    // Rows that miss X or Y must not fall into the last level by subtraction: they are masked out from the start.
    const bool masked = cx.has_missing() || cy.has_missing();
    const bool plain = z.empty() && !masked;
    for (std::size_t begin = 0; begin < table_.words(); begin += block_words) {
        const std::size_t words = std::min(block_words, table_.words() - begin);
        const double few_rows =
            (stratum_ns + stratum_ns_per_vector * static_cast<double>(words / words_per_vector)) / row_ns;
        Descent descent{*this, cx, cy, z, layout, begin, words, few_rows, {}, {}};
        double rows_inside = static_cast<double>(std::min(table_.rows() - begin * 64, words * 64));
        for (int level = 0; level + 1 < layout.kx; ++level)
            descent.xs[static_cast<std::size_t>(level)] = cx.bitmap(level) + begin;
        for (int level = 0; level + 1 < layout.ky; ++level)
            descent.ys[static_cast<std::size_t>(level)] = cy.bitmap(level) + begin;
        const std::uint64_t* mask = nullptr;
        if (masked) {
            mask = masks_.get();
            rows_inside =
                static_cast<double>(kernel_.intersect(masks_.get(), cx.present() + begin, cy.present() + begin, words));
            if (z.empty())
                descent.count_stratum(mask, nullptr, 0);
        }
        if (plain)
            kernel_.count_pairs(descent.xs.data(), layout.kx - 1, descent.ys.data(), layout.ky - 1, words,
                                layout.cells(strata_.data()));
        else if (!z.empty())
            descent.descend(0, mask, rows_inside, 0, strata);
    }
    if (plain) {
        for (int level = 0; level + 1 < layout.kx; ++level)
            layout.rows(strata_.data())[level] = static_cast<std::uint32_t>(cx.count(level));
        for (int level = 0; level + 1 < layout.ky; ++level)
            layout.columns(strata_.data())[level] = static_cast<std::uint32_t>(cy.count(level));
        *layout.total(strata_.data()) = static_cast<std::uint32_t>(table_.rows());
    }

    // The last row and column of each stratum by subtraction, then straight into the statistic.
    std::array<std::uint32_t, max_bitmap_levels * max_bitmap_levels> cells;
    std::array<std::uint32_t, max_bitmap_levels> rows, columns;
    for (std::size_t index = 0; index < strata; ++index) {
        std::uint32_t* stratum = strata_.data() + index * layout.stride;
        const std::uint32_t total = *layout.total(stratum);
        if (total == 0)
            continue;
        const int nx = layout.kx - 1, ny = layout.ky - 1;
        std::uint32_t last_row = total, last_column = total;
        for (int j = 0; j < ny; ++j) {
            columns[static_cast<std::size_t>(j)] = layout.columns(stratum)[j];
            cells[static_cast<std::size_t>(nx * layout.ky + j)] = columns[static_cast<std::size_t>(j)];
            last_column -= columns[static_cast<std::size_t>(j)];
        }
        columns[static_cast<std::size_t>(ny)] = last_column;
        std::uint32_t corner = last_column;
        for (int i = 0; i < nx; ++i) {
            const std::uint32_t row = layout.rows(stratum)[i];
            rows[static_cast<std::size_t>(i)] = row;
            last_row -= row;
            std::uint32_t rest = row;
            for (int j = 0; j < ny; ++j) {
                const std::uint32_t cell = layout.cells(stratum)[i * ny + j];
                cells[static_cast<std::size_t>(i * layout.ky + j)] = cell;
                cells[static_cast<std::size_t>(nx * layout.ky + j)] -= cell;
                rest -= cell;
            }
            cells[static_cast<std::size_t>(i * layout.ky + ny)] = rest;
            corner -= rest;
        }
        rows[static_cast<std::size_t>(nx)] = last_row;
        cells[static_cast<std::size_t>(nx * layout.ky + ny)] = corner;
        sums.add_dense(cells.data(), rows.data(), columns.data(), total);
    }
}

} // namespace bitsep
