// Logarithms the stochastic complexity is made of: x·log2 x and the log2 regret of multinomials.
#pragma once

#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <vector>

#include "bitsep/lazy_table.hpp"

namespace bitsep {

// Counts below this are looked up without any indirection: most counts of most tests.
inline constexpr std::size_t small_counts = 4096;

// x·log2 x, with 0·log2 0 = 0, from tables shared by the whole process: the small ones filled once, the others on
// demand.
class XLog2X {
public:
    static const XLog2X& table();

    double operator()(std::uint64_t x) const {
        if (x < small_counts) [[likely]]
            return small_[x];
        return x < LazyTable::capacity ? large_.get(x, compute) : compute(x);
    }

private:
    XLog2X();
    static double compute(std::uint64_t x) { return static_cast<double>(x) * std::log2(static_cast<double>(x)); }

    std::array<double, small_counts> small_;
    LazyTable large_;
};

// log2 C(n, k): the regret of a multinomial over k values and n samples (Marx & Vreeken, Sec. 3).
//
// Exact recurrences serve min(n, k) <= exact_regret_limit, with a relative error below 1e-12; beyond, a saddle-point
// expansion to second order, whose absolute error is below 1e-9 bits.
double log2_regret(std::int64_t n, double k);

inline constexpr double exact_regret_limit = 1e5;

// log2 C(n, k) for one k and many n, remembered.
class RegretOfSize {
public:
    explicit RegretOfSize(std::int64_t k);

    double operator()(std::uint64_t n) const {
        if (n < small_counts) [[likely]] {
            const double known = small_[n].load(std::memory_order_relaxed);
            return known == known ? known : fill(n); // NaN: not yet computed
        }
        if (k_ == 1.0)
            return 0.0;
        if (n >= LazyTable::capacity) [[unlikely]]
            return log2_regret(static_cast<std::int64_t>(n), k_);
        return large_.get(n, [this](std::uint64_t m) { return log2_regret(static_cast<std::int64_t>(m), k_); });
    }

    // The shared table for domain size k; lives as long as the process.
    static const RegretOfSize& of(std::int64_t k);

private:
    double fill(std::uint64_t n) const;

    double k_;
    mutable std::array<std::atomic<double>, small_counts> small_;
    LazyTable large_;
};

// log2 C(n, k) for one n and many k: SCI_q asks for four of them per test, always with the same n. One per thread.
class RegretOfRows {
public:
    double operator()(std::int64_t n, double k);

private:
    static constexpr std::size_t limit = 1 << 16;
    std::int64_t n_ = -1;
    std::vector<double> log2_c_; // log2 C(n, k) at index k - 1
    std::vector<double> ratio_;  // r_k = C(n, k + 1) / C(n, k) at index k - 1
};

} // namespace bitsep
