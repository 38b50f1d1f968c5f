// Counting one test: from columns to the strata of X × Y given Z, by the cheapest of three ways.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bitsep/kernels.hpp"
#include "bitsep/statistic.hpp"
#include "bitsep/table.hpp"

namespace bitsep {

// Occupied cells in canonical order: by stratum (lexicographic in Z), then x, then y.
struct Counts {
    std::vector<std::int64_t> stratum, x, y, count;
    std::int64_t strata = 0;
};

// How a test is counted. `automatic` lets the cost model choose; the others are for tests and benchmarks.
enum class Way { automatic, bitmaps, row_scan, sparse };

// Counts tests on one table. Holds the buffers, so each thread has its own.
class Counter {
public:
    explicit Counter(const Table& table) : table_(table), kernel_(active_kernel()) {}

    // x != y, neither in z; z ascending and without repeats.
    Record test(const Test& test, std::size_t x, std::size_t y, std::span<const std::int32_t> z,
                Way way = Way::automatic);

    Counts counts(std::size_t x, std::size_t y, std::span<const std::int32_t> z);

    // The way the cost model takes for these variables.
    Way choose(std::size_t x, std::size_t y, std::span<const std::int32_t> z) const;

private:
    void by_bitmaps(Accumulator& sums, std::size_t x, std::size_t y, std::span<const std::int32_t> z);
    template <class Count>
    void by_row_scan(Accumulator& sums, std::size_t x, std::size_t y, std::span<const std::int32_t> z);
    void by_sorting(std::size_t x, std::size_t y, std::span<const std::int32_t> z);
    std::int64_t count_observed_pairs(std::size_t x, std::size_t y, std::span<const std::int32_t> z);

    struct Descent; // the recursion over strata
    struct Layout;

    const Table& table_;
    const Kernel& kernel_;
    RegretOfRows regrets_;
    // Buffers, reused from test to test.
    Words masks_;
    std::size_t mask_words_ = 0;
    std::vector<std::uint32_t> strata_;      // bitmaps: counts of all strata
    std::vector<std::uint32_t> small_cells_; // row scan, counts below 2^32
    std::vector<std::uint64_t> large_cells_; // row scan with weights
    std::vector<std::uint32_t> index_;
    std::vector<std::uint64_t> keys_, other_keys_, weights_, other_weights_;
    struct SparseCell {
        std::int64_t stratum, x, y;
        std::uint64_t count;
    };
    std::vector<SparseCell> cells_;
};

// Feeds occupied cells, in canonical order, to a statistic: the path of counts made elsewhere.
void accumulate(Accumulator& sums, std::span<const std::int64_t> stratum, std::span<const std::int64_t> x,
                std::span<const std::int64_t> y, std::span<const std::int64_t> count);

} // namespace bitsep
