#include "exact_tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bitsep/fixed_point.hpp"
#include "bitsep/log_factorial.hpp"
#include "u_moments.hpp"

namespace bitsep {

namespace {

// With more values than this the smooth law is as good, and much faster.
constexpr std::size_t most_values = 256;
constexpr std::size_t most_combinations = 2048; // before equal values are merged

constexpr int most_cells = 64;                              // in a stratum; tables are filled by recursion
constexpr std::uint64_t most_rows = std::uint64_t{1} << 22; // in a stratum; the statistic fits into units

// Smaller tails are summed up in logarithms.
constexpr double smallest = 0x1p-960;

// Values that differ by less are equal but for rounding.
constexpr std::int64_t same = std::int64_t{1} << 16; // 2^-24

} // namespace

std::int64_t X2Cells::offset() const {
    return -static_cast<std::int64_t>(stratum_.total) * (std::int64_t{1} << fraction_bits);
}

std::int64_t X2Cells::term(std::size_t row, std::size_t column, std::uint64_t count) const {
    const auto value = static_cast<double>(count);
    return units_of(value * value * stratum_.total /
                    (static_cast<double>(stratum_.rows[row]) * static_cast<double>(stratum_.columns[column])));
}

void UCells::start(const ExactStratum& stratum) {
    stratum_ = stratum;
    const auto weigh = [&](std::vector<double>& weights, std::span<const std::uint64_t> counts, double levels) {
        weights.clear();
        for (const std::uint64_t count : counts)
            weights.push_back(u_weight(static_cast<double>(count), levels, stratum.total));
    };
    weigh(row_weights_, stratum.rows, stratum.kx);
    weigh(column_weights_, stratum.columns, stratum.ky);
}

std::int64_t UCells::offset() const {
    const auto pairs = [](std::span<const std::uint64_t> counts, const std::vector<double>& weights) {
        double sum = 0;
        for (std::size_t level = 0; level < counts.size(); ++level)
            sum += weights[level] * static_cast<double>(counts[level]) * static_cast<double>(counts[level] - 1);
        return sum;
    };
    return units_of(
        u_of_margins(stratum_.total, pairs(stratum_.rows, row_weights_), pairs(stratum_.columns, column_weights_)));
}

std::int64_t UCells::term(std::size_t row, std::size_t column, std::uint64_t count) const {
    const UTerms terms =
        u_of_cell(stratum_.total, static_cast<double>(count), static_cast<double>(stratum_.rows[row]),
                  static_cast<double>(stratum_.columns[column]), row_weights_[row] * column_weights_[column]);
    return units_of(terms.pairs) - units_of(terms.mixed);
}

template <class Cells>
void ExactTables<Cells>::clear(std::int64_t kx, std::int64_t ky) {
    kx_ = std::min(kx, ky);
    ky_ = std::max(kx, ky);
    swapped_ = kx > ky;
    feasible_ = true;
    least_values_ = 1;
    margins_.clear();
    strata_.clear();
}

template <class Cells>
bool ExactTables<Cells>::feasible_with(std::uint64_t tables, std::uint64_t total, int cells) {
    if (feasible_) {
        least_values_ *= static_cast<double>(tables);
        feasible_ = least_values_ <= static_cast<double>(most_values) && total <= most_rows && cells <= most_cells;
    }
    return feasible_;
}

template <class Cells>
void ExactTables<Cells>::add(std::vector<std::uint64_t>& rows, std::vector<std::uint64_t>& columns) {
    std::ranges::sort(rows, std::greater());
    std::ranges::sort(columns, std::greater());
    // The statistic does not tell X from Y.
    if (kx_ != ky_ ? swapped_ : std::ranges::lexicographical_compare(columns, rows))
        std::swap(rows, columns);
    strata_.push_back({margins_.size(), rows.size(), columns.size()});
    margins_.insert(margins_.end(), rows.begin(), rows.end());
    margins_.insert(margins_.end(), columns.begin(), columns.end());
}

template <class Cells>
std::optional<double> ExactTables<Cells>::log_tail(double value) {
    if (!feasible_)
        return {};
    in_logs_ = false;
    const auto sum = tail(value);
    if (!sum)
        return {};
    if (*sum > smallest)
        return std::log(std::min(1.0, *sum));
    in_logs_ = true;
    return tail(value);
}

// The probability, or its logarithm.
template <class Cells>
std::optional<double> ExactTables<Cells>::tail(double value) {
    std::ranges::sort(strata_, [this](const Stratum& a, const Stratum& b) {
        return a.rows != b.rows ? a.rows < b.rows : std::ranges::lexicographical_compare(margins_of(a), margins_of(b));
    });
    all_.assign(1, {0, in_logs_ ? 0.0 : 1.0});
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
    const double limit = std::floor(value * 0x1p40) - static_cast<double>(same);
    double sum = in_logs_ ? -std::numeric_limits<double>::infinity() : 0;
    for (const Value& one : all_)
        if (static_cast<double>(one.units) >= limit)
            sum = either(sum, one.probability);
    return sum;
}

// Values of the statistic with their probabilities into one_; false where there are too many tables.
template <class Cells>
bool ExactTables<Cells>::enumerate(const Stratum& stratum) {
    const auto margins = margins_of(stratum);
    rows_ = margins.first(stratum.rows);
    columns_ = margins.last(stratum.columns);
    column_rest_.assign(columns_.begin(), columns_.end());
    const auto total = std::accumulate(rows_.begin(), rows_.end(), std::uint64_t{0});
    double log_weight = -log_factorial(total);
    for (const std::uint64_t count : margins)
        log_weight += log_factorial(count);
    cells_.start({rows_, columns_, static_cast<double>(total), static_cast<double>(kx_), static_cast<double>(ky_)});
    one_.clear();
    if (!fill(0, rows_[0], cells_.offset(), log_weight))
        return false;
    merge(one_);
    return true;
}

// All ways to fill the table from this cell on, row by row.
template <class Cells>
bool ExactTables<Cells>::fill(std::size_t cell, std::uint64_t row_rest, std::int64_t units, double log_weight) {
    const std::size_t row = cell / columns_.size(), column = cell % columns_.size();
    const auto put = [&](std::uint64_t count) {
        const std::int64_t sum = units + cells_.term(row, column, count);
        const double weight = log_weight - log_factorial(count);
        if (cell + 1 == rows_.size() * columns_.size()) {
            one_.push_back({sum, in_logs_ ? weight : std::exp(weight)});
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
template <class Cells>
bool ExactTables<Cells>::combine() {
    if (all_.size() * one_.size() > most_combinations)
        return false;
    product_.clear();
    for (const Value& a : all_)
        for (const Value& b : one_)
            product_.push_back(
                {a.units + b.units, in_logs_ ? a.probability + b.probability : a.probability * b.probability});
    merge(product_);
    std::swap(all_, product_);
    return all_.size() <= most_values;
}

template <class Cells>
void ExactTables<Cells>::merge(Values& values) const {
    std::ranges::sort(values, {}, [](const Value& value) { return std::pair(value.units, value.probability); });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        if (values[i].units - values[kept].units < same)
            values[kept].probability = either(values[kept].probability, values[i].probability);
        else
            values[++kept] = values[i];
    }
    values.resize(kept + 1);
}

// The probability of one value or another.
template <class Cells>
double ExactTables<Cells>::either(double p, double q) const {
    if (!in_logs_)
        return p + q;
    const double larger = std::max(p, q);
    return larger + std::log1p(std::exp(std::min(p, q) - larger));
}

template class ExactTables<X2Cells>;
template class ExactTables<UCells>;

} // namespace bitsep
