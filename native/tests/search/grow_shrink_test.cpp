#include "score_tables.hpp"
#include "search/grow_shrink.hpp"
#include "support.hpp"

using namespace bitsep;

namespace {

// Growing and shrinking by the definition. Variable numbers decide between equal costs.
std::uint32_t parents_by_definition(const ScoreTable& table, const GraphRules& rules, std::int32_t y,
                                    std::uint32_t predecessors) {
    const auto cost = [&](std::uint32_t set) { return table.cost(rules, y, members(set)); };
    const std::uint32_t required = set_of(rules.required[static_cast<std::size_t>(y)]);
    const auto lowers = [&](std::uint32_t v, std::uint32_t set) { return (set & v) == 0 && cost(set | v) < cost(set); };
    // With two or more parents: the variables that lower the cost of none or one of them.
    const auto is_candidate = [&](std::uint32_t v, std::uint32_t set) {
        const auto added = members(set & ~required);
        return added.size() < 2 || lowers(v, required) ||
               std::ranges::any_of(added, [&](std::int32_t x) { return lowers(v, required | std::uint32_t{1} << x); });
    };
    std::uint32_t set = required;
    for (bool grown = true; grown && members(set).size() < rules.max_parents();) {
        std::uint32_t best = set;
        for (const std::int32_t x : members(predecessors & ~set))
            if (const std::uint32_t v = std::uint32_t{1} << x;
                rules.allows(x, y) && lowers(v, set) && is_candidate(v, set) && cost(set | v) < cost(best))
                best = set | v;
        grown = best != set;
        set = best;
    }
    for (bool shrunk = true; shrunk;) {
        std::uint32_t best = set;
        for (const std::int32_t x : members(set & ~required))
            if (const std::uint32_t smaller = set & ~(std::uint32_t{1} << x); cost(smaller) < cost(best))
                best = smaller;
        shrunk = best != set;
        set = best;
    }
    return set;
}

} // namespace

TEST_CASE("trees give the parents that growing and shrinking by the definition give") {
    std::mt19937 random(1);
    constexpr std::int32_t variables = 7;
    const auto rank = [] {
        std::vector<std::int32_t> some(variables);
        std::iota(some.begin(), some.end(), 0);
        return some;
    }();
    for (std::size_t i = 0; i < 40; ++i) {
        const ScoreTable table = ScoreTable::random(random, variables);
        const GraphRules rules = i % 2 != 0 ? strict_rules(variables) : free_rules(variables);
        const ScoreFamilies score = table.score();
        FamilyCosts costs(rules, ScoreTable::rows, score);
        for (std::int32_t y = 0; y < variables; ++y) {
            GrowShrink tree(y, rules, rank);
            const std::uint32_t required = set_of(rules.required[static_cast<std::size_t>(y)]);
            for (std::uint32_t set = 0; set < std::uint32_t{1} << variables; ++set) {
                if ((set >> y & 1) != 0 || (required & ~set) != 0)
                    continue;
                VariableSet predecessors(variables);
                for (const std::int32_t x : members(set))
                    predecessors.add(x);
                while (!tree.find(predecessors).ready())
                    if (!tree.advance(tree.node_at(tree.find(predecessors)), costs))
                        CHECK(costs.compute());
                const GrowShrink::Node& node = *tree.find(predecessors).node;
                CHECK(set_of(node.kept) == parents_by_definition(table, rules, y, set));
                CHECK(costs.bits(node.kept_cost) == table.cost(rules, y, node.kept));
            }
        }
    }
}
