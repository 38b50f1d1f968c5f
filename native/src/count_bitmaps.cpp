// Counting by bitmaps: depth first over the strata of Z, block by block of rows, empty strata cut off.
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

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
    void complete(std::uint32_t* stratum, std::uint32_t* buffer, std::uint32_t* all_rows,
                  std::uint32_t* all_columns) const;
};

using LevelPointers = std::array<const std::uint64_t*, max_bitmap_levels>;

struct Counter::Descent {
    Counter& counter;
    const Column &x, &y;
    std::span<const std::int32_t> z;
    Layout layout;
    std::size_t begin, words;       // the block, in words
    double few_rows;                // a stratum with fewer rows than this is walked
    bool rows_known, columns_known; // margins that are filled in already (and the total, with either)
    LevelPointers &xs, &ys;         // bitmaps of all levels but the last, in this block

    bool total_known() const { return rows_known || columns_known; }
    bool known_empty(std::size_t index) const {
        return total_known() && *layout.total(counter.cells_.data() + index * layout.stride) == 0;
    }

    const Column& given(std::size_t depth) const { return counter.table_.column(static_cast<std::size_t>(z[depth])); }

    // All strata below one node: `rows` of this block are in its mask (nullptr: all of them); `first` is the index of
    // the first of its `strata`.
    void descend(std::size_t depth, const std::uint64_t* mask, double rows, std::size_t first, std::size_t strata) {
        if (mask != nullptr && rows < few_rows * static_cast<double>(strata))
            return walk_rows(mask, depth, first);
        const Column& column = given(depth);
        const std::size_t below = counter.strides_[depth];
        std::uint64_t* joint = counter.masks_.get() + (depth + 1) * block_words;
        const double per_row = rows / static_cast<double>(counter.table_.rows());
        for (std::int64_t level = 0; level < column.levels(); ++level, first += below) {
            const std::uint64_t* own = column.bitmap(level) + begin;
            const bool last = depth + 1 == z.size();
            if (last && known_empty(first))
                continue;
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
                walk_rows(joint, depth + 1, first);
            else
                count_stratum(joint, nullptr, first);
        }
    }

    // The stratum of the rows in a & b (b = nullptr: in a).
    void count_stratum(const std::uint64_t* a, const std::uint64_t* b, std::size_t index) {
        std::uint32_t* stratum = counter.cells_.data() + index * layout.stride;
        counter.kernel_.count_stratum(a, b, xs.data(), layout.kx - 1, ys.data(), layout.ky - 1, words,
                                      {layout.cells(stratum), rows_known ? nullptr : layout.rows(stratum),
                                       columns_known ? nullptr : layout.columns(stratum),
                                       total_known() ? nullptr : layout.total(stratum)});
    }

    // The few rows of a mask one by one, each into its stratum among those from `first` on that `depth` leads to.
    void walk_rows(const std::uint64_t* mask, std::size_t depth, std::size_t first) {
        for (std::size_t word = 0; word < words; ++word)
            for (std::uint64_t bits = mask[word]; bits != 0; bits &= bits - 1)
                add_row((begin + word) * 64 + static_cast<std::size_t>(std::countr_zero(bits)), depth, first);
    }

    void add_row(std::size_t row, std::size_t depth, std::size_t index) {
        for (; depth < z.size(); ++depth) {
            const int code = code_of(given(depth), row);
            if (code < 0)
                return;
            index += static_cast<std::size_t>(code) * counter.strides_[depth];
        }
        const int i = code_of(x, row), j = code_of(y, row);
        std::uint32_t* stratum = counter.cells_.data() + index * layout.stride;
        *layout.total(stratum) += !total_known();
        if (i < layout.kx - 1)
            layout.rows(stratum)[i] += !rows_known;
        if (j < layout.ky - 1)
            layout.columns(stratum)[j] += !columns_known;
        if (i < layout.kx - 1 && j < layout.ky - 1)
            ++layout.cells(stratum)[i * (layout.ky - 1) + j];
    }

    static int code_of(const Column& column, std::size_t row) {
        return (*std::get_if<std::span<const std::int8_t>>(&column.codes()))[row];
    }
};

// Cells of the inner rows and columns, margins and total become the full table, in place, and its full margins.
void Counter::Layout::complete(std::uint32_t* stratum, std::uint32_t* buffer, std::uint32_t* all_rows,
                               std::uint32_t* all_columns) const {
    const int nx = kx - 1, ny = ky - 1;
    std::copy_n(stratum, stride, buffer);
    std::uint32_t last_row = *total(buffer), last_column = *total(buffer);
    for (int j = 0; j < ny; ++j) {
        stratum[nx * ky + j] = all_columns[j] = columns(buffer)[j];
        last_column -= all_columns[j];
    }
    all_columns[ny] = last_column;
    std::uint32_t corner = last_column;
    for (int i = 0; i < nx; ++i) {
        std::uint32_t rest = all_rows[i] = rows(buffer)[i];
        last_row -= rest;
        for (int j = 0; j < ny; ++j) {
            const std::uint32_t cell = cells(buffer)[i * ny + j];
            stratum[i * ky + j] = cell;
            stratum[nx * ky + j] -= cell;
            rest -= cell;
        }
        stratum[i * ky + ny] = rest;
        corner -= rest;
    }
    all_rows[nx] = last_row;
    stratum[nx * ky + ny] = corner;
}

