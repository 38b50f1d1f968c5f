// An order of the variables by which searches decide between equal costs.
#pragma once

#include <cstdint>
#include <vector>

#include "family_costs.hpp"

namespace bitsep {

// The variables in an order that depends on scores alone: by the cost of each without parents, then by the sums of its
// costs with one parent, and of the costs that it gives others as the only parent. Only variables that are equal in all
// of these keep the order of their indices. Returns false if the search must stop.
bool order_by_cost(const GraphRules& rules, FamilyCosts& costs, std::vector<std::int32_t>& order);

// The place of each variable in an order.
std::vector<std::int32_t> ranks_of(const std::vector<std::int32_t>& order);

} // namespace bitsep
