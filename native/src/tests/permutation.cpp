#include "bitsep/permutation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "bitsep/counter.hpp"
#include "p_values.hpp"

namespace bitsep {

namespace {

// The drawn tables as a test sees them: dense where that is small, else their occupied cells.
class DrawnCounts {
public:
    DrawnCounts(PermutedTables& tables, const Sizes& sizes, std::size_t strata) : tables_(tables), sizes_(sizes) {
        const double cells =
            static_cast<double>(sizes.kx) * static_cast<double>(sizes.ky) * static_cast<double>(strata);
        dense_ = strata > 0 && cells <= most_dense_cells; // a dense table has at least one stratum
        if (!dense_) {
            tables_.start();
            return;
        }
        const auto stratum_cells = static_cast<std::size_t>(sizes.kx * sizes.ky);
        cells_.resize(stratum_cells * strata);
        axis_ = {strata, stratum_cells};
        tables_.start(sizes.kx, sizes.ky);
    }

    Record judge_next(const Test& test) { return dense_ ? judge_dense(test) : judge_sparse(test); }

private:
    static constexpr double most_dense_cells = 1 << 20;

    Record judge_dense(const Test& test) {
        tables_.draw(cells_);
        return test.judge(
            DenseCounts<std::uint64_t>{cells_.data(), static_cast<std::size_t>(sizes_.ky), 1, {&axis_, 1}}, sizes_);
    }
    Record judge_sparse(const Test& test) {
        const auto drawn = tables_.draw();
        sorted_.assign(drawn.begin(), drawn.end());
        std::ranges::sort(sorted_, {}, [](const auto& cell) { return std::tuple(cell.stratum, cell.x, cell.y); });
        stratum_.clear();
        x_.clear();
        y_.clear();
        count_.clear();
        for (const auto& cell : sorted_) {
            stratum_.push_back(cell.stratum);
            x_.push_back(cell.x);
            y_.push_back(cell.y);
            count_.push_back(static_cast<std::int64_t>(cell.count));
        }
        return test_cells(test, sizes_, stratum_, x_, y_, count_);
    }

    PermutedTables& tables_;
    Sizes sizes_;
    bool dense_;
    DenseCounts<std::uint64_t>::Given axis_{};
    std::vector<std::uint64_t> cells_;
    std::vector<PermutedTables::Cell> sorted_;
    std::vector<std::int64_t> stratum_, x_, y_, count_;
};

// Adds the margins of all occupied strata; returns their number.
template <class Count>
std::size_t add_strata(PermutedTables& tables, const DenseCounts<Count>& counts, const Sizes& sizes) {
    const auto kx = static_cast<std::size_t>(sizes.kx), ky = static_cast<std::size_t>(sizes.ky);
    std::vector<std::uint64_t> row(kx), column(ky);
    std::size_t strata = 0;
    counts.each_stratum([&](const Count* stratum) {
        std::ranges::fill(row, 0);
        std::ranges::fill(column, 0);
        for (std::size_t x = 0; x < kx; ++x)
            for (std::size_t y = 0; y < ky; ++y) {
                const std::uint64_t count = stratum[x * counts.step_x + y * counts.step_y];
                row[x] += count;
                column[y] += count;
            }
        const auto occupied = [](const std::vector<std::uint64_t>& all) {
            std::vector<PermutedTables::Margin> margins;
            for (std::size_t level = 0; level < all.size(); ++level)
                if (all[level] != 0)
                    margins.push_back({all[level], static_cast<std::int64_t>(level)});
            return margins;
        };
        auto rows = occupied(row);
        if (rows.empty())
            return;
        tables.add(std::move(rows), occupied(column));
        ++strata;
    });
    return strata;
}

std::size_t add_strata(PermutedTables& tables, const OccupiedCells& counts, const Sizes&) {
    std::size_t strata = 0;
    counts.each_stratum([&](const OccupiedStratum& stratum) {
        const auto copied = [](std::span<const OccupiedStratum::Margin> all) {
            std::vector<PermutedTables::Margin> margins;
            for (const auto& margin : all)
                margins.push_back({margin.count, margin.level});
            return margins;
        };
        tables.add(copied(stratum.rows), copied(stratum.columns));
        ++strata;
    });
    return strata;
}

class PermutationTest final : public Test {
public:
    PermutationTest(std::unique_ptr<const Test> test, double alpha, const PermutationSettings& settings)
        : test_(std::move(test)), alpha_(alpha), settings_(settings) {}

    Record judge(const DenseCounts<std::uint32_t>& counts, const Sizes& sizes) const override {
        return judge_any(counts, sizes);
    }
    Record judge(const DenseCounts<std::uint64_t>& counts, const Sizes& sizes) const override {
        return judge_any(counts, sizes);
    }
    Record judge(const OccupiedCells& counts, const Sizes& sizes) const override { return judge_any(counts, sizes); }

    std::optional<double> alpha() const override { return alpha_; }
    // A whole number of tables, whatever the rounding of the score.
    double p_value(const Record& record) const override {
        const double tables = static_cast<double>(record.draws) + 1;
        return std::round(p_value_of(record) * tables) / tables;
    }
    double hypercompression_bound(const Record&) const override { return std::numeric_limits<double>::quiet_NaN(); }

private:
    template <class Counts>
    Record judge_any(const Counts& counts, const Sizes& sizes) const {
        Record record = test_->judge(counts, sizes);
        const double observed = record.score_bits;
        PermutedTables tables(settings_.seed);
        DrawnCounts drawn(tables, sizes, add_strata(tables, counts, sizes));
        const std::uint32_t enough = enough_exceedances(settings_, alpha_);
        std::uint32_t as_high = 0;
        for (record.draws = 0; record.draws < settings_.draws && as_high < enough; ++record.draws)
            as_high += drawn.judge_next(*test_).score_bits >= observed;
        record.threshold_bits = -std::log2(alpha_);
        const double bits =
            std::log2(static_cast<double>(record.draws) + 1) - std::log2(static_cast<double>(as_high) + 1);
        const double evidence = evidence_bits(bits, record.threshold_bits, record.n);
        record.score_bits = rounded_score(evidence - record.threshold_bits, record.n);
        record.independent = record.score_bits <= zero_bits(record.n);
        return record;
    }

    std::unique_ptr<const Test> test_;
    double alpha_;
    PermutationSettings settings_;
};

} // namespace

std::uint32_t enough_exceedances(const PermutationSettings& settings, double alpha) {
    constexpr std::uint32_t least = 20;
    if (!settings.sequential)
        return settings.draws + 1;
    // Where alpha (1 + draws) is a whole number but for rounding, that many exceedances and one more are above alpha.
    constexpr double rounding = 1e-12; // more than that by which p may exceed alpha (evidence_bits)
    const double most = alpha * (1 + rounding) * (1 + static_cast<double>(settings.draws));
    return std::max(least, static_cast<std::uint32_t>(most));
}

std::unique_ptr<const Test> permutation_test(std::unique_ptr<const Test> test, std::optional<double> alpha,
                                             const PermutationSettings& settings) {
    if (settings.draws == 0 || settings.draws > most_draws)
        throw std::invalid_argument("permutations: must lie between 1 and " + std::to_string(most_draws) + ".");
    const double level = alpha.value_or(default_alpha);
    if (!(0 < level && level < 1))
        throw std::invalid_argument("alpha: must lie between 0 and 1, both excluded.");
    return std::make_unique<PermutationTest>(std::move(test), level, settings);
}

} // namespace bitsep
