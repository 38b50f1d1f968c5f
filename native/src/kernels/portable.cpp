// Plain C++: runs anywhere.
#include <algorithm>
#include <bit>
#include <cstring>

#include "bitsep/kernels.hpp"

namespace bitsep::portable {

namespace {

#if defined(__GNUC__)
// Two words at a time: every 64-bit processor has such registers, and the compiler knows which.
typedef std::uint64_t Vector __attribute__((vector_size(16)));
constexpr std::size_t words = 2;
inline std::uint64_t sum(Vector v) {
    return v[0] + v[1];
}
#else
using Vector = std::uint64_t;
constexpr std::size_t words = 1;
inline std::uint64_t sum(Vector v) {
    return v;
}
#endif
constexpr int tile = 2;

inline Vector load(const std::uint64_t* p) {
    Vector v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
inline void store(std::uint64_t* p, Vector v) {
    std::memcpy(p, &v, sizeof v);
}
inline Vector both(Vector a, Vector b) {
    return a & b;
}

using Codes = const std::int8_t*;
inline Codes load_codes(const std::int8_t* p) {
    return p;
}
// Eight codes at a time: a byte is zero where the code matches, then one bit of each byte is left, then all are moved
// together by a multiplication.
inline std::uint64_t matches(Codes codes, std::int8_t level) {
    constexpr std::uint64_t ones = 0x0101010101010101u, low_bits = 0x7f7f7f7f7f7f7f7fu;
    std::uint64_t bits = 0;
    for (int part = 0; part < 8; ++part) {
        std::uint64_t differ = 0;
        for (int i = 0; i < 8; ++i) // little end first, on every machine
            differ |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(codes[8 * part + i] ^ level)) << (8 * i);
        const std::uint64_t equal = (~(((differ & low_bits) + low_bits) | differ) >> 7) & ones;
        bits |= ((equal * 0x0102040810204080u) >> 56) << (8 * part);
    }
    return bits;
}

inline int bits_of(std::uint64_t word) {
    return std::popcount(word);
}
using Lookup = const std::int8_t*;
inline Lookup load_lookup(const std::int8_t* p) {
    return p;
}
inline void look_up(Lookup lookup, Codes codes, std::int8_t* p) {
    for (int i = 0; i < 64; ++i)
        p[i] = codes[i] < 0 ? codes[i] : lookup[codes[i]];
}

// Bits are summed within pairs, nibbles and bytes of a word; the bytes are added up once per burst.
struct Tally {
    static constexpr std::size_t burst = 31; // a byte grows by at most 8 per vector
    Vector bytes{}, bits{};
    void add(Vector v) {
        v = v - ((v >> 1) & 0x5555555555555555u);
        v = (v & 0x3333333333333333u) + ((v >> 2) & 0x3333333333333333u);
        bytes += (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    }
    void settle() {
        const Vector pairs = (bytes & 0x00ff00ff00ff00ffu) + ((bytes >> 8) & 0x00ff00ff00ff00ffu);
        const Vector halves = (pairs & 0x0000ffff0000ffffu) + ((pairs >> 16) & 0x0000ffff0000ffffu);
        bits += (halves & 0xffffffffu) + (halves >> 32);
        bytes = Vector{};
    }
    std::uint64_t total() const { return sum(bits); }
};

#include "one_by_one.inl"

#include "generic.inl"

} // namespace

extern const Kernel kernel;
const Kernel kernel{"portable",  [] { return true; }, count_levels,  recode,
                    mark_levels, intersect,           count_stratum, count_pairs};

} // namespace bitsep::portable
