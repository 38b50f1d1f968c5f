// Hill climbing with costs that another search uses, too.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "family_costs.hpp"

namespace bitsep {

// The best DAG that hill climbing finds (see graph_search.hpp). rank: the place of each variable in an order that
// decides between equal costs. Returns false if the search must stop.
bool climb(const GraphRules& rules, const ClimbSettings& settings, std::span<const std::int32_t> rank,
           FamilyCosts& costs, const Tick& tick, std::vector<std::vector<std::int32_t>>& best);

} // namespace bitsep
