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

// A stratum with fewer rows in a block than this share of its vectors is counted row by row.
constexpr std::uint64_t rows_per_vector = 1;

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
    std::array<const std::uint64_t*, max_bitmap_levels> xs, ys; // bitmaps of all levels but the last, in this block

    const std::uint64_t* level_of(std::size_t depth, std::int64_t level) const {
        return counter.table_.column(static_cast<std::size_t>(z[depth])).bitmap(level) + begin;
    }

    // All strata below one node; `first` is the index of the first of them.
    void descend(std::size_t depth, const std::uint64_t* mask, std::size_t first, std::size_t strata) {
        const std::int64_t levels = counter.table_.column(static_cast<std::size_t>(z[depth])).levels();
        std::uint64_t* joint = counter.masks_.get() + (depth + 1) * block_words;
        const std::size_t below = strata / static_cast<std::size_t>(levels);
        for (std::int64_t level = 0; level < levels; ++level) {
            const std::uint64_t* own = level_of(depth, level);
            const std::uint64_t rows = counter.kernel_.intersect(joint, mask == nullptr ? own : mask, own, words);
            const std::size_t index = first + static_cast<std::size_t>(level) * below;
            if (rows == 0)
                continue;
            if (depth + 1 < z.size())
                descend(depth + 1, joint, index, below);
            else
                count_stratum(joint, rows, index);
        }
    }

    void count_stratum(const std::uint64_t* mask, std::uint64_t rows, std::size_t index) {
        std::uint32_t* stratum = counter.strata_.data() + index * layout.stride;
        *layout.total(stratum) += static_cast<std::uint32_t>(rows);
        if (rows < rows_per_vector * words / words_per_vector)
            return count_rows(mask, stratum);
        counter.kernel_.count_stratum(mask, xs.data(), layout.kx - 1, ys.data(), layout.ky - 1, words,
                                      {layout.cells(stratum), layout.rows(stratum), layout.columns(stratum)});
    }

    // The few rows of a rare stratum one by one.
    void count_rows(const std::uint64_t* mask, std::uint32_t* stratum) {
        const auto x_codes = std::get<std::span<const std::int8_t>>(x.codes());
        const auto y_codes = std::get<std::span<const std::int8_t>>(y.codes());
        for (std::size_t word = 0; word < words; ++word)
            for (std::uint64_t bits = mask[word]; bits != 0; bits &= bits - 1) {
                const std::size_t row = (begin + word) * 64 + static_cast<std::size_t>(std::countr_zero(bits));
                const int i = x_codes[row], j = y_codes[row];
                const bool inner_row = i < layout.kx - 1, inner_column = j < layout.ky - 1;
                if (inner_row)
                    ++layout.rows(stratum)[i];
                if (inner_column)
                    ++layout.columns(stratum)[j];
                if (inner_row && inner_column)
                    ++layout.cells(stratum)[i * (layout.ky - 1) + j];
            }
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
        Descent descent{*this, cx, cy, z, layout, begin, std::min(block_words, table_.words() - begin), {}, {}};
        for (int level = 0; level + 1 < layout.kx; ++level)
            descent.xs[static_cast<std::size_t>(level)] = cx.bitmap(level) + begin;
        for (int level = 0; level + 1 < layout.ky; ++level)
            descent.ys[static_cast<std::size_t>(level)] = cy.bitmap(level) + begin;
        const std::uint64_t* mask = nullptr;
        if (masked) {
            const std::uint64_t rows =
                kernel_.intersect(masks_.get(), cx.present() + begin, cy.present() + begin, descent.words);
            if (rows == 0)
                continue;
            mask = masks_.get();
            if (z.empty())
                descent.count_stratum(mask, rows, 0);
        }
        if (plain)
            kernel_.count_pairs(descent.xs.data(), layout.kx - 1, descent.ys.data(), layout.ky - 1, descent.words,
                                layout.cells(strata_.data()));
        else if (!z.empty())
            descent.descend(0, mask, 0, strata);
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
