// AVX-512 with the vector popcount (VPOPCNTDQ): Ice Lake, Zen 4 and later.
#include "bitsep/kernels.hpp"

#if defined(__x86_64__) && defined(__GNUC__)

#include <algorithm>
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512vpopcntdq"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vpopcntdq")
#endif

namespace bitsep::avx512 {

namespace {

using Vector = __m512i;
constexpr std::size_t words = 8;
constexpr int tile = 3;

inline Vector load(const std::uint64_t* p) {
    return _mm512_load_si512(p);
}
inline void store(std::uint64_t* p, Vector v) {
    _mm512_store_si512(p, v);
}
inline Vector both(Vector a, Vector b) {
    return _mm512_and_si512(a, b);
}

struct Tally {
    static constexpr std::size_t burst = 1 << 20;
    Vector bits;
    Tally() : bits(_mm512_setzero_si512()) {} // spelt out: an implicit constructor would miss the target region
    void add(Vector v) { bits = _mm512_add_epi64(bits, _mm512_popcnt_epi64(v)); }
    void settle() {}
    std::uint64_t total() const {
        alignas(64) std::uint64_t lanes[8];
        _mm512_store_si512(lanes, bits);
        return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
    }
};

#include "generic.inl"

} // namespace

extern const Kernel kernel;
const Kernel kernel{
    "avx512",
    [] { return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vpopcntdq") != 0; },
    intersect,
    count_stratum,
    count_pairs,
};

} // namespace bitsep::avx512

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
