// What a test costs in each way of counting, in nanoseconds.
//
// The constants are fitted by benchmarks/calibrate.py to measurements of an Ice Lake core with the AVX-512 kernel. They
// need not be right elsewhere: the ways cost about the same where they cross.
#pragma once

#include <algorithm>
#include <cstddef>

namespace bitsep::cost {

inline constexpr int rows_per_vector = 512;

// Counting so many cells of all strata: by vectors, or, where strata have few rows, row by row.
inline constexpr double walk_ns_per_row = 111.0;

inline double counting(double rows, double cells, double ns_per_vector) {
    return std::min(rows / rows_per_vector * cells * ns_per_vector, rows * walk_ns_per_row);
}

// From margins that are known; in `inner` of the cells no variable is at its last level.
inline constexpr double margins_ns = 248.0;
inline constexpr double margins_ns_per_cell = 6.88;
inline constexpr double margins_ns_per_vector = 0.995; // AND, popcount and add

inline double margins(double rows, double inner, double cells) {
    return margins_ns + cells * margins_ns_per_cell + counting(rows, inner, margins_ns_per_vector);
}

// Stratum by stratum.
inline constexpr double bitmaps_ns = 68.8;
inline constexpr double bitmaps_ns_per_stratum = 45.7;
inline constexpr double bitmaps_ns_per_cell = 6.23;
inline constexpr double bitmaps_ns_per_vector = 0.727;

inline double bitmaps(double rows, double strata, double cells) {
    return bitmaps_ns + strata * bitmaps_ns_per_stratum + cells * bitmaps_ns_per_cell +
           counting(rows, cells, bitmaps_ns_per_vector);
}

// Row by row into a dense table.
inline constexpr double scan_ns = 191.0;
inline constexpr double scan_ns_per_row = 0.941;
inline constexpr double scan_ns_per_row_and_given = 0.275;
inline constexpr double scan_ns_per_cell = 1.93;

inline double row_scan(double rows, std::size_t given, double cells) {
    return scan_ns + rows * (scan_ns_per_row + scan_ns_per_row_and_given * static_cast<double>(given)) +
           cells * scan_ns_per_cell;
}

// By sorting the rows.
inline constexpr double sort_ns = 2150.0;
inline constexpr double sort_ns_per_row = 4.37;
inline constexpr double sort_ns_per_row_and_given = 2.81;

inline double sort(double rows, std::size_t given) {
    return sort_ns + rows * (sort_ns_per_row + sort_ns_per_row_and_given * static_cast<double>(given));
}

// A family that shares all parents but one with others (family_counter.hpp). Rounded, not fitted: they only tell tables
// with very many cells from the others.
inline constexpr double one_more_ns = 60.0;
inline constexpr double one_more_ns_per_rare_row = 1.0;
inline constexpr double one_more_ns_per_cell = 1.5;

inline double one_more(double rare_rows, double cells) {
    return one_more_ns + rare_rows * one_more_ns_per_rare_row + cells * one_more_ns_per_cell;
}

// The cells of the shared parents as bitmaps: the most of them for which counting so many levels in all cells is faster
// than row by row.
inline constexpr double cells_ns_per_row = 1.2;
inline constexpr double cells_ns_per_row_and_variable = 0.4;
inline constexpr double pair_ns_per_vector = 0.8;
inline constexpr double split_ns_per_vector = 3.0;

inline double most_bitmaps(double rows, std::size_t shared, double levels, double rare_rows) {
    const double by_rows = rows * (cells_ns_per_row + cells_ns_per_row_and_variable * static_cast<double>(shared + 1)) +
                           rare_rows * one_more_ns_per_rare_row;
    const double vectors = rows / rows_per_vector + 1;
    return by_rows / (vectors * (levels * pair_ns_per_vector + split_ns_per_vector));
}

} // namespace bitsep::cost
