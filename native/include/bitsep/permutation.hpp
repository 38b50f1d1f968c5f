// Permutation tests: the p-value of any test among tables with the same margins in every stratum.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bitsep/test.hpp"

namespace bitsep {

// Random tables with the margins of given strata. Strata with few rows per cell are shuffled; in the others each cell
// comes from the hypergeometric distribution that the cells before it leave (Patefield 1981). The stream of random
// numbers depends on the seed and the margins; names and the order of levels, strata, X and Y change nothing but the
// labels of levels with equal counts.
class PermutedTables {
public:
    struct Margin {
        std::uint64_t count;
        std::int64_t level;
    };
    explicit PermutedTables(std::uint64_t seed) : seed_(seed) {}

    // The occupied margins of the next stratum.
    void add(std::vector<Margin> rows, std::vector<Margin> columns);
    // After the last stratum, before the first draw. For dense tables: the number of levels of X and Y.
    void start();
    void start(std::int64_t kx, std::int64_t ky);

    struct Cell {
        std::int64_t stratum, x, y;
        std::uint64_t count;
    };
    // The occupied cells of the next table, in no particular order; valid until the next draw.
    std::span<const Cell> draw();
    // The counts of the next table, kx · ky of each stratum; the same tables.
    void draw(std::span<std::uint64_t> dense);

private:
    struct Stratum {
        std::int64_t number;
        std::vector<Margin> rows, columns; // descending
        // Where they are shuffled: where the counts of each row are, and the column of each row of the data in them.
        std::vector<std::uint32_t> row_places, places;
    };
    void draw(Stratum& stratum, std::uint64_t* counts);
    std::size_t row_place(const Stratum& stratum, std::size_t row) const;
    std::size_t column_place(const Stratum& stratum, std::size_t column) const;
    void shuffle(Stratum& stratum, std::uint64_t* counts);
    void fill(const Stratum& stratum, std::uint64_t* counts);
    void keep(const Stratum& stratum, const std::uint64_t* counts);
    std::uint64_t hypergeometric(std::uint64_t total, std::uint64_t marked, std::uint64_t drawn);
    std::uint64_t next();
    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

    std::uint64_t seed_, state_ = 0;
    bool swapped_ = false;
    std::vector<Stratum> strata_;
    std::int64_t kx_ = 0, ky_ = 0; // of dense tables
    std::vector<Cell> cells_;
    std::vector<std::uint64_t> counts_; // of a stratum
    std::vector<std::uint64_t> rest_;   // of the columns of a stratum
};

struct PermutationSettings {
    std::uint32_t draws;
    std::uint64_t seed = 0;
    // Stop as soon as the verdict is certain to be "independent": once max(20, floor(alpha (1 + draws))) tables have a
    // score as high as the observed one. The verdict is that of all draws.
    bool sequential = false;
};

inline constexpr std::uint32_t most_draws = 1'000'000;

// The number of tables with a score as high at which a sequential test stops.
std::uint32_t enough_exceedances(const PermutationSettings& settings, double alpha);

// p = (1 + tables with a score at least as high) / (1 + tables drawn), compared with alpha (default .05). Throws
// std::invalid_argument where draws is 0 or larger than most_draws, or alpha is not a probability.
std::unique_ptr<const Test> permutation_test(std::unique_ptr<const Test> test, std::optional<double> alpha,
                                             const PermutationSettings& settings);

} // namespace bitsep
