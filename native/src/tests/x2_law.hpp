// The law of X² under independence, from its cumulants: Pearson III, and rare large jumps apart.
#pragma once

#include <compare>
#include <span>

#include "x2_moments.hpp"

namespace bitsep {

// What a cell that expects few rows adds to X² when it is hit a number of times, less what the other cells lose by it,
// and how often it is.
struct Jump {
    double size, rate, lost;
    friend auto operator<=>(const Jump&, const Jump&) = default;
};

// Where a jump is far larger than the standard deviation of everything else, a smooth law with the same three cumulants
// would be wrong nearly everywhere: such jumps are a Poisson process apart.
class X2Law {
public:
    // Changes the order of the jumps.
    X2Law(const Cumulants& cumulants, std::span<Jump> jumps);

    static constexpr std::size_t most_jumps = 64; // apart

    // ln P(X² >= x2), never infinite.
    double log_tail(double x2) const;

private:
    double log_smooth_tail(double x2) const; // of what has no jumps

    Cumulants rest_;
    std::span<const Jump> jumps_; // the ones that are apart, ascending
    double hits_ = 0;             // expected number of jumps
};

} // namespace bitsep
