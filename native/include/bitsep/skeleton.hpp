// The skeleton of PC-stable (Colombo & Maathuis 2014): which pairs no set of neighbours separates.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bitsep/engine.hpp"

namespace bitsep {

// What was asked at once, given sets of one size, and the answers. Pairs x < y go by their number in the list of all.
struct Batch {
    std::size_t size = 0;
    std::vector<std::int64_t> pairs;
    Answers found;
};

// Starts with all pairs joined and removes, size by size, those that a set of neighbours separates. Neighbours are
// frozen while sets of one size are tried, so the outcome does not depend on the order of the pairs.
class SkeletonSearch {
public:
    using Matrix = std::vector<std::uint8_t>; // square, row by row

    // Answers all tasks; false stops the search.
    using Separate = std::function<bool(const Tasks& tasks, Answers& found)>;

    // Pairs in `untested` are not asked about: those in `excluded` have no edge, the others have one. not_parent[z][x]
    // keeps z out of the sets drawn from the neighbours of x. Each may be empty. Sets have up to `max_given` variables;
    // the pools of one batch would hold up to `most` entries together, which bounds memory where they are written down.
    SkeletonSearch(std::size_t variables, const Matrix& untested, const Matrix& excluded, Matrix not_parent,
                   std::size_t max_given, std::size_t most);

    // False where `separate` asked to stop.
    bool run(const Separate& separate);

    std::size_t variables() const { return n_; }
    std::span<const std::uint8_t> adjacent() const { return adjacent_; }
    std::span<const Batch> batches() const { return batches_; }
    std::int64_t tests() const { return tests_; }

    // The v-structures a → c ← b, a < b: a and b are not adjacent, c is adjacent to both, and does not belong to what
    // separated them. Rows of (a, c, b), ascending by a, b, c. Pairs that were not asked about are left out.
    std::vector<std::int32_t> colliders() const;

private:
    Matrix pool_matrix() const;
    struct Pairs {
        std::vector<std::int64_t> numbers;
        std::vector<std::int32_t> x, y;
    };
    // The next pairs, from `place` among the open ones on, of which a pool holds at least `size` variables. offsets:
    // where the pool of each variable begins and ends.
    Pairs next_pairs(const Matrix& pool, std::span<const std::int64_t> offsets, std::size_t size,
                     std::size_t& place) const;
    void settle(const Batch& batch, std::vector<std::int64_t>& joined);

    std::size_t n_, max_given_, most_;
    Matrix not_parent_, adjacent_;
    std::vector<std::int64_t> open_; // pairs that may still be separated, ascending
    std::vector<Batch> batches_;
    std::int64_t tests_ = 0;
    struct Place {
        std::int32_t batch = -1, row = 0;
    };
    std::vector<Place> separated_; // per pair, where its separator stands
};

} // namespace bitsep
