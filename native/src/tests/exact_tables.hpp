// The exact distribution of a statistic under independence, given the margins, where it has few values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace bitsep {

// The occupied margins of a stratum, and the numbers of levels that both variables have in all strata.
struct ExactStratum {
    std::span<const std::uint64_t> rows, columns;
    double total, kx, ky;
};

// Statistics as sums over cells, in fixed point (fixed_point.hpp): what a stratum begins with, and what a cell adds.
class X2Cells {
public:
    void start(const ExactStratum& stratum) { stratum_ = stratum; }
    std::int64_t offset() const;
    std::int64_t term(std::size_t row, std::size_t column, std::uint64_t count) const;

private:
    ExactStratum stratum_{};
};

class UCells { // of the U-statistic (u_moments.hpp), of at least four rows
public:
    void start(const ExactStratum& stratum);
    std::int64_t offset() const;
    std::int64_t term(std::size_t row, std::size_t column, std::uint64_t count) const;

private:
    ExactStratum stratum_{};
    std::vector<double> row_weights_, column_weights_;
};

// Strata are added one by one; their order and that of their levels do not matter. Each thread has its own.
template <class Cells>
class ExactTables {
public:
    // The numbers of levels matter to statistics with weights; without them the variables may change places.
    void clear(std::int64_t kx = 0, std::int64_t ky = 0);

    // Whether there may be few enough values; once it is not, strata need not be added.
    bool feasible() const { return feasible_; }

    // Whether that is still so with another stratum, which has at least this number of tables.
    bool feasible_with(std::uint64_t tables, std::uint64_t total, int cells);

    // The occupied margins of a stratum with at least two levels each, after it was asked for. Sorts them.
    void add(std::vector<std::uint64_t>& rows, std::vector<std::uint64_t>& columns);

    // ln P(statistic >= value), nothing where there are too many values.
    std::optional<double> log_tail(double value);

private:
    struct Value {
        std::int64_t units; // the statistic in fixed point
        double probability; // or its logarithm
    };
    struct Stratum {
        std::size_t first, rows, columns; // where its margins begin, and the numbers of levels
    };
    using Values = std::vector<Value>;

    std::span<const std::uint64_t> margins_of(const Stratum& stratum) const {
        return std::span(margins_).subspan(stratum.first, stratum.rows + stratum.columns);
    }
    std::optional<double> tail(double value);
    bool enumerate(const Stratum& stratum);
    bool fill(std::size_t cell, std::uint64_t row_rest, std::int64_t units, double log_weight);
    bool combine();
    void merge(Values& values) const;
    double either(double p, double q) const;

    bool feasible_ = true, in_logs_ = false;
    double least_values_ = 1; // a bound on the number of combinations of tables
    std::vector<std::uint64_t> margins_;
    std::vector<Stratum> strata_;
    Values all_, one_, product_; // of the strata so far, of one stratum, of both
    // The stratum being enumerated.
    std::span<const std::uint64_t> rows_, columns_;
    std::vector<std::uint64_t> column_rest_;
    Cells cells_;
    std::int64_t kx_ = 0, ky_ = 0; // the smaller one first
    bool swapped_ = false;
};

} // namespace bitsep
