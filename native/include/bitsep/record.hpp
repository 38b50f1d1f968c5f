// The outcome of one test, and the rounding of its score.
#pragma once

#include <cstdint>

namespace bitsep {

// The layout is that of RECORD in bitsep.independence.engine.
struct Record {
    double score_bits = 0;
    double information_bits = 0;
    double threshold_bits = 0;
    double statistic = 0; // NaN for tests without one, as is df
    double df = 0;
    std::int64_t n = 0;
    std::int64_t strata = 0;
    bool independent = false;
    char padding[3] = {};
    std::uint32_t draws = 0; // tables drawn by a permutation test, else 0
};
static_assert(sizeof(Record) == 64);

// A score up to this is zero within rounding: max(1e-7, 8 eps n log2 n), eps = 2^-52.
double zero_bits(std::int64_t n);

// A score as a multiple of 2^-30 bits, or for large n of the next power of two above 4 eps n log2 n: scores that are
// equal but for rounding become equal.
double rounded_score(double score_bits, std::int64_t n);

} // namespace bitsep
