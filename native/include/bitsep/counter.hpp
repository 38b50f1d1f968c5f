// Counting one test: from columns to the strata of X × Y given Z, by the cheapest of four ways.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "bitsep/counts.hpp"
#include "bitsep/kernels.hpp"
#include "bitsep/score.hpp"
#include "bitsep/table.hpp"
#include "bitsep/test.hpp"

namespace bitsep {

struct SortedCells;
class SortedRows;
class StratumBuilder;

// Occupied cells in canonical order: by stratum (lexicographic in Z), then x, then y.
struct Counts {
    std::vector<std::int64_t> stratum, x, y, count;
};

// How a test is counted. `automatic` lets the cost model choose; the others are for tests and benchmarks.
enum class Way { automatic, margins, bitmaps, row_scan, sort };
inline constexpr std::array<std::string_view, 5> way_names{"automatic", "margins", "bitmaps", "row_scan", "sort"};

// Counts tests on one table. Holds the buffers, so each thread has its own.
class Counter {
public:
    explicit Counter(const Table& table);
    ~Counter();

    // x != y, neither in z; z ascending and without repeats.
    Record test(const Test& test, std::size_t x, std::size_t y, std::span<const std::int32_t> z,
                Way way = Way::automatic);

    // parents ascending, without y and without repeats.
    Score::Length score(const Score& score, std::size_t y, std::span<const std::int32_t> parents);

    Counts counts(std::size_t x, std::size_t y, std::span<const std::int32_t> z);

    // Adds the counts of all cells [strata of Z][x][y] to `cells`, whose size is the product of the domain sizes: what
    // a backend needs that counts a large table chunk by chunk.
    void add_dense(std::size_t x, std::size_t y, std::span<const std::int32_t> z, std::span<std::int64_t> cells);

    // The way the cost model takes for these variables, or the margins wherever they are possible.
    Way choose(std::size_t x, std::size_t y, std::span<const std::int32_t> z, bool margins_if_possible = false) const;

private:
    using Variables = std::span<const std::int32_t>;

    // A variable of a dense table: how many of its levels are visited, from the first, and how far apart their cells
    // are.
    struct Axis {
        const Column* column = nullptr;
        int visited = 0;
        std::size_t stride = 0;
        double strata = 0; // of the variables from this one on
    };

    // By bitmaps: adds the counts of all strata of `given`. Of x and y all but the last levels are visited; see
    // StratumCounts about margins.
    struct Descent; // the recursion over strata
    void count_strata(std::span<Axis> given, const Axis& x, const Axis& y, std::uint32_t* cells, bool margins);

    // Counts of a set of variables, ascending, the last one running fastest and missing values as one more level: from
    // the cache, else by counting them into it. nullptr where it is full.
    const std::uint32_t* joint_counts(Variables set);
    const std::uint32_t* count_joint(Variables set, const CountCache::Key& key);
    void count_inner(Variables set, const std::size_t* stride, std::uint32_t* cells);
    // The same by a scan of the rows, where no value is missing.
    const std::uint32_t* scan_joint(Variables set);
    // The counts of a test's variables, ascending: from the cache, or counted into it where that is the cheapest way;
    // nullptr where it is not, or the cache is full.
    const std::uint32_t* cached_or_count(Variables set, std::size_t x, std::size_t y, Variables z, Way way);
    // The counts of a test inside those of its set.
    struct CachedCounts {
        CachedCounts(const Table& table, const std::uint32_t* cells, Variables set, std::size_t x, std::size_t y);
        CachedCounts(const CachedCounts&) = delete; // counts.given points into this object
        CachedCounts& operator=(const CachedCounts&) = delete;

        std::array<DenseCounts<std::uint32_t>::Given, CountCache::max_variables> given;
        DenseCounts<std::uint32_t> counts{};
    };

    // Fill cells_ or `cells`, a table [strata of Z][x][y].
    void by_bitmaps(std::size_t x, std::size_t y, Variables z);
    template <class Count>
    void by_row_scan(std::vector<Count>& cells, std::size_t x, std::size_t y, Variables z);
    SortedCells by_sorting(std::size_t x, std::size_t y, Variables z); // refers to sorted_
    // use(cells) of such a table: counted by bitmaps where the way is bitmaps or margins, else by a scan of the rows.
    template <class Use>
    auto with_dense(std::size_t x, std::size_t y, Variables z, Way way, Use&& use);
    // use(counts, sizes) with the counts of x and y in the strata of z.
    template <class Use>
    auto with_counts(std::size_t x, std::size_t y, Variables z, Way way, Use&& use);

    const Table& table_;
    const Kernel& kernel_;
    std::shared_ptr<CountCache> cache_;
    CountCache::Writer writer_;
    // Buffers, reused from test to test.
    Words masks_;
    std::size_t mask_words_ = 0;
    std::vector<Axis> axes_;
    std::vector<std::uint32_t> cells_;          // dense table of counts below 2^32
    std::vector<std::uint64_t> weighted_cells_; // dense table with weights
    std::vector<std::uint32_t> index_;
    std::unique_ptr<SortedRows> sorted_;
    std::unique_ptr<StratumBuilder> builder_;
};

// A test or score on counts made elsewhere: occupied cells in canonical order, or a dense table [strata of Z][x][y].
Record test_cells(const Test& test, const Sizes& sizes, std::span<const std::int64_t> stratum,
                  std::span<const std::int64_t> x, std::span<const std::int64_t> y,
                  std::span<const std::int64_t> count);
Record test_table(const Test& test, const Sizes& sizes, std::span<const std::int64_t> cells);
Score::Length score_cells(const Score& score, const Sizes& sizes, std::span<const std::int64_t> stratum,
                          std::span<const std::int64_t> x, std::span<const std::int64_t> y,
                          std::span<const std::int64_t> count);
Score::Length score_table(const Score& score, const Sizes& sizes, std::span<const std::int64_t> cells);

} // namespace bitsep
