// Logarithms the stochastic complexity is made of: x·log2 x and the log2 regret of multinomials.
#pragma once

#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "bitsep/fixed_point.hpp"
#include "bitsep/lazy_table.hpp"
#include "bitsep/memo.hpp"

namespace bitsep {

// Counts below this are looked up without any indirection: most counts of most tests.
inline constexpr std::size_t small_counts = 4096;

// x·log2 x, with 0·log2 0 = 0, as a term of a sum; from tables shared by the whole process: the small ones filled at
// start-up, the others on demand.
class XLog2X {
public:
    static const XLog2X& table();

    template <class Sum>
    Sum get(std::uint64_t x) const {
        return x < small_counts ? Sum::of_units(small_[x]) : get_large<Sum>(x);
    }

private:
    XLog2X();
    template <class Sum>
    Sum get_large(std::uint64_t x) const; // apart, so that the common case is inlined
    static double compute(std::uint64_t x) { return static_cast<double>(x) * std::log2(static_cast<double>(x)); }
    static const XLog2X& shared;

    std::array<std::int64_t, small_counts> small_;
    LazyTable large_; // x·log2 x < 2^23 below its capacity
};

// log2 C(n, k): the regret of a multinomial over k values and n samples (Marx & Vreeken, Sec. 3).
//
// Exact recurrences serve min(n, k) <= exact_regret_limit, with a relative error below 1e-12; beyond, a saddle-point
// expansion to second order, whose error is below 1e-8 bits plus 1e-15 of the regret. Where k > 2^60 n² the regret is n
// log2(k / n) to the last digit.
double log2_regret(std::int64_t n, double k);

inline constexpr double exact_regret_limit = 1e5;

// The product of domain sizes, the same for every order of the factors. A product beyond 10^280 counts as 10^280, so
// that thresholds computed from it stay finite.
double domain_product(std::span<const std::int64_t> sizes);

// log2 C(n, k) for one k and many n, as a term of a sum. Kept in memory of bounded size, shared by the process: tables
// for small n or k, a cache of fixed size for the others.
class RegretOfSize {
public:
    RegretOfSize() = default;
    explicit RegretOfSize(std::int64_t k);

    template <class Sum>
    Sum get(std::uint64_t n) const {
        if (n < small_counts && table_ != nullptr) [[likely]] {
            const std::int64_t known = table_->small[n].load(std::memory_order_relaxed);
            if (known >= 0) [[likely]]
                return Sum::of_units(known);
        } else if (n < few_.size()) {
            return Sum::of_units(few_[n]);
        }
        return get_other<Sum>(n);
    }

private:
    struct Table {
        std::array<std::atomic<std::int64_t>, small_counts> small; // negative: not yet computed
        LazyTable large;                                           // up to max_lazy_size
    };
    static constexpr std::int64_t max_lazy_size = 16; // 2 MB each

    template <class Sum>
    Sum get_other(std::uint64_t n) const; // apart, so that the common case is inlined
    std::int64_t units(std::uint64_t n) const;

    std::int64_t k_ = 1;
    std::uint64_t cached_rows_ = 0; // n below this are cached
    Table* table_ = nullptr;
    std::array<std::int64_t, 8> few_{}; // used without a table: strata of large domains have few rows
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
