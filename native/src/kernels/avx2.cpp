// AVX2: popcount by two lookups of four bits each (Mula), summed as bytes and widened once per burst.
#include "bitsep/kernels.hpp"

#if defined(__x86_64__) && defined(__GNUC__)

#include <algorithm>
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,popcnt")
#endif

namespace bitsep::avx2 {

namespace {

using Vector = __m256i;
constexpr std::size_t words = 4;
constexpr int tile = 2;

inline Vector load(const std::uint64_t* p) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(p));
}
inline void store(std::uint64_t* p, Vector v) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(p), v);
}
inline Vector both(Vector a, Vector b) {
    return _mm256_and_si256(a, b);
}

struct Codes {
    __m256i low, high;
};
inline Codes load_codes(const std::int8_t* p) {
    return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)),
            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 32))};
}
inline std::uint64_t matches(const Codes& codes, std::int8_t level) {
    const __m256i wanted = _mm256_set1_epi8(level);
    const auto low = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(codes.low, wanted)));
    const auto high = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(codes.high, wanted)));
    return low | static_cast<std::uint64_t>(high) << 32;
}

inline int bits_of(std::uint64_t word) {
    return static_cast<int>(_mm_popcnt_u64(word));
}
using Lookup = __m256i;
inline Lookup load_lookup(const std::int8_t* p) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
inline void look_up(Lookup lookup, const Codes& codes, std::int8_t* p) {
    // The sign of a code chooses between itself and what stands for it.
    const __m256i low = _mm256_blendv_epi8(_mm256_shuffle_epi8(lookup, codes.low), codes.low, codes.low);
    const __m256i high = _mm256_blendv_epi8(_mm256_shuffle_epi8(lookup, codes.high), codes.high, codes.high);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), low);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p + 32), high);
}

struct Tally {
    static constexpr std::size_t burst = 31; // a byte grows by at most 8 per vector
    Vector bytes, bits;
    // Spelled out: an implicit constructor would miss the target region.
    Tally() : bytes(_mm256_setzero_si256()), bits(_mm256_setzero_si256()) {}
    void add(Vector v) {
        const Vector bits_of_nibble = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2,
                                                       2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
        const Vector low_nibbles = _mm256_set1_epi8(0x0f);
        const Vector low = _mm256_and_si256(v, low_nibbles);
        const Vector high = _mm256_and_si256(_mm256_srli_epi16(v, 4), low_nibbles);
        bytes = _mm256_add_epi8(bytes, _mm256_add_epi8(_mm256_shuffle_epi8(bits_of_nibble, low),
                                                       _mm256_shuffle_epi8(bits_of_nibble, high)));
    }
    void settle() {
        bits = _mm256_add_epi64(bits, _mm256_sad_epu8(bytes, _mm256_setzero_si256()));
        bytes = _mm256_setzero_si256();
    }
    std::uint64_t total() const {
        const __m128i half = _mm_add_epi64(_mm256_castsi256_si128(bits), _mm256_extracti128_si256(bits, 1));
        return static_cast<std::uint64_t>(_mm_extract_epi64(half, 0) + _mm_extract_epi64(half, 1));
    }
};

#include "one_by_one.inl"

#include "generic.inl"

} // namespace

extern const Kernel kernel;
const Kernel kernel{
    "avx2",        [] { return __builtin_cpu_supports("avx2") != 0; },
    count_levels,  recode,
    mark_levels,   intersect,
    count_stratum, count_pairs,
};

} // namespace bitsep::avx2

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
