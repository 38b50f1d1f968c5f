// Costs of families, computed in batches and remembered.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "bitsep/graph_search.hpp"
#include "family_index.hpp"

namespace bitsep {

// A score with the bits of the structure, in units of a power of two of bits: sums are exact, and costs that are equal
// but for rounding tie.
using Cost = std::int64_t;

// A family that encodes fewer rows than its variable has values in, because parents have missing values there, counts
// with its bits per row times the rows of the variable, and a charge: the average over other rows differs by chance,
// with a standard error of about one bit times the square root of the rows missing over those encoded. Without the
// charge parents are chosen because the rows in which they have values happen to be easy to encode.
class FamilyCosts {
public:
    static constexpr Cost unknown = INT64_MIN;
    static constexpr double missing_standard_errors = 4; // that are charged; bitsep.scores.families has it, too

    FamilyCosts(const GraphRules& rules, std::uint64_t rows, const ScoreFamilies& score);

    // The cost of a variable with these parents, ascending; `unknown` if it is not computed yet: then it is wanted. The
    // reference stays valid, and is to the cost once that is computed.
    const Cost& get(std::int32_t variable, std::span<const std::int32_t> parents);
    // Computes all wanted costs; false: the search must stop.
    bool compute();

    // The result of a search that ends with these parents; their costs must be known.
    DagFound found(std::vector<std::vector<std::int32_t>> parents);

    double bits(Cost cost) const { return static_cast<double>(cost) * unit_; }
    std::size_t computed() const { return computed_; }

    // From now on, adds up the rows of families whose tables have more than 2^14 cells, by the domain sizes of the
    // variables: neither bitmaps nor the cache of counts serve them.
    void watch(std::span<const double> domain_sizes) { domain_sizes_ = domain_sizes; }
    double rows_of_large_tables() const { return rows_of_large_tables_; }

private:
    bool has_large_table(std::int32_t variable, std::span<const std::int32_t> parents) const;
    double scaled(const Score::Length& length, double observed, std::size_t parents) const;
    Cost cost_of(double bits) const;

    const GraphRules& rules_;
    double rows_, unit_;
    const ScoreFamilies& score_;
    FamilyIndex families_;
    std::deque<Cost> costs_;                        // of these families
    std::vector<double> observed_;                  // rows in which each variable has a value
    std::vector<std::int32_t> variables_, parents_; // of the wanted families
    std::vector<std::int64_t> offsets_{0};
    std::vector<Cost*> wanted_; // where their costs belong
    std::size_t computed_ = 0;
    std::span<const double> domain_sizes_;
    double rows_of_large_tables_ = 0;
};

} // namespace bitsep
