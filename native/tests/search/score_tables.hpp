// Scores of all families of a few variables, and the lowest total over all DAGs by enumeration.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "bitsep/graph_search.hpp"

namespace bitsep {

using Parents = std::vector<std::vector<std::int32_t>>;

inline std::vector<std::int32_t> members(std::uint32_t set) {
    std::vector<std::int32_t> found;
    for (std::int32_t v = 0; v < 32; ++v)
        if ((set >> v & 1) != 0)
            found.push_back(v);
    return found;
}

inline std::uint32_t set_of(std::span<const std::int32_t> variables) {
    std::uint32_t set = 0;
    for (const std::int32_t v : variables)
        set |= std::uint32_t{1} << v;
    return set;
}

struct ScoreTable {
    std::size_t variables = 0;
    std::vector<std::vector<double>> bits{}; // by variable and set of parents

    // Whole numbers: each parent changes the bits by an amount of its own, and each set by a smaller one.
    static ScoreTable random(std::mt19937& random, std::size_t variables) {
        ScoreTable table{variables};
        const auto number = [&](int least, int most) {
            return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
        };
        for (std::size_t y = 0; y < variables; ++y) {
            std::vector<int> changes(variables);
            for (int& change : changes)
                change = number(-30, 20);
            auto& row = table.bits.emplace_back();
            for (std::uint32_t set = 0; set < std::uint32_t{1} << variables; ++set) {
                row.push_back(1000 + number(-6, 6));
                for (const std::int32_t x : members(set))
                    row.back() += changes[static_cast<std::size_t>(x)];
            }
        }
        return table;
    }

    // The same scores after each variable v was given the number to[v].
    ScoreTable renumbered(const std::vector<std::int32_t>& to) const {
        ScoreTable table{variables, bits};
        for (std::size_t y = 0; y < variables; ++y)
            for (std::uint32_t set = 0; set < bits[y].size(); ++set) {
                std::vector<std::int32_t> parents;
                for (const std::int32_t x : members(set))
                    parents.push_back(to[static_cast<std::size_t>(x)]);
                table.bits[static_cast<std::size_t>(to[y])][set_of(parents)] = bits[y][set];
            }
        return table;
    }

    ScoreFamilies score() const {
        return [this](const Families& families, std::span<Score::Length> lengths) {
            for (std::size_t i = 0; i < lengths.size(); ++i)
                lengths[i] = {bits[static_cast<std::size_t>(families.variables[i])][set_of(families.parents[i])], rows};
            return true;
        };
    }

    // Whether a variable may have these parents.
    static bool obeys(const GraphRules& rules, std::int32_t y, std::span<const std::int32_t> parents) {
        const auto& required = rules.required[static_cast<std::size_t>(y)];
        return std::ranges::includes(parents, required) &&
               parents.size() <= std::max(rules.max_parents(), required.size()) &&
               std::ranges::all_of(parents, [&](std::int32_t x) { return rules.allows(x, y); });
    }

    double cost(const GraphRules& rules, std::int32_t y, std::span<const std::int32_t> parents) const {
        return bits[static_cast<std::size_t>(y)][set_of(parents)] + rules.structure_bits[parents.size()];
    }

    double total(const GraphRules& rules, const Parents& parents) const {
        double sum = 0;
        for (std::size_t y = 0; y < variables; ++y)
            sum += cost(rules, static_cast<std::int32_t>(y), parents[y]);
        return sum;
    }

    // Every DAG has an order in which parents come first: all orders, and all sets of predecessors in each.
    double lowest_total(const GraphRules& rules) const {
        std::vector<std::int32_t> order(variables);
        std::iota(order.begin(), order.end(), 0);
        double lowest = 1e300;
        do {
            double sum = 0;
            std::uint32_t before = 0;
            for (const std::int32_t y : order) {
                double least = 1e300;
                for (std::uint32_t set = 0; set <= before; ++set)
                    if (const auto parents = members(set); (set & ~before) == 0 && obeys(rules, y, parents))
                        least = std::min(least, cost(rules, y, parents));
                sum += least;
                before |= std::uint32_t{1} << y;
            }
            lowest = std::min(lowest, sum);
        } while (std::ranges::next_permutation(order).found);
        return lowest;
    }

    static constexpr std::int64_t rows = 1000;
};

inline GraphRules free_rules(std::size_t variables) {
    GraphRules rules{variables, {}, {}, Parents(variables)};
    for (std::size_t parents = 0; parents < std::max<std::size_t>(variables, 1); ++parents)
        rules.structure_bits.push_back(2.0 * static_cast<double>(parents));
    return rules;
}

// At most two parents; 0 -> 1 is required, 2 and 3 are parents of no other variable than each other.
inline GraphRules strict_rules(std::size_t variables) {
    GraphRules rules = free_rules(variables);
    rules.structure_bits.resize(3);
    rules.required[1] = {0};
    rules.forbidden.assign(variables * variables, 0);
    for (std::size_t a : {2, 3})
        for (std::size_t y = 0; y < variables; ++y)
            rules.forbidden[a * variables + y] = y != 5 - a;
    return rules;
}

// Whether the parents of each variable obey the rules, without a cycle.
inline bool legal(const GraphRules& rules, const Parents& parents) {
    std::uint32_t placed = 0;
    for (std::size_t round = 0; round < parents.size(); ++round)
        for (std::size_t y = 0; y < parents.size(); ++y)
            if ((set_of(parents[y]) & ~placed) == 0)
                placed |= std::uint32_t{1} << y;
    bool obeyed = placed + 1 == std::uint32_t{1} << parents.size();
    for (std::size_t y = 0; y < parents.size(); ++y)
        obeyed = obeyed && ScoreTable::obeys(rules, static_cast<std::int32_t>(y), parents[y]);
    return obeyed;
}

inline Parents renumbered(const Parents& parents, const std::vector<std::int32_t>& to) {
    Parents result(parents.size());
    for (std::size_t y = 0; y < parents.size(); ++y) {
        auto& set = result[static_cast<std::size_t>(to[y])];
        for (const std::int32_t x : parents[y])
            set.push_back(to[static_cast<std::size_t>(x)]);
        std::ranges::sort(set);
    }
    return result;
}

inline std::vector<std::int32_t> random_order(std::mt19937& random, std::size_t variables) {
    std::vector<std::int32_t> order(variables);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = variables; i > 1; --i)
        std::swap(order[i - 1], order[random() % i]);
    return order;
}

} // namespace bitsep
