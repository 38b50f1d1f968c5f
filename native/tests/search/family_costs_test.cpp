#include <cmath>

#include "score_tables.hpp"
#include "search/family_costs.hpp"
#include "support.hpp"

using namespace bitsep;

TEST_CASE("costs are scores with the bits of the structure, each computed once") {
    std::mt19937 random(1);
    const ScoreTable table = ScoreTable::random(random, 4);
    const GraphRules rules = free_rules(4);
    const ScoreFamilies score = table.score();
    FamilyCosts costs(rules, ScoreTable::rows, score);
    for (const bool computed : {false, true, true}) {
        for (std::int32_t y = 0; y < 4; ++y)
            for (std::uint32_t set = 0; set < 16; ++set)
                if ((set >> y & 1) == 0) {
                    const Cost cost = costs.get(y, members(set));
                    if (computed)
                        CHECK(costs.bits(cost) == table.cost(rules, y, members(set)));
                    else
                        CHECK(cost == FamilyCosts::unknown);
                }
        CHECK(costs.compute());
        CHECK(costs.computed() == 32);
    }
}

TEST_CASE("families of fewer rows count in proportion and with a charge, and rounding errors do not count") {
    const ScoreFamilies score = [](const Families& families, std::span<Score::Length> lengths) {
        constexpr Score::Length alone[] = {{36, 60}, {50, 100}, {50 + 1e-12, 100}, {0, 0}};
        constexpr Score::Length with_parent[] = {{20, 40}, {50, 100}, {0, 0}, {0, 0}};
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            const auto y = static_cast<std::size_t>(families.variables[i]);
            lengths[i] = families.parents[i].empty() ? alone[y] : with_parent[y];
        }
        return true;
    };
    GraphRules rules = free_rules(4);
    rules.structure_bits = {0, 0, 0, 0};
    FamilyCosts costs(rules, 100, score);
    const std::int32_t other[] = {0, 1};
    const auto get = [&](std::int32_t y, std::size_t parents = 0) { return costs.get(y, {other + (y == 0), parents}); };
    for (std::int32_t y = 0; y < 4; ++y) {
        get(y);
        get(y, 1);
    }
    CHECK(costs.compute());
    CHECK(costs.bits(get(0)) == 36);
    CHECK(costs.bits(get(0, 1)) == doctest::Approx(20 * 60.0 / 40 + 4 * std::sqrt(60 * 20 / 40.0)));
    CHECK(costs.bits(get(1)) == 50);
    CHECK(get(1, 1) == get(1));
    CHECK(get(2) == get(1));
    CHECK(costs.bits(get(2, 1)) >= 6400); // no row has values in both
    CHECK(get(3) == 0);
    CHECK(get(3, 1) == 0);
}

TEST_CASE("every parent costs the smallest effect for each row of its child") {
    const ScoreFamilies score = [](const Families& families, std::span<Score::Length> lengths) {
        for (std::size_t i = 0; i < lengths.size(); ++i)
            lengths[i] = {10, families.variables[i] == 0 ? 40 : 100};
        return true;
    };
    GraphRules rules = free_rules(3);
    rules.structure_bits = {0, 1, 2};
    rules.min_effect = 0.5;
    FamilyCosts costs(rules, 100, score);
    const std::vector<std::int32_t> none, one{2}, of_first{1, 2}, of_second{0, 2};
    for (int pass = 0; pass < 2; ++pass) { // the first asks for them
        const Cost* found[] = {&costs.get(0, none), &costs.get(0, one), &costs.get(0, of_first),
                               &costs.get(1, of_second)};
        CHECK(costs.compute());
        CHECK(costs.bits(*found[0]) == 10);
        CHECK(costs.bits(*found[1]) == 10 + 1 + 20);
        CHECK(costs.bits(*found[2]) == 10 + 2 + 40);
        CHECK(costs.bits(*found[3]) == 10 + 2 + 100);
    }
}
