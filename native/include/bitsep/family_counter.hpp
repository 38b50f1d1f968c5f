// Scores of families of one variable whose sets of parents are neighbors: what they share is counted once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bitsep/counter.hpp"
#include "bitsep/families.hpp"

namespace bitsep {

class CellBitmaps;

// Families of one variable whose parents are a set that they share and one more each; or a single family.
struct FamilyRun {
    std::size_t begin, end; // among the families
    std::vector<std::int32_t> shared;
};

// Divides families into runs; families of the same run follow each other.
std::vector<FamilyRun> find_runs(const Families& families);

// Holds the buffers, so each thread has its own.
class FamilyCounter {
public:
    explicit FamilyCounter(const Table& table);
    ~FamilyCounter();

    // Before the families of a batch: uses the present cache of counts of the table.
    void begin();

    // Scores the families of a run, into the places that they have among all.
    void score(const Score& score, const Families& families, const FamilyRun& run, std::span<Score::Length> lengths);

private:
    using Variables = std::span<const std::int32_t>;

    // The parents that the families of a run add to the shared ones.
    void find_added(const Families& families, const FamilyRun& run);
    // Finds the cells (stratum, y) of the shared parents as bitmaps; false if that is slower than row by row.
    bool find_bitmaps(std::size_t y, Variables set);
    // Numbers the strata of a set that occur, and the cells (stratum, y) of all rows. Rows that miss a value are in one
    // more stratum, the last.
    void find_cells(std::size_t y, Variables set);
    void number_strata();
    // `shared`: the product of the domain sizes of the shared set.
    bool has_small_tables(Variables set, std::size_t levels_y) const;
    bool may_share(const FamilyRun& run, std::size_t y, double shared) const;
    bool has_few_cells(std::size_t x) const;
    Score::Length score_one_more(const Score& score, std::size_t y, double shared, std::size_t x);
    Score::Length score_table(const Score& score, std::size_t y, double parents, std::size_t strata) const;

    const Table& table_;
    std::optional<Counter> counter_;
    std::unique_ptr<CellBitmaps> bitmaps_;
    std::vector<std::size_t> added_;
    std::vector<std::uint32_t> cell_;   // by row; while strata are numbered, the stratum
    std::size_t strata_ = 0;            // without that of the rows that miss a value
    std::vector<std::uint32_t> counts_; // by cell
    std::vector<std::uint32_t> number_; // by stratum, while strata are numbered
    std::vector<std::uint32_t> cells_;  // of the family that is scored
};

} // namespace bitsep
