// LSD radix sort of 64-bit keys, with or without a weight carried along; touches only the digits that are in use.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace bitsep {

// Sorts `keys` (all at most `largest`), and `weights` with them where it is not empty. The other two are scratch.
inline void radix_sort(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& scratch,
                       std::vector<std::uint64_t>& weights, std::vector<std::uint64_t>& weight_scratch,
                       std::uint64_t largest) {
    const std::size_t n = keys.size();
    if (n < 256 && weights.empty()) {
        std::sort(keys.begin(), keys.end());
        return;
    }
    constexpr int digit_bits = 11;
    constexpr std::size_t buckets = std::size_t{1} << digit_bits;
    const auto bits = static_cast<int>(std::bit_width(largest));
    scratch.resize(n);
    weight_scratch.resize(weights.size());
    for (int shift = 0; shift < bits; shift += digit_bits) {
        std::array<std::size_t, buckets> begin{};
        for (const std::uint64_t key : keys)
            ++begin[(key >> shift) & (buckets - 1)];
        std::size_t sum = 0;
        bool one_bucket = false;
        for (std::size_t& slot : begin) {
            one_bucket |= slot == n;
            const std::size_t size = slot;
            slot = sum;
            sum += size;
        }
        if (one_bucket)
            continue;
        if (weights.empty()) {
            for (const std::uint64_t key : keys)
                scratch[begin[(key >> shift) & (buckets - 1)]++] = key;
        } else {
            for (std::size_t i = 0; i < n; ++i) {
                const std::size_t slot = begin[(keys[i] >> shift) & (buckets - 1)]++;
                scratch[slot] = keys[i];
                weight_scratch[slot] = weights[i];
            }
            weights.swap(weight_scratch);
        }
        keys.swap(scratch);
    }
}

} // namespace bitsep
