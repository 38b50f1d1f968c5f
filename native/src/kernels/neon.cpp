// NEON: every 64-bit ARM processor has it. CNT counts bits per byte; bytes are widened once per burst.
#include "bitsep/kernels.hpp"

#if defined(__aarch64__)

#include <algorithm>
#include <arm_neon.h>

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
const Kernel kernel{"neon", [] { return true; }, intersect, count_stratum, count_pairs};

} // namespace bitsep::neon

#endif
