// NEON: every 64-bit ARM processor has it. CNT counts bits per byte; bytes are widened once per burst.
#include "bitsep/kernels.hpp"

#if defined(__aarch64__)

#include <algorithm>
#include <arm_neon.h>
#include <bit>

namespace bitsep::neon {

namespace {

using Vector = uint8x16_t;
constexpr std::size_t words = 2;
constexpr int tile = 3;

inline Vector load(const std::uint64_t* p) {
    return vreinterpretq_u8_u64(vld1q_u64(p));
}
inline void store(std::uint64_t* p, Vector v) {
    vst1q_u64(p, vreinterpretq_u64_u8(v));
}
inline Vector both(Vector a, Vector b) {
    return vandq_u8(a, b);
}

struct Codes {
    uint8x16_t part[4];
};
inline Codes load_codes(const std::int8_t* p) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(p);
    return {{vld1q_u8(bytes), vld1q_u8(bytes + 16), vld1q_u8(bytes + 32), vld1q_u8(bytes + 48)}};
}
inline std::uint64_t matches(const Codes& codes, std::int8_t level) {
    const uint8x16_t wanted = vdupq_n_u8(static_cast<std::uint8_t>(level));
    const uint8x16_t place = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201u)); // a bit of its own for each byte
    uint8x16_t bit[4];
    for (int i = 0; i < 4; ++i)
        bit[i] = vandq_u8(vceqq_u8(codes.part[i], wanted), place);
    const uint8x16_t pairs = vpaddq_u8(vpaddq_u8(bit[0], bit[1]), vpaddq_u8(bit[2], bit[3]));
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(pairs, pairs)), 0);
}

inline int bits_of(std::uint64_t word) {
    return std::popcount(word);
}
using Lookup = uint8x16_t;
inline Lookup load_lookup(const std::int8_t* p) {
    return vld1q_u8(reinterpret_cast<const std::uint8_t*>(p));
}
inline void look_up(Lookup lookup, const Codes& codes, std::int8_t* p) {
    for (int i = 0; i < 4; ++i) // where the code is beyond the lookup, which only a missing one is, it stays
        vst1q_u8(reinterpret_cast<std::uint8_t*>(p) + 16 * i, vqtbx1q_u8(codes.part[i], lookup, codes.part[i]));
}

struct Tally {
    static constexpr std::size_t burst = 31; // a byte grows by at most 8 per vector
    uint8x16_t bytes = vdupq_n_u8(0);
    uint64x2_t bits = vdupq_n_u64(0);
    void add(Vector v) { bytes = vaddq_u8(bytes, vcntq_u8(v)); }
    void settle() {
        bits = vaddq_u64(bits, vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(bytes))));
        bytes = vdupq_n_u8(0);
    }
    std::uint64_t total() const { return vaddvq_u64(bits); }
};

#include "one_by_one.inl"

#include "generic.inl"

} // namespace

extern const Kernel kernel;
const Kernel kernel{"neon",      [] { return true; }, count_levels,  recode,
                    mark_levels, intersect,           count_stratum, count_pairs};

} // namespace bitsep::neon

#endif
