// Turns a run of occupied cells, sorted by (stratum, x, y), into strata for an Accumulator.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "bitsep/statistic.hpp"

namespace bitsep {

// Holds the buffers: fresh memory for every test would take longer than many a test.
class StrataFeed {
public:
    // y runs below ky.
    void begin(Accumulator& sums, std::size_t ky) {
        sums_ = &sums;
        words_ = (ky + 63) / 64;
        if (by_column_.size() < ky) { // what is there is zero, see below
            by_column_.resize(ky);
            occupied_.resize(words_);
        }
    }

    void cell(std::int64_t stratum, std::int64_t x, std::int64_t y, std::uint64_t count) {
        if (count == 0)
            return;
        if (stratum != stratum_)
            finish();
        stratum_ = stratum;
        cells_.push_back({x, y, count});
        total_ += count;
        if (rows_.empty() || rows_.back().level != x)
            rows_.push_back({x, 0});
        rows_.back().count += count;
    }

    void finish() {
        if (cells_.empty())
            return;
        columns_.clear();
        if (cells_.size() * 8 > words_)
            sum_columns_by_place();
        else
            sum_columns_by_sorting();
        sums_->add_sparse(cells_, rows_, columns_, total_);
        cells_.clear();
        rows_.clear();
        total_ = 0;
        stratum_ = -1;
    }

private:
    // Many cells: add into a slot per column, then read the occupied slots in order.
    void sum_columns_by_place() {
        for (const auto& cell : cells_) {
            const auto y = static_cast<std::size_t>(cell.y);
            by_column_[y] += cell.count;
            occupied_[y / 64] |= std::uint64_t{1} << (y % 64);
        }
        for (std::size_t word = 0; word < words_; ++word) {
            for (std::uint64_t bits = occupied_[word]; bits != 0; bits &= bits - 1) {
                const std::size_t y = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
                columns_.push_back({static_cast<std::int64_t>(y), by_column_[y]});
                by_column_[y] = 0;
            }
            occupied_[word] = 0;
        }
    }

    // Few cells among very many columns.
    void sum_columns_by_sorting() {
        for (const auto& cell : cells_)
            columns_.push_back({cell.y, cell.count});
        std::sort(columns_.begin(), columns_.end(), [](const auto& a, const auto& b) { return a.level < b.level; });
        std::size_t last = 0;
        for (std::size_t i = 1; i < columns_.size(); ++i) {
            if (columns_[i].level == columns_[last].level)
                columns_[last].count += columns_[i].count;
            else
                columns_[++last] = columns_[i];
        }
        columns_.resize(last + 1);
    }

    Accumulator* sums_ = nullptr;
    std::size_t words_ = 0; // of a bit per column
    std::vector<std::uint64_t> by_column_, occupied_;
    std::int64_t stratum_ = -1;
    std::uint64_t total_ = 0;
    std::vector<Accumulator::Cell> cells_;
    std::vector<Accumulator::Margin> rows_, columns_;
};

} // namespace bitsep
