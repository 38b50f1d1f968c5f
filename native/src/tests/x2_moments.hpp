// The first three cumulants of X² in a stratum under independence, given its margins.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace bitsep {

struct Cumulants {
    double mean = 0, variance = 0, third = 0;
};

// What the cumulants need to know about one margin of a stratum. The sums do not depend on the order of the levels:
// their terms are rounded to multiples of 2^-52 times a power of two that is at least the sum, so no addition rounds.
class Margin {
public:
    explicit Margin(std::int64_t domain_size)
        : rounder_(1.5 * static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(domain_size)))) {}

    void add(std::uint64_t count) {
        if (count == 0)
            return;
        const double inverse = 1 / static_cast<double>(count);
        ++levels;
        inverses += rounded(inverse);
        inverse_squares += rounded(inverse * inverse);
        squares += count * count;
        smallest = std::min(smallest, count);
        second = std::max(second, std::min(largest, count));
        largest = std::max(largest, count);
    }

    int levels = 0; // occupied ones, as in all of these
    double inverses = 0, inverse_squares = 0;
    std::uint64_t squares = 0; // modulo 2^64; identifies the margins of up to five rows
    std::uint64_t smallest = ~std::uint64_t{0}, second = 0, largest = 0; // second: after the largest

private:
    double rounded(double value) const { return (value + rounder_) - rounder_; }
    double rounder_;
};

// Of a stratum with n rows; both margins have at least two levels.
Cumulants x2_cumulants(std::uint64_t n, const Margin& rows, const Margin& columns);

} // namespace bitsep
