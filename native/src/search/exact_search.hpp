// The best DAG over a few variables, exactly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "family_costs.hpp"

namespace bitsep {

// The DAG of the lowest cost of all, by dynamic programming over sets of variables (Silander & Myllymäki 2006). It
// needs the costs of all families, in one batch: p 2^(p-1) for p variables, at most 31. Between equal costs it takes
// the first parents in the order. Returns false if the search must stop.
bool find_best_dag(const GraphRules& rules, std::span<const std::int32_t> order, FamilyCosts& costs,
                   std::vector<std::vector<std::int32_t>>& parents);

} // namespace bitsep
