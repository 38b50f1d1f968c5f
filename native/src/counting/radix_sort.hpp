// Radix sort of keys, with or without a weight carried along.
//
// From the top: by the highest digit into buckets, until what lies in a bucket stays in the first-level cache; that is
// then sorted from the lowest digit up. Keys leave the cache once, not once per digit.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

namespace bitsep {

inline constexpr std::size_t cached_rows = 2048; // what stays in the cache while it is sorted

template <class Key, bool Weighted>
class RadixSort {
public:
    struct Rows {
        Key* keys;
        std::uint64_t* weights; // nullptr where there are none

        Rows from(std::size_t row) const { return {keys + row, Weighted ? weights + row : nullptr}; }
    };

    // Sorts n rows, which agree but for the lowest `bits` of their keys. The result is in `rows` or in `other`, as
    // told.
    static Rows sorted(Rows rows, Rows other, std::size_t n, int bits) {
        if (is_large(n, bits)) {
            downwards(rows, other, rows, n, bits);
            return rows;
        }
        return at_once(rows, other, n, bits);
    }

private:
    static constexpr std::size_t few = 64;              // rows
    static constexpr int low_digit = 8, top_digit = 10; // bits, at most

    static bool is_large(std::size_t n, int bits) {
        return n > cached_rows && bits > 0 && (bits > 2 * low_digit || n > 0xffffffffu);
    }

    static void move(Rows from, std::size_t row, Rows to, std::size_t slot) {
        to.keys[slot] = from.keys[row];
        if constexpr (Weighted)
            to.weights[slot] = from.weights[row];
    }

    static void copy(Rows from, Rows to, std::size_t n) {
        std::copy_n(from.keys, n, to.keys);
        if constexpr (Weighted)
            std::copy_n(from.weights, n, to.weights);
    }

    // target: `rows` or `other`.
    static void downwards(Rows rows, Rows other, Rows target, std::size_t n, int bits) {
        // Buckets that fit the cache, if keys are spread evenly; others are divided again.
        const int wanted = static_cast<int>(std::bit_width(2 * n / cached_rows));
        const int digit = std::min({wanted, top_digit, bits}), shift = bits - digit;
        const std::uint64_t mask = (std::uint64_t{1} << digit) - 1;
        std::array<std::size_t, (std::size_t{1} << top_digit) + 1>
            end{}; // first where buckets begin, then where they end
        for (std::size_t row = 0; row < n; ++row)
            ++end[((rows.keys[row] >> shift) & mask) + 1];
        for (std::size_t bucket = 0; bucket < mask; ++bucket)
            end[bucket + 1] += end[bucket];
        for (std::size_t row = 0; row < n; ++row)
            move(rows, row, other, end[(rows.keys[row] >> shift) & mask]++);
        for (std::size_t bucket = 0, begin = 0; bucket <= mask; begin = end[bucket++]) {
            const std::size_t size = end[bucket] - begin;
            const Rows here = other.from(begin), there = rows.from(begin), wanted_in = target.from(begin);
            if (is_large(size, shift))
                downwards(here, there, wanted_in, size, shift);
            else if (const Rows found = at_once(here, there, size, shift); found.keys != wanted_in.keys)
                copy(found, wanted_in, size);
        }
    }

    static Rows at_once(Rows rows, Rows other, std::size_t n, int bits) {
        if (n <= few && !Weighted)
            std::sort(rows.keys, rows.keys + n);
        else if (n > 1)
            return upwards(rows, other, n, bits);
        return rows;
    }

    static Rows upwards(Rows rows, Rows other, std::size_t n, int bits) {
        constexpr std::size_t buckets = std::size_t{1} << low_digit;
        const auto passes = static_cast<std::size_t>((bits + low_digit - 1) / low_digit);
        std::array<std::array<std::uint32_t, buckets>, 8 * sizeof(Key) / low_digit> counts; // all digits in one go
        std::fill_n(counts.begin(), passes, std::array<std::uint32_t, buckets>{});
        for (std::size_t row = 0; row < n; ++row)
            for (std::size_t pass = 0; pass < passes; ++pass)
                ++counts[pass][(rows.keys[row] >> (pass * low_digit)) & (buckets - 1)];
        for (std::size_t pass = 0; pass < passes; ++pass) {
            auto& next = counts[pass];
            const std::size_t shift = pass * low_digit;
            if (next[(rows.keys[0] >> shift) & (buckets - 1)] == n)
                continue; // all in one bucket
            std::uint32_t sum = 0;
            for (std::uint32_t& count : next)
                sum += std::exchange(count, sum);
            for (std::size_t row = 0; row < n; ++row)
                move(rows, row, other, next[(rows.keys[row] >> shift) & (buckets - 1)]++);
            std::swap(rows, other);
        }
        return rows;
    }
};

} // namespace bitsep
