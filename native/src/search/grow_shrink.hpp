// The parents of a variable among its predecessors, by greedy growing and shrinking, with memory between calls.
#pragma once

#include <algorithm>
#include <deque>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "family_costs.hpp"
#include "variable_set.hpp"

namespace bitsep {

// The grow-shrink tree of a variable (Andrews et al. 2023): which parents growing adds, for every set of predecessors.
// A node is a set of parents; its branches are the variables whose addition lowers the cost, the best first. Growing
// takes the first branch that is among the predecessors, until none is; shrinking then removes parents while that
// lowers the cost. Sets reached by different paths are one node.
class GrowShrink {
public:
    struct Node;
    struct Branch {
        std::int32_t variable; // that is added
        Cost cost;             // with it
        Node* node;            // null until somebody wants it
    };
    struct Node {
        std::vector<std::int32_t> parents; // ascending
        Cost cost = FamilyCosts::unknown;
        bool expanded = false; // whether its branches are known
        bool shrunk = false;   // whether `kept` is final
        bool wanted = false;   // whether a search waits for it
        std::vector<Branch> branches;
        std::vector<std::pair<std::int32_t, const Cost*>> wanted_costs; // of the candidates, while they are computed
        std::vector<std::int32_t> kept; // the parents that shrinking keeps, and their cost
        Cost kept_cost = FamilyCosts::unknown;
    };
    // Where growing ends, as far as is known: at a node, or at a branch of it that has no node yet.
    struct Place {
        Node* node;
        Branch* branch = nullptr;

        bool ready() const { return branch == nullptr && node->expanded && node->shrunk; }
        Cost cost() const {
            return branch != nullptr ? branch->cost : node->kept_cost;
        } // not the final one unless ready
    };

    // rank: the place of each variable in an order that decides between equal costs.
    GrowShrink(std::int32_t variable, const GraphRules& rules, std::span<const std::int32_t> rank);
    GrowShrink(const GrowShrink&) = delete; // nodes point to each other
    GrowShrink& operator=(const GrowShrink&) = delete;

    // Any number of threads may call it.
    Place find(const VariableSet& predecessors) const {
        Node* node = root_;
        while (node->expanded) {
            const auto branch = std::ranges::find_if(
                node->branches, [&](const Branch& each) { return predecessors.has(each.variable); });
            if (branch == node->branches.end())
                break;
            if (branch->node == nullptr)
                return {node, &*branch};
            node = branch->node;
        }
        return {node};
    }

    // Whether a variable is a branch of any node so far: if not, it makes no difference among the predecessors.
    bool uses(std::int32_t v) const { return used_.has(v); }

    // The node of a place, made if there is none.
    Node& node_at(const Place& place);
    // Makes a node ready; false if it wants costs that are not known yet: call again when they are.
    bool advance(Node& node, FamilyCosts& costs);

private:
    Node& node_of(std::span<const std::int32_t> parents, Cost cost);
    bool expand(Node& node, FamilyCosts& costs);
    bool shrink(Node& node, FamilyCosts& costs);
    bool find_candidates(const Node& node, FamilyCosts& costs, std::vector<std::int32_t>& found);

    std::int32_t variable_;
    const GraphRules& rules_;
    std::span<const std::int32_t> rank_;
    std::vector<std::int32_t> required_, candidates_;
    std::deque<Node> nodes_;
    std::unordered_map<std::u16string, Node*> by_parents_;
    VariableSet used_;
    Node* root_;
};

} // namespace bitsep
