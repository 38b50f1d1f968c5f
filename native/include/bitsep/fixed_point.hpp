// Sums of bits that do not depend on the order of their terms.
#pragma once

#include <cmath>
#include <cstdint>

namespace bitsep {

// Terms are rounded to multiples of 2^-40 bits and added as integers. Integer addition is associative, so no order of
// levels, cells, strata, rows or threads changes a sum.
inline constexpr int fraction_bits = 40;

// Terms below this many bits fit into one signed word of units.
inline constexpr double max_unit_bits = 0x1p23;

// A term in units of 2^-40 bits, 0 <= bits < max_unit_bits.
inline std::int64_t units_of(double bits) {
    return static_cast<std::int64_t>(bits * 0x1p40 + 0.5);
}

// A sum in one word. Larger terms and intermediate sums wrap around; the result is right where it lies within
// ±max_unit_bits.
class NarrowSum {
public:
    constexpr NarrowSum() = default;
    static NarrowSum of_units(std::int64_t units) { return NarrowSum(static_cast<std::uint64_t>(units)); }
    static NarrowSum of_small(double bits) { return of_units(units_of(bits)); } // 0 <= bits < max_unit_bits
    static NarrowSum of(double bits) {                                          // 0 <= bits < 2^63
        if (bits < max_unit_bits)
            return of_units(units_of(bits));
        const double whole = std::floor(bits);
        return NarrowSum((static_cast<std::uint64_t>(whole) << fraction_bits) +
                         static_cast<std::uint64_t>(units_of(bits - whole)));
    }
    NarrowSum& operator+=(NarrowSum other) {
        units_ += other.units_;
        return *this;
    }
    friend NarrowSum operator+(NarrowSum a, NarrowSum b) { return NarrowSum(a.units_ + b.units_); }
    friend NarrowSum operator-(NarrowSum a, NarrowSum b) { return NarrowSum(a.units_ - b.units_); }
    // Zero where it is negative; without a branch, whose outcome no processor could predict.
    NarrowSum or_zero() const {
        return NarrowSum(units_ & ~static_cast<std::uint64_t>(static_cast<std::int64_t>(units_) >> 63));
    }
    double bits() const { return static_cast<double>(static_cast<std::int64_t>(units_)) * 0x1p-40; }

private:
    explicit constexpr NarrowSum(std::uint64_t units) : units_(units) {}
    std::uint64_t units_ = 0;
};

// The same numbers for sums of any size: whole bits and units in two words.
class WideSum {
public:
    constexpr WideSum() = default;
    static WideSum of_units(std::int64_t units) { return WideSum(0, units); }
    static WideSum of_small(double bits) { return of(bits); }
    static WideSum of(double bits) { // 0 <= bits < 2^62
        const double whole = std::floor(bits);
        return WideSum(static_cast<std::int64_t>(whole), units_of(bits - whole));
    }
    WideSum& operator+=(WideSum other) { return *this = *this + other; }
    friend WideSum operator+(WideSum a, WideSum b) { return WideSum(a.whole_ + b.whole_, a.units_ + b.units_); }
    friend WideSum operator-(WideSum a, WideSum b) { return WideSum(a.whole_ - b.whole_, a.units_ - b.units_); }
    WideSum or_zero() const { return whole_ < 0 ? WideSum() : *this; }
    WideSum at_most(std::int64_t bits) const { return whole_ < bits ? *this : WideSum(bits, 0); }
    double bits() const { return static_cast<double>(whole_) + static_cast<double>(units_) * 0x1p-40; }

private:
    WideSum(std::int64_t whole, std::int64_t units)
        : whole_(whole + (units >> fraction_bits)), units_(units & ((std::int64_t{1} << fraction_bits) - 1)) {}
    std::int64_t whole_ = 0;
    std::int64_t units_ = 0; // below one bit
};

} // namespace bitsep
