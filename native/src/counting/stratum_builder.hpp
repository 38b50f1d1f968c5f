// Groups occupied cells, sorted by (stratum, x, y), into strata with their margins.
#pragma once

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>
#include <vector>

#include "bitsep/counts.hpp"

namespace bitsep {

// Keeps its buffers from test to test: allocating them would take longer than many a test.
class StratumBuilder {
public:
    using Visit = std::function<void(const OccupiedStratum&)>;

    // visit(stratum) is called for every stratum that is complete; y < ky.
    void begin(const Visit& visit, std::size_t ky) {
        visit_ = &visit;
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
        (*visit_)({cells_, rows_, columns_, total_});
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

    const Visit* visit_ = nullptr;
    std::size_t words_ = 0; // of a bit per column
    std::vector<std::uint64_t> by_column_, occupied_;
    std::int64_t stratum_ = -1;
    std::uint64_t total_ = 0;
    std::vector<OccupiedStratum::Cell> cells_;
    std::vector<OccupiedStratum::Margin> rows_, columns_;
};

// Occupied cells from walk(take), which calls take(stratum, x, y, count) for each.
template <class Walk>
class CellsFrom final : public OccupiedCells {
public:
    CellsFrom(StratumBuilder& builder, std::int64_t ky, Walk walk)
        : builder_(builder), ky_(static_cast<std::size_t>(ky)), walk_(std::move(walk)) {}

    void each_stratum(const StratumBuilder::Visit& visit) const override {
        builder_.begin(visit, ky_);
        walk_([this](std::int64_t stratum, std::int64_t x, std::int64_t y, std::uint64_t count) {
            builder_.cell(stratum, x, y, count);
        });
        builder_.finish();
    }

private:
    StratumBuilder& builder_;
    std::size_t ky_;
    Walk walk_;
};

} // namespace bitsep
