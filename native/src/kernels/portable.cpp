// Plain C++: runs anywhere.
#include <algorithm>
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
const Kernel kernel{"portable", [] { return true; }, intersect, count_stratum, count_pairs};

} // namespace bitsep::portable
