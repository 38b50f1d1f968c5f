#include "exact_x2.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bitsep/fixed_point.hpp"
#include "bitsep/log_factorial.hpp"

namespace bitsep {

namespace {

// With more values than this the smooth law is as good, and much faster.
constexpr std::size_t most_values = 256;
constexpr std::size_t most_combinations = 2048; // before equal values are merged

constexpr int most_cells = 64;                              // in a stratum; tables are filled by recursion
constexpr std::uint64_t most_rows = std::uint64_t{1} << 22; // in a stratum; X² fits into units

// Values that differ by less are equal but for rounding.
constexpr std::int64_t same = std::int64_t{1} << 16; // 2^-24

} // namespace

void ExactX2::clear() {
    feasible_ = true;
    least_values_ = 1;
    margins_.clear();
    strata_.clear();
}

bool ExactX2::feasible_with(std::uint64_t tables, std::uint64_t total, int cells) {
    if (feasible_) {
        least_values_ *= static_cast<double>(tables);
        feasible_ = least_values_ <= static_cast<double>(most_values) && total <= most_rows && cells <= most_cells;
    }
    return feasible_;
}

void ExactX2::add(std::vector<std::uint64_t>& rows, std::vector<std::uint64_t>& columns) {
    std::ranges::sort(rows, std::greater());
    std::ranges::sort(columns, std::greater());
    if (std::ranges::lexicographical_compare(columns, rows)) // the statistic does not tell X from Y
        std::swap(rows, columns);
    strata_.push_back({margins_.size(), rows.size(), columns.size()});
    margins_.insert(margins_.end(), rows.begin(), rows.end());
    margins_.insert(margins_.end(), columns.begin(), columns.end());
}

std::optional<double> ExactX2::tail(double x2) {
    if (!feasible_)
        return {};
    std::ranges::sort(strata_, [this](const Stratum& a, const Stratum& b) {
        return a.rows != b.rows ? a.rows < b.rows : std::ranges::lexicographical_compare(margins_of(a), margins_of(b));
    });
    all_.assign(1, {0, 1.0});
    const Stratum* previous = nullptr;
    for (const Stratum& stratum : strata_) {
        const bool repeated = previous != nullptr && previous->rows == stratum.rows &&
                              std::ranges::equal(margins_of(*previous), margins_of(stratum));
        if (!repeated && !enumerate(stratum))
            return {};
        previous = &stratum;
        if (!combine())
            return {};
    }
    const double limit = std::floor(x2 * 0x1p40) - static_cast<double>(same);
    double sum = 0;
    for (const Value& value : all_)
        if (static_cast<double>(value.units) >= limit)
            sum += value.probability;
    return std::min(1.0, sum);
}

// Values of X² with their probabilities into one_; false where there are too many tables.
bool ExactX2::enumerate(const Stratum& stratum) {
    const auto margins = margins_of(stratum);
    rows_ = margins.first(stratum.rows);
    columns_ = margins.last(stratum.columns);
    column_rest_.assign(columns_.begin(), columns_.end());
    const auto total = std::accumulate(rows_.begin(), rows_.end(), std::uint64_t{0});
    double log_weight = -log_factorial(total);
    for (const std::uint64_t count : margins)
        log_weight += log_factorial(count);
    total_ = static_cast<double>(total);
    one_.clear();
    if (!fill(0, rows_[0], -static_cast<std::int64_t>(total) * (std::int64_t{1} << fraction_bits), log_weight))
        return false;
    merge(one_);
    return true;
}

// All ways to fill the table from this cell on, row by row.
bool ExactX2::fill(std::size_t cell, std::uint64_t row_rest, std::int64_t units, double log_weight) {
    const std::size_t row = cell / columns_.size(), column = cell % columns_.size();
    const auto put = [&](std::uint64_t count) {
        const auto value = static_cast<double>(count);
        const double term =
            value * value * total_ / (static_cast<double>(rows_[row]) * static_cast<double>(columns_[column]));
        const std::int64_t sum = units + units_of(term);
        const double weight = log_weight - log_factorial(count);
        if (cell + 1 == rows_.size() * columns_.size()) {
            one_.push_back({sum, std::exp(weight)});
            return one_.size() <= most_values;
        }
        const bool row_ends = column + 1 == columns_.size();
        column_rest_[column] -= count;
        const bool go_on = fill(cell + 1, row_ends ? rows_[row + 1] : row_rest - count, sum, weight);
        column_rest_[column] += count;
        return go_on;
    };
    const std::uint64_t rest = column_rest_[column];
    if (row + 1 == rows_.size()) // the last row takes what is left of the columns
        return put(rest);
    if (column + 1 == columns_.size()) // the last column takes what is left of the row
        return put(row_rest);
    std::uint64_t later = 0; // what the other columns can take of the row
    for (std::size_t other = column + 1; other < columns_.size(); ++other)
        later += column_rest_[other];
    for (std::uint64_t count = row_rest > later ? row_rest - later : 0; count <= std::min(rest, row_rest); ++count)
        if (!put(count))
            return false;
    return true;
}

// The distribution of the sum of all_ and one_ into all_.
bool ExactX2::combine() {
    if (all_.size() * one_.size() > most_combinations)
        return false;
    product_.clear();
    for (const Value& a : all_)
        for (const Value& b : one_)
            product_.push_back({a.units + b.units, a.probability * b.probability});
    merge(product_);
    std::swap(all_, product_);
    return all_.size() <= most_values;
}

void ExactX2::merge(Values& values) {
    std::ranges::sort(values, {}, [](const Value& value) { return std::pair(value.units, value.probability); });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        if (values[i].units - values[kept].units < same)
            values[kept].probability += values[i].probability;
        else
            values[++kept] = values[i];
    }
    values.resize(kept + 1);
}

} // namespace bitsep
