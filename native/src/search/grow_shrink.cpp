#include "grow_shrink.hpp"

#include <iterator>

namespace bitsep {

GrowShrink::GrowShrink(std::int32_t variable, const GraphRules& rules, std::span<const std::int32_t> rank)
    : variable_(variable), rules_(rules), rank_(rank), required_(rules.required[static_cast<std::size_t>(variable)]),
      used_(rules.variables), root_(&node_of(required_, FamilyCosts::unknown)) {
    for (std::int32_t v = 0; v < static_cast<std::int32_t>(rules.variables); ++v)
        if (rules.allows(v, variable) && !std::ranges::binary_search(required_, v))
            candidates_.push_back(v);
}

GrowShrink::Node& GrowShrink::node_of(std::span<const std::int32_t> parents, Cost cost) {
    Node*& place = by_parents_[{parents.begin(), parents.end()}];
    if (place == nullptr) {
        place = &nodes_.emplace_back();
        place->parents.assign(parents.begin(), parents.end());
        place->kept = place->parents;
        place->cost = place->kept_cost = cost;
    }
    return *place;
}

GrowShrink::Node& GrowShrink::node_at(const Place& place) {
    if (place.branch == nullptr)
        return *place.node;
    Branch& branch = *place.branch;
    if (branch.node == nullptr)
        branch.node = &node_of(with(place.node->parents, branch.variable), branch.cost);
    return *branch.node;
}

bool GrowShrink::advance(Node& node, FamilyCosts& costs) {
    return (node.expanded || expand(node, costs)) && (node.shrunk || shrink(node, costs));
}

// The variables worth adding to a node: with two or more parents, only those that lower the cost of the root or of one
// of the parents alone.
bool GrowShrink::find_candidates(const Node& node, FamilyCosts& costs, std::vector<std::int32_t>& found) {
    const std::vector<std::int32_t> added = [&] {
        std::vector<std::int32_t> some;
        std::ranges::set_difference(node.parents, required_, std::back_inserter(some));
        return some;
    }();
    if (added.size() < 2) {
        std::ranges::set_difference(candidates_, node.parents, std::back_inserter(found));
        return true;
    }
    bool complete = true;
    const auto take = [&](Node& smaller) {
        if (!smaller.expanded && !expand(smaller, costs)) {
            complete = false;
            return;
        }
        for (const auto& branch : smaller.branches)
            found.push_back(branch.variable);
    };
    take(*root_);
    for (const std::int32_t parent : added) {
        const std::vector<std::int32_t> alone = with(required_, parent);
        take(node_of(alone, costs.get(variable_, alone)));
    }
    std::ranges::sort(found);
    found.erase(std::ranges::unique(found).begin(), found.end());
    std::erase_if(found, [&](std::int32_t v) { return std::ranges::binary_search(node.parents, v); });
    return complete;
}

bool GrowShrink::expand(Node& node, FamilyCosts& costs) {
    const auto is_known = [](const auto& each) { return *each.second != FamilyCosts::unknown; };
    if (node.cost == FamilyCosts::unknown)
        node.cost = node.kept_cost = costs.get(variable_, node.parents);
    if (node.wanted_costs.empty() && node.parents.size() < rules_.max_parents()) {
        std::vector<std::int32_t> candidates;
        if (!find_candidates(node, costs, candidates))
            return false;
        node.wanted_costs.reserve(candidates.size());
        std::vector<std::int32_t> parents(node.parents.size() + 1);
        for (const std::int32_t candidate : candidates) {
            const auto after = std::ranges::lower_bound(node.parents, candidate);
            *std::copy(node.parents.begin(), after, parents.begin()) = candidate;
            std::copy_backward(after, node.parents.end(), parents.end());
            node.wanted_costs.emplace_back(candidate, &costs.get(variable_, parents));
        }
    }
    if (node.cost == FamilyCosts::unknown || !std::ranges::all_of(node.wanted_costs, is_known))
        return false;
    std::vector<std::tuple<Cost, std::int32_t, std::int32_t>> better;
    for (const auto& [candidate, cost] : node.wanted_costs)
        if (*cost < node.cost)
            better.emplace_back(*cost, rank_[static_cast<std::size_t>(candidate)], candidate);
    std::ranges::sort(better);
    for (const auto& [cost, rank, candidate] : better) {
        used_.add(candidate);
        node.branches.push_back({candidate, cost, nullptr});
    }
    node.wanted_costs = {};
    node.expanded = true;
    return true;
}

bool GrowShrink::shrink(Node& node, FamilyCosts& costs) {
    while (true) {
        bool complete = true;
        std::tuple<Cost, std::int32_t, std::int32_t> best(node.kept_cost, -1, -1);
        for (const std::int32_t parent : node.kept) {
            if (std::ranges::binary_search(required_, parent))
                continue;
            const Cost cost = costs.get(variable_, without(node.kept, parent));
            complete = complete && cost != FamilyCosts::unknown;
            if (cost < node.kept_cost)
                best = std::min(best, std::tuple(cost, rank_[static_cast<std::size_t>(parent)], parent));
        }
        if (!complete)
            return false;
        if (std::get<2>(best) < 0) {
            node.shrunk = true;
            return true;
        }
        node.kept = without(node.kept, std::get<2>(best));
        node.kept_cost = std::get<0>(best);
    }
}

} // namespace bitsep
