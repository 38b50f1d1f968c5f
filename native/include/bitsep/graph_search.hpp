// Searches for the DAG with the lowest cost: what they share.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bitsep/families.hpp"

namespace bitsep {

// Computes the score of every family; false stops the search.
using ScoreFamilies = std::function<bool(const Families& families, std::span<Score::Length> lengths)>;

// What a search may do.
struct GraphRules {
    std::size_t variables = 0;
    // Bits that a number of parents costs besides the score: one entry for each number that is allowed, from 0 on.
    std::vector<double> structure_bits;
    std::vector<std::uint8_t> forbidden;             // [a, y] is 1: a is not a parent of y; empty: all may be
    std::vector<std::vector<std::int32_t>> required; // the parents that every set of a variable contains, ascending
    double min_effect = 0; // bits that every parent costs for each row in which its child has a value

    std::size_t max_parents() const { return structure_bits.size() - 1; }
    bool allows(std::int32_t a, std::int32_t y) const {
        return a != y && (forbidden.empty() ||
                          forbidden[static_cast<std::size_t>(a) * variables + static_cast<std::size_t>(y)] == 0);
    }
};

struct DagFound {
    std::vector<std::vector<std::int32_t>> parents; // by variable, ascending
    std::vector<double> bits;                       // by variable, with the bits of the structure
    std::size_t scores = 0;                         // how many were computed
};

struct OrderSettings {
    // Local searches, each from the best DAG so far; the first is that of hill climbing. They end early if several in
    // turn find no better one.
    std::size_t starts = 1;
    std::uint64_t seed = 0;
    std::size_t exact_variables = 8; // up to this number of variables the best of all DAGs is found instead
    // Of each variable. Families with large tables are slow to count: no further starts begin once a certain number of
    // their rows has been counted. Empty: there is no such limit.
    std::vector<double> domain_sizes = {};
};

// Search over orders of the variables (BOSS: Andrews, Ramsey, Sánchez-Romero, Camchong & Kummerfeld 2023). `rows` is
// the number of rows of the data, with weights their sum. The tick is called with finished and all starts. Returns
// false if the tick or `score` stopped the search. The result depends neither on threads nor on the order of the
// variables, unless two variables are exchangeable.
bool search_orders(const GraphRules& rules, const OrderSettings& settings, std::uint64_t rows,
                   const ScoreFamilies& score, const Workers& workers, const Tick& tick, DagFound& found);

struct ClimbSettings {
    std::size_t tabu = 0;                         // 0: the search ends at the first graph that no move improves
    std::vector<std::vector<std::int32_t>> start; // a DAG that obeys the rules: parents by variable, ascending
};

// Hill climbing: adds, removes or reverses the edge that lowers the cost most. With tabu, the best move is made even if
// it raises the cost, unless it leads to one of the last `tabu` graphs (Glover 1989), until so many moves have found no
// better graph than before and the next would not lower the cost; the result is the best graph. It asks for scores once
// per move. The tick is called before each move with (moves, moves), since their number is not known in advance.
// Returns false if the tick or `score` stopped the search. The result does not depend on the order of the variables,
// unless two are exchangeable.
bool climb(const GraphRules& rules, const ClimbSettings& settings, std::uint64_t rows, const ScoreFamilies& score,
           const Tick& tick, DagFound& found);

} // namespace bitsep
