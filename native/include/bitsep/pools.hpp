// The book-keeping of a skeleton: what to ask about the pairs that are still joined, and what became of them.
//
// Pairs x < y go by their number in the list of all pairs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bitsep/engine.hpp"

namespace bitsep {

// Pairs and their pools, flat (see Tasks in engine.hpp).
struct Pools {
    std::vector<std::int64_t> pair;
    std::vector<std::int32_t> x, y;
    std::vector<std::int64_t> first_offsets{0}, second_offsets{0};
    std::vector<std::int32_t> first, second;
    std::size_t end = 0; // the pairs before it have been looked at
};

// For the pairs from place `begin` on: the members of x without y, and of y without x, ascending. `pool` is a square
// matrix, pool[v][u] != 0 where u is in the pool of v. Pairs neither of whose pools holds `size` variables are left
// out. Stops early once the pools hold `most` entries together.
Pools pools_of_pairs(std::span<const std::uint8_t> pool, std::span<const std::int64_t> pairs, std::size_t size,
                     std::size_t begin, std::size_t most);

// What a skeleton knows of its pairs; memory of the caller.
struct PairBook {
    std::span<std::uint8_t> adjacent;      // square matrix
    std::span<std::int32_t> separated_in;  // per pair: the batch that separated it,
    std::span<std::int32_t> separated_row; // and the place there
};

// Notes which of the pairs a batch separated; returns the others.
std::vector<std::int64_t> settle_pairs(const PairBook& book, std::int32_t batch, std::span<const std::int64_t> pairs,
                                       std::span<const std::uint8_t> separated);

// The v-structures a → c ← b, a < b: a and b are not adjacent, c is adjacent to both, and does not belong to what
// separated them. Rows of (a, c, b), ascending by a, b, c. separators[i]: the sets of batch i, by place; pairs that no
// batch separated are left out.
std::vector<std::int32_t> unshielded_colliders(const PairBook& book, std::span<const Ragged> separators);

} // namespace bitsep
