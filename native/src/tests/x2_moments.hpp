// The first three cumulants of X² in a stratum under independence, given its margins.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace bitsep {

struct Cumulants {
    double mean = 0, variance = 0, third = 0;
};

// What the cumulants need to know about one margin of a stratum.
class Margin {
public:
    // The denominators of the formulas vanish for fewer rows than this, and v and w are not needed.
    static constexpr std::uint64_t formula_from = 6;

    // each(take) calls take(count) for every level, empty ones too; their sum is n.
    template <class Each>
    Margin(std::uint64_t n, Each&& each) {
        each([this](std::uint64_t count) {
            if (count == 0)
                return;
            ++levels;
            squares += count * count;
            smallest = std::min(smallest, count);
            second = std::max(second, std::min(largest, count));
            largest = std::max(largest, count);
        });
        if (levels < 2 || n < formula_from)
            return;
        const Terms of(static_cast<double>(n), levels);
        const double r = of.r, most = of.ratio(smallest), least = of.ratio(largest);
        const double lowest = least < 1.5 * r && most > 1.5 * r ? r * r / 4 : 0; // of w, at 1.5 r
        const double round_v = rounder(r * std::max(most - r, r - least));
        const double round_w = rounder(r * std::max({std::abs(of.w(most)), std::abs(of.w(least)), lowest}));
        each([&](std::uint64_t count) {
            if (count == 0)
                return;
            const double ratio = of.ratio(count);
            v += (of.v(ratio) + round_v) - round_v;
            w += (of.w(ratio) + round_w) - round_w;
        });
    }

    int levels = 0; // occupied ones, as in all of these
    // With n / R of each level: Σ (n / R - r), Σ (n / R - r) (n / R - 2 r). Terms are small where the counts of levels
    // are near each other, and whole numbers where levels have a single row, so that few digits cancel.
    double v = 0, w = 0;
    std::uint64_t squares = 0; // modulo 2^64; identifies the margins of up to five rows
    std::uint64_t smallest = ~std::uint64_t{0}, second = 0, largest = 0; // second: after the largest

private:
    struct Terms {
        Terms(double rows, int levels) : n(rows), r(levels) {}
        double ratio(std::uint64_t count) const { return n / static_cast<double>(count); }
        double v(double ratio) const { return ratio - r; }
        double w(double ratio) const { return (ratio - r) * (ratio - 2 * r); }
        double n, r;
    };
    // Adding and subtracting it rounds terms to multiples of 2^-52 times a power of two that is at least the sum of
    // their magnitudes, so that no addition rounds and sums do not depend on the order of the levels.
    static double rounder(double largest_sum) {
        int exponent;
        std::frexp(largest_sum, &exponent);
        return std::ldexp(1.5, exponent);
    }
};

// Of a stratum with n rows; both margins have at least two levels.
Cumulants x2_cumulants(std::uint64_t n, const Margin& rows, const Margin& columns);

} // namespace bitsep
