#include "bitsep/record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bitsep/complexity.hpp"

namespace bitsep {

namespace {

double rounding_bits(std::int64_t n) { // eps n log2 n
    return std::numeric_limits<double>::epsilon() * XLog2X::table().get<WideSum>(static_cast<std::uint64_t>(n)).bits();
}

// The nearest multiple of a power of two.
double rounded_to(double grid, double value) {
    constexpr double to_integer = 0x1.8p52; // adding it leaves no fraction, ties go to even
    const double steps = value / grid;
    return std::abs(steps) < 0x1p51 ? ((steps + to_integer) - to_integer) * grid : value; // never -0
}

} // namespace

double zero_bits(std::int64_t n) {
    if (n < 1 << 20) // 8 eps n log2 n < 1e-7
        return 1e-7;
    return std::max(1e-7, 8 * rounding_bits(n));
}

double rounded_score(double score_bits, std::int64_t n) {
    constexpr double grid = 0x1p-30;
    if (n < 1 << 15) // 4 eps n log2 n < 2^-30
        return rounded_to(grid, score_bits);
    int exponent;
    std::frexp(4 * rounding_bits(n), &exponent);
    return rounded_to(std::max(grid, std::ldexp(1.0, exponent)), score_bits);
}

} // namespace bitsep
