// Tests whose verdict compares a p-value with alpha: bits of evidence are -log2 p, and the threshold is -log2 alpha.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "bitsep/record.hpp"

namespace bitsep {

inline constexpr double default_alpha = 0.05;

// -log2 p, raised where p equals alpha but for rounding: a score above zero means dependent, and so does p <= alpha.
inline double evidence_bits(double bits, double needed_bits, std::int64_t n) {
    return bits > needed_bits - 1e-12 ? std::max(bits, needed_bits + 2 * zero_bits(n)) : bits;
}

// The p-value that a record stands for; scores are rounded, so 1 is what is that near to it.
inline double p_value_of(const Record& record) {
    const double bits = record.score_bits + record.threshold_bits;
    return bits < 0x1p-28 ? 1.0 : std::max(std::exp2(-bits), std::numeric_limits<double>::denorm_min());
}

} // namespace bitsep
