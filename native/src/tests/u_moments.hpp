// The U-statistic of a stratum (Canonne et al. 2018; Kim, Neykov, Balakrishnan & Wasserman 2024), and its cumulants
// under independence, given the margins. Its mean is zero.
//
// n U = (Σ w N (N-1) + Σ a R · Σ b C (C-1) / ((n-1)(n-2)) - 2 Σ w N (R-1)(C-1) / (n-2)) / (n-3), w = a b,
// where a level with R of the n rows of a stratum has the weight a = 1 / (1/|X| + R/n).
#pragma once

#include <cstdint>
#include <span>

#include "x2_moments.hpp"

namespace bitsep {

inline constexpr std::uint64_t u_rows_from = 4; // strata with fewer rows say nothing

inline double u_weight(double count, double levels, double n) {
    return 1 / (1 / levels + count / n);
}

// Whether U is zero whatever the table is, by the occupied levels of one margin, descending: if there is one level, if
// there are two and one has a single row, and if all have.
bool u_is_zero(std::span<const std::uint64_t> counts);

// The parts of n U; all are positive, the mixed one is subtracted.
struct UTerms {
    double pairs, mixed;
};

inline UTerms u_of_cell(double n, double count, double row, double column, double weight) {
    const double each = weight * count / (n - 3);
    return {each * (count - 1), each * (2 / (n - 2)) * ((row - 1) * (column - 1))};
}

inline double u_of_margins(double n, double row_pairs, double column_pairs) {
    return row_pairs * column_pairs / ((n - 1) * (n - 2) * (n - 3));
}

// Sums over one margin: Σ a R, and of the centered matrix of u_moments.cpp.
struct UMargin {
    // The occupied levels, in an order that does not depend on their names, and the number of levels in all strata.
    UMargin(std::span<const std::uint64_t> counts, double levels, double n);

    double pairs = 0, squares = 0, cubes = 0, triangles = 0;
};

// Of n U in a stratum with at least four rows.
Cumulants u_cumulants(double n, const UMargin& rows, const UMargin& columns);

} // namespace bitsep
