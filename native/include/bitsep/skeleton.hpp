// The skeleton of PC-stable (Colombo & Maathuis 2014): which pairs no set of neighbors separates.
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

// Starts with all pairs joined and removes, size by size, those that a set of neighbors separates. Neighbors are
// frozen while sets of one size are tried, so the outcome does not depend on the order of the pairs.
class SkeletonSearch {
public:
    using Matrix = std::vector<std::uint8_t>; // square, row by row

    // Answers all tasks; false stops the search.
    using Separate = std::function<bool(const Tasks& tasks, Answers& found)>;

    // Pairs in `untested` are not asked about: those in `excluded` have no edge, the others have one. not_parent[z][x]
    // keeps z out of the sets drawn from the neighbors of x. Each may be empty. Sets have up to `max_given` variables;
    // the pools of one batch would hold up to `most` entries together, which bounds memory where they are written down.
    // A pair is separated by the first set found or, unless stop_at_first, by the set of this size with the lowest
    // score.
    SkeletonSearch(std::size_t variables, const Matrix& untested, const Matrix& excluded, Matrix not_parent,
                   std::size_t max_given, std::size_t most, bool stop_at_first);

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
    // A pair, x < y, that nothing has separated yet. Settled: it is not asked about (any more).
    struct Edge {
        std::int32_t x, y;
        bool settled;
    };
    // Which variables sets are drawn from, for each variable among its neighbors, ascending.
    struct Pools {
        Pools(const SkeletonSearch& search, std::size_t size);
        std::vector<std::int64_t> offsets;
        std::vector<std::int32_t> items;
    };
    // What is asked at once.
    struct Pairs {
        std::vector<std::int64_t> numbers;
        std::vector<std::int32_t> x, y;
    };
    // From `place` among the edges on, those of which a pool holds at least `size` variables; the others are settled.
    Pairs next_pairs(const Pools& pools, std::size_t size, std::size_t& place);
    // Notes which pairs of a batch were separated, and where.
    void settle(const Batch& batch, const Pairs& pairs);
    // At the end of a level: edges that were separated stay among the others until then.
    void drop_separated();

    bool joins(const Edge& edge) const { return adjacent_[place_of(edge.x, edge.y)] != 0; }
    bool may_be_given(std::int32_t z, std::int32_t x) const {
        return not_parent_.empty() || not_parent_[place_of(z, x)] == 0;
    }
    std::size_t place_of(std::int32_t row, std::int32_t column) const {
        return static_cast<std::size_t>(row) * n_ + static_cast<std::size_t>(column);
    }
    // In the list of all pairs.
    std::int64_t number_of(std::int32_t x, std::int32_t y) const {
        return std::int64_t{x} * (2 * static_cast<std::int64_t>(n_) - x - 1) / 2 + y - x - 1;
    }

    std::size_t n_, max_given_, most_;
    bool stop_at_first_;
    Matrix not_parent_, adjacent_;
    std::vector<Edge> edges_; // ascending
    std::vector<Batch> batches_;
    std::int64_t tests_ = 0;
    struct Place {
        std::int32_t batch = -1, row = 0;
    };
    std::vector<Place> separated_; // per pair, where its separator stands
};

} // namespace bitsep
