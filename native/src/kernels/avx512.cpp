// AVX-512 with the vector popcount (VPOPCNTDQ): Ice Lake, Zen 4 and later.
#include "bitsep/kernels.hpp"

#if defined(__x86_64__) && defined(__GNUC__)

#include <algorithm>
#include <immintrin.h>

#if defined(__GNUC__) && !defined(__clang__)
// GCC's own headers leave the unused part of a masked result uninitialized on purpose, and its warnings do not know.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vpopcntdq,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vpopcntdq,popcnt")
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

using Codes = __m512i;
inline Codes load_codes(const std::int8_t* p) {
    return _mm512_loadu_si512(p);
}
inline std::uint64_t matches(Codes codes, std::int8_t level) {
    return _mm512_cmpeq_epi8_mask(codes, _mm512_set1_epi8(level));
}

inline int bits_of(std::uint64_t word) {
    return static_cast<int>(_mm_popcnt_u64(word));
}
using Lookup = __m512i;
inline Lookup load_lookup(const std::int8_t* p) {
    return _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
inline void look_up(Lookup lookup, Codes codes, std::int8_t* p) {
    const __mmask64 missing = _mm512_movepi8_mask(codes);
    _mm512_storeu_si512(p, _mm512_mask_blend_epi8(missing, _mm512_shuffle_epi8(lookup, codes), codes));
}

struct Tally {
    static constexpr std::size_t burst = 1 << 20;
    Vector bits;
    Tally() : bits(_mm512_setzero_si512()) {} // spelled out: an implicit constructor would miss the target region
    void add(Vector v) { bits = _mm512_add_epi64(bits, _mm512_popcnt_epi64(v)); }
    void settle() {}
    std::uint64_t total() const {
        alignas(64) std::uint64_t lanes[8];
        _mm512_store_si512(lanes, bits);
        return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
    }
};

// Sums of neighboring lanes, and of neighboring pairs of lanes, of two vectors side by side.
inline Vector join_lanes(Vector p, Vector q) {
    return _mm512_add_epi64(_mm512_unpacklo_epi64(p, q), _mm512_unpackhi_epi64(p, q));
}
inline Vector join_pairs(Vector p, Vector q) {
    return _mm512_add_epi64(_mm512_shuffle_i64x2(p, q, 0x88), _mm512_shuffle_i64x2(p, q, 0xdd));
}

// The totals of many tallies at once.
template <int N>
inline void settle_totals(const Tally (&tallies)[N], std::uint32_t (&totals)[N]) {
    alignas(64) std::uint32_t sums[(N + 7) / 8 * 8];
    for (int i = 0; i < N; i += 8) {
        // Eight sums at once, transposed on the way: 21 instructions instead of ten for each.
        Vector v[8];
        for (int j = 0; j < 8; ++j)
            v[j] = i + j < N ? tallies[i + j].bits : _mm512_setzero_si512();
        const Vector low = join_pairs(join_lanes(v[0], v[1]), join_lanes(v[2], v[3]));
        const Vector high = join_pairs(join_lanes(v[4], v[5]), join_lanes(v[6], v[7]));
        _mm256_store_si256(reinterpret_cast<__m256i*>(sums + i), _mm512_cvtepi64_epi32(join_pairs(low, high)));
    }
    for (int i = 0; i < N; ++i)
        totals[i] = sums[i];
}

#include "generic.inl"

} // namespace

extern const Kernel kernel;
const Kernel kernel{
    "avx512",
    [] {
        return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
               __builtin_cpu_supports("avx512vpopcntdq") != 0;
    },
    count_levels,
    recode,
    mark_levels,
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