void Counter::by_bitmaps(std::size_t x, std::size_t y, Variables z, bool use_cache, Accumulator* sums) {
    const Column &cx = table_.column(x), &cy = table_.column(y);
    Layout layout{static_cast<int>(cx.levels()), static_cast<int>(cy.levels()), 0};
    layout.stride = static_cast<std::size_t>(layout.kx * layout.ky);
    std::size_t strata = 1;
    strides_.resize(z.size());
    for (std::size_t depth = z.size(); depth-- > 0;) {
        strides_[depth] = strata;
        strata *= static_cast<std::size_t>(table_.column(static_cast<std::size_t>(z[depth])).levels());
    }
    cells_.assign(strata * layout.stride, 0);
    if (mask_words_ < (z.size() + 1) * block_words) {
        mask_words_ = (z.size() + 1) * block_words;
        masks_ = allocate_words(mask_words_);
    }
    const bool rows_known = take_rows(layout, strata, x, y, z, use_cache);
    const bool columns_known = take_columns(layout, strata, x, y, z, use_cache);

    // Rows that miss X or Y must not fall into the last level by subtraction: they are masked out from the start.
    const bool masked = cx.has_missing() || cy.has_missing();
    LevelPointers xs, ys;
    for (std::size_t begin = 0; begin < table_.words(); begin += block_words) {
        const std::size_t words = std::min(block_words, table_.words() - begin);
        const double few_rows =
            (stratum_ns + stratum_ns_per_vector * static_cast<double>(words / words_per_vector)) / row_ns;
        Descent descent{*this, cx, cy, z, layout, begin, words, few_rows, rows_known, columns_known, xs, ys};
        double rows_inside = static_cast<double>(std::min(table_.rows() - begin * 64, words * 64));
        for (int level = 0; level + 1 < layout.kx; ++level)
            xs[static_cast<std::size_t>(level)] = cx.bitmap(level) + begin;
        for (int level = 0; level + 1 < layout.ky; ++level)
            ys[static_cast<std::size_t>(level)] = cy.bitmap(level) + begin;
        const std::uint64_t* mask = nullptr;
        if (masked) {
            mask = masks_.get();
            rows_inside =
                static_cast<double>(kernel_.intersect(masks_.get(), cx.present() + begin, cy.present() + begin, words));
        }
        if (!z.empty())
            descent.descend(0, mask, rows_inside, 0, strata);
        else if (masked)
            descent.count_stratum(mask, nullptr, 0);
        else
            kernel_.count_pairs(xs.data(), layout.kx - 1, ys.data(), layout.ky - 1, words, layout.cells(cells_.data()));
    }
    std::array<std::uint32_t, max_bitmap_levels * max_bitmap_levels> buffer;
    std::array<std::uint32_t, max_bitmap_levels> rows, columns;
    for (std::size_t index = 0; index < strata; ++index) {
        std::uint32_t* stratum = cells_.data() + index * layout.stride;
        const std::uint32_t total = *layout.total(stratum);
        if (total == 0)
            continue;
        layout.complete(stratum, buffer.data(), rows.data(), columns.data());
        if (sums != nullptr) // straight into the statistic, while the counts are at hand
            sums->add_dense(stratum, rows.data(), columns.data(), total);
    }
}

// The margins of X within every stratum, and the totals, where they are known: from the column itself, or from the
// table of (Z, X), which the search has met before. Only rows that have Y count, so Y must miss none.
bool Counter::take_rows(const Layout& layout, std::size_t strata, std::size_t x, std::size_t y, Variables z,
                        bool use_cache) {
    if (table_.column(y).has_missing())
        return false;
    return take_margin(strata, layout.stride, x, z, use_cache,
                       [&](std::uint32_t* stratum, const std::uint32_t* margin) {
                           std::copy_n(margin, layout.kx - 1, layout.rows(stratum));
                           *layout.total(stratum) = std::accumulate(margin, margin + layout.kx, std::uint32_t{0});
                       });
}

// Likewise those of Y.
bool Counter::take_columns(const Layout& layout, std::size_t strata, std::size_t x, std::size_t y, Variables z,
                           bool use_cache) {
    if (table_.column(x).has_missing())
        return false;
    return take_margin(strata, layout.stride, y, z, use_cache,
                       [&](std::uint32_t* stratum, const std::uint32_t* margin) {
                           std::copy_n(margin, layout.ky - 1, layout.columns(stratum));
                           *layout.total(stratum) = std::accumulate(margin, margin + layout.ky, std::uint32_t{0});
                       });
}

template <class Put>
bool Counter::take_margin(std::size_t strata, std::size_t stride, std::size_t variable, Variables z, bool use_cache,
                          Put&& put) {
    const Column& column = table_.column(variable);
    const auto levels = static_cast<std::size_t>(column.levels());
    if (z.empty()) {
        margin_.clear();
        for (std::size_t level = 0; level < levels; ++level)
            margin_.push_back(static_cast<std::uint32_t>(column.count(static_cast<std::int64_t>(level))));
    } else {
        std::array<std::int32_t, CountCache::max_variables> order;
        if (!use_cache || z.size() + 1 > order.size())
            return false;
        std::copy(z.begin(), z.end(), order.begin());
        order[z.size()] = static_cast<std::int32_t>(variable);
        if (!recall({order.data(), z.size() + 1}, margin_))
            return false;
    }
    for (std::size_t index = 0; index < strata; ++index)
        put(cells_.data() + index * stride, margin_.data() + index * levels);
    return true;
}

} // namespace bitsep
