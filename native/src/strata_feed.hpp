// Turns a run of occupied cells, sorted by (stratum, x, y), into strata for an Accumulator.
#pragma once

#include <algorithm>
#include <vector>

#include "bitsep/statistic.hpp"

namespace bitsep {

class StrataFeed {
public:
    explicit StrataFeed(Accumulator& sums) : sums_(sums) {}

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
        sums_.add_sparse(cells_, rows_, columns_, total_);
        cells_.clear();
        rows_.clear();
        total_ = 0;
    }

private:
    Accumulator& sums_;
    std::int64_t stratum_ = -1;
    std::uint64_t total_ = 0;
    std::vector<Accumulator::Cell> cells_;
    std::vector<Accumulator::Margin> rows_, columns_;
};

} // namespace bitsep
