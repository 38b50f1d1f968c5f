#include "counting/sort.hpp"

#include <map>
#include <random>

#include <doctest/doctest.h>

using namespace bitsep;

namespace {

// Keys from a vector.
struct GivenKeys {
    const std::vector<std::uint64_t>& keys;
    int key_bits;

    std::size_t rows() const { return keys.size(); }
    int bits() const { return key_bits; }
    int leading(std::size_t begin, std::span<std::uint64_t> target, int wanted) const {
        const int bits = std::min(key_bits, wanted + 3); // a few more than wanted, as with columns
        for (std::size_t i = 0; i < target.size(); ++i)
            target[i] = keys[begin + i] >> (key_bits - bits);
        return bits;
    }
    void weights(std::size_t begin, std::span<std::uint64_t> target) const {
        for (std::size_t i = 0; i < target.size(); ++i)
            target[i] = weight_of(keys[begin + i]);
    }
    static std::uint64_t weight_of(std::uint64_t key) { return key % 7; }
};

using Counted = std::map<std::uint64_t, std::uint64_t>;

// Whether a walk meets these keys, ascending, with these counts.
bool walks(SortedRows& sorted, const Counted& expected) {
    auto next = expected.begin();
    bool right = true;
    sorted.each([&](std::uint64_t key, std::uint64_t count) {
        right = right && next != expected.end() && next->first == key && next->second == count;
        next = right ? std::next(next) : next;
    });
    return right && next == expected.end();
}

} // namespace

TEST_CASE("rows are sorted, and equal ones counted") {
    std::mt19937_64 random(4);
    SortedRows sorted; // one for all cases: nothing of an earlier case may remain
    // All sizes of buckets; keys that share their upper or lower digits; weights that move with their keys.
    for (const std::size_t n : {0, 1, 2, 63, 65, 300, 1023, 1025, 2048, 2049, 5000, 40000})
        for (const int bits : {1, 7, 8, 9, 16, 17, 34, 38, 39, 63, 64})
            for (const int differing : {64, 20, 3}) { // bits
                std::vector<std::uint64_t> keys(n);
                for (std::uint64_t& key : keys)
                    key = (differing == 64 ? random()
                                           : random() % (std::uint64_t{1} << differing) * 0x9e3779b97f4a7c15u) &
                          ~std::uint64_t{0} >> (64 - bits);
                for (const bool weighted : {false, true}) {
                    Counted expected;
                    for (const std::uint64_t key : keys)
                        expected[key] += weighted ? GivenKeys::weight_of(key) : 1;
                    sorted.assign(GivenKeys{keys, bits}, weighted);
                    CHECK(walks(sorted, expected));
                    CHECK(walks(sorted, expected)); // a second time
                }
            }
}
