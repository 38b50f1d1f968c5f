// What fuzz targets share: numbers from the bytes of an input, and checks that end the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace bitsep::fuzz {

// Numbers from bytes; zeros after the last one.
class Bytes {
public:
    Bytes(const std::uint8_t* data, std::size_t size) : next_(data), end_(data + size) {
        for (std::size_t i = 0; i < size; ++i)
            hash_ = (hash_ ^ data[i]) * 0x100000001b3u;
    }

    bool empty() const { return next_ == end_; }
    std::uint8_t byte() { return empty() ? std::uint8_t{0} : *next_++; }
    // A number from 0 to limit - 1, at most 255.
    unsigned below(unsigned limit) { return byte() % limit; }
    bool flag() { return (byte() & 1) != 0; }
    std::uint64_t word() {
        std::uint64_t value = 0;
        for (int i = 0; i < 8; ++i)
            value = value << 8 | byte();
        return value;
    }
    // A count whose size is spread over all magnitudes below 2^bits.
    std::uint64_t count(unsigned bits) {
        const unsigned shift = below(bits);
        return shift < 8 ? byte() >> (8 - shift) : static_cast<std::uint64_t>(byte()) << (shift - 8);
    }

    // True for one of `inputs` inputs, by all bytes: what takes long must not be inherited by the inputs made from one.
    bool one_in(unsigned inputs) const { return (hash_ >> 32) % inputs == 0; }

private:
    const std::uint8_t *next_, *end_;
    std::uint64_t hash_ = 0xcbf29ce484222325u;
};

inline void require(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "does not hold: %s\n", what);
        std::abort();
    }
}

// Equal to the last bit.
template <class T>
bool identical(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

} // namespace bitsep::fuzz
