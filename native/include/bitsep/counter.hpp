// Counting one test: from columns to the strata of X × Y given Z, by the cheapest of three ways.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bitsep/kernels.hpp"
#include "bitsep/statistic.hpp"
#include "bitsep/table.hpp"

namespace bitsep {

struct SortedCells;

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

    // Adds the counts of all cells [strata of Z][x][y] to `cells`, whose size is the product of the domain sizes: what
    // a backend needs that counts a large table chunk by chunk.
    void add_dense(std::size_t x, std::size_t y, std::span<const std::int32_t> z, std::span<std::int64_t> cells);

    // The way the cost model takes for these variables.
    Way choose(std::size_t x, std::size_t y, std::span<const std::int32_t> z) const;

private:
    using Variables = std::span<const std::int32_t>;

    // The dense ways fill a table [strata of Z][x][y]; the cache may know it already.
    void test_dense(Accumulator& sums, std::size_t x, std::size_t y, Variables z, Way way, bool use_cache);
    void by_bitmaps(std::size_t x, std::size_t y, Variables z, bool use_cache, Accumulator* sums);
    template <class Count>
    void by_row_scan(std::vector<Count>& cells, std::size_t x, std::size_t y, Variables z);
    SortedCells by_sorting(std::size_t x, std::size_t y, Variables z); // looks at the buffers below
    std::int64_t count_observed_pairs(std::size_t x, std::size_t y, Variables z);

    // Cells of a cached table over `sorted`, in the order of the variables `order` (a permutation of it).
    void permute(const JointTable& table, Variables sorted, Variables order, std::vector<std::uint32_t>& cells) const;
    // The cached counts of these variables in this order, if there are any.
    bool recall(Variables order, std::vector<std::uint32_t>& cells) const;
    void remember(Variables order, const std::vector<std::uint32_t>& cells) const;

    struct Descent; // the recursion over strata
    struct Layout;
    bool take_rows(const Layout& layout, std::size_t strata, std::size_t x, std::size_t y, Variables z, bool use_cache);
    bool take_columns(const Layout& layout, std::size_t strata, std::size_t x, std::size_t y, Variables z,
                      bool use_cache);
    template <class Put>
    bool take_margin(std::size_t strata, std::size_t stride, std::size_t variable, Variables z, bool use_cache,
                     Put&& put);

    const Table& table_;
    const Kernel& kernel_;
    RegretOfRows regrets_;
    // Buffers, reused from test to test.
    Words masks_;
    std::size_t mask_words_ = 0;
    std::vector<std::uint32_t> cells_, margin_; // dense tables of counts below 2^32
    std::vector<std::uint64_t> weighted_cells_; // dense table with weights
    std::vector<std::uint32_t> index_;
    std::vector<std::size_t> strides_; // strata below one level of each Z
    std::vector<std::uint64_t> keys_, other_keys_, weights_, other_weights_, pairs_;
};

// Feeds occupied cells, in canonical order, to a statistic: the path of counts made elsewhere.
void accumulate(Accumulator& sums, std::span<const std::int64_t> stratum, std::span<const std::int64_t> x,
                std::span<const std::int64_t> y, std::span<const std::int64_t> count);

// The same from a dense table [strata of Z][x][y].
void accumulate_dense(Accumulator& sums, std::span<const std::int64_t> cells, std::size_t kx, std::size_t ky);

} // namespace bitsep
