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
    // As few passes as digits of at most 11 bits allow, all of the same width: the buckets' heads then stay in cache.
    const auto bits = static_cast<int>(std::bit_width(largest));
    const int passes = std::max(1, (bits + 10) / 11), width = (bits + passes - 1) / passes;
    const std::size_t buckets = std::size_t{1} << width;
    std::vector<std::size_t> heads(static_cast<std::size_t>(passes) * buckets);
    for (const std::uint64_t key : keys) // all histograms in one pass
        for (int pass = 0; pass < passes; ++pass)
            ++heads[static_cast<std::size_t>(pass) * buckets + ((key >> (pass * width)) & (buckets - 1))];
    scratch.resize(n);
    weight_scratch.resize(weights.size());
    for (int pass = 0; pass < passes; ++pass) {
        std::size_t* head = heads.data() + static_cast<std::size_t>(pass) * buckets;
        const int shift = pass * width;
        if (head[(keys[0] >> shift) & (buckets - 1)] == n)
            continue; // all in one bucket
        std::size_t sum = 0;
        for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
            const std::size_t size = head[bucket];
            head[bucket] = sum;
            sum += size;
        }
        if (weights.empty()) {
            for (const std::uint64_t key : keys)
                scratch[head[(key >> shift) & (buckets - 1)]++] = key;
        } else {
            for (std::size_t i = 0; i < n; ++i) {
                const std::size_t slot = head[(keys[i] >> shift) & (buckets - 1)]++;
                scratch[slot] = keys[i];
                weight_scratch[slot] = weights[i];
            }
            weights.swap(weight_scratch);
        }
        keys.swap(scratch);
    }
}

} // namespace bitsep
