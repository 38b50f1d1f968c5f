// Pearson's X² of a stratum.
#pragma once

#include <algorithm>
#include <cstdint>

#include "strata.hpp"

namespace bitsep {

// The sum of (N - E)² / E over cells = the sum of n_z N² / (row · column) - n_z.
template <class Sum, class Stratum>
Sum x2_of(const Stratum& stratum) {
    const auto total = static_cast<double>(stratum.total());
    Sum squares;
    stratum.each_cell([&](std::uint64_t count, std::uint64_t row, std::uint64_t column) {
        if (count != 0) {
            const auto value = static_cast<double>(count);
            squares += Sum::of_small(value * value * total / (static_cast<double>(row) * static_cast<double>(column)));
        }
    });
    return squares - Sum::of(total);
}

// X² is below n min(|X|, |Y|).
inline std::int64_t x2_bits_per_row(std::int64_t kx, std::int64_t ky) {
    return std::max(Rule::bits_per_row(kx, ky), std::min(kx, ky));
}

} // namespace bitsep
