// Plain C++: runs anywhere.
#include <algorithm>
#include <bit>

#include "bitsep/kernels.hpp"

namespace bitsep::portable {

namespace {

using Vector = std::uint64_t;
constexpr std::size_t words = 1;
constexpr int tile = 3;

Vector load(const std::uint64_t* p) {
    return *p;
}
void store(std::uint64_t* p, Vector v) {
    *p = v;
}
Vector both(Vector a, Vector b) {
    return a & b;
}

struct Tally {
    static constexpr std::size_t burst = 1 << 20;
    std::uint64_t bits = 0;
    void add(Vector v) { bits += static_cast<std::uint64_t>(std::popcount(v)); }
    void settle() {}
    std::uint64_t total() const { return bits; }
};

// The totals of many tallies at once.
template <int N>
inline void settle_totals(const Tally (&tallies)[N], std::uint32_t (&totals)[N]) {
    for (int i = 0; i < N; ++i)
        totals[i] = static_cast<std::uint32_t>(tallies[i].total());
}

#include "generic.inl"

} // namespace

extern const Kernel kernel;
const Kernel kernel{"portable", [] { return true; }, intersect, count_stratum, count_pairs};

} // namespace bitsep::portable
