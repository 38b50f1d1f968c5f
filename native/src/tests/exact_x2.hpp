// The exact distribution of X² under independence, given the margins, where it has few values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace bitsep {

// Strata are added one by one; their order and that of their levels do not matter. Each thread has its own.
class ExactX2 {
public:
    void clear();

    // Whether there may be few enough values; once it is not, strata need not be added.
    bool feasible() const { return feasible_; }

    // Whether that is still so with another stratum, which has at least this number of tables.
    bool feasible_with(std::uint64_t tables, std::uint64_t total, int cells);

    // The occupied margins of a stratum with at least two levels each, after it was asked for. Sorts them.
    void add(std::vector<std::uint64_t>& rows, std::vector<std::uint64_t>& columns);

    // P(X² >= x2), nothing where there are too many values.
    std::optional<double> tail(double x2);

private:
    struct Value {
        std::int64_t units; // X² in fixed point (fixed_point.hpp)
        double probability;
    };
    struct Stratum {
        std::size_t first, rows, columns; // where its margins begin, and the numbers of levels
    };
    using Values = std::vector<Value>;

    std::span<const std::uint64_t> margins_of(const Stratum& stratum) const {
        return std::span(margins_).subspan(stratum.first, stratum.rows + stratum.columns);
    }
    bool enumerate(const Stratum& stratum);
    bool fill(std::size_t cell, std::uint64_t row_rest, std::int64_t units, double log_weight);
    bool combine();
    static void merge(Values& values);

    bool feasible_ = true;
    double least_values_ = 1; // a bound on the number of combinations of tables
    std::vector<std::uint64_t> margins_;
    std::vector<Stratum> strata_;
    Values all_, one_, product_; // of the strata so far, of one stratum, of both
    // The stratum being enumerated.
    std::span<const std::uint64_t> rows_, columns_;
    std::vector<std::uint64_t> column_rest_;
    double total_ = 0;
};

} // namespace bitsep
