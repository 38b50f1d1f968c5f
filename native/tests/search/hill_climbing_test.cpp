#include "score_tables.hpp"
#include "support.hpp"

using namespace bitsep;

namespace {

DagFound search(const ScoreTable& table, const GraphRules& rules, std::size_t tabu, const Parents& start) {
    DagFound found;
    REQUIRE(climb(rules, {tabu, start}, ScoreTable::rows, table.score(), nullptr, found));
    CHECK(legal(rules, found.parents));
    double bits = 0;
    for (const double each : found.bits)
        bits += each;
    CHECK(bits == table.total(rules, found.parents));
    CHECK(bits <= table.total(rules, start));
    return found;
}

// All graphs that differ by one edge that was added, removed or reversed, legal or not.
std::vector<Parents> neighbors(const Parents& graph) {
    std::vector<Parents> found;
    const auto toggled = [](Parents changed, std::size_t x, std::size_t y) {
        changed[y] = members(set_of(changed[y]) ^ std::uint32_t{1} << x);
        return changed;
    };
    for (std::size_t x = 0; x < graph.size(); ++x)
        for (std::size_t y = 0; y < graph.size(); ++y)
            if (x != y) {
                found.push_back(toggled(graph, x, y));
                if (std::ranges::binary_search(graph[y], static_cast<std::int32_t>(x)))
                    found.push_back(toggled(found.back(), y, x));
            }
    return found;
}

// A legal graph: the required edges, and others that were drawn.
Parents random_start(std::mt19937& random, const GraphRules& rules) {
    Parents start = rules.required;
    for (std::size_t i = 0; i < 3 * rules.variables; ++i) {
        const auto x = random() % rules.variables, y = random() % rules.variables;
        Parents larger = start;
        larger[y] = members(set_of(larger[y]) | std::uint32_t{1} << x);
        if (legal(rules, larger))
            start = larger;
    }
    return start;
}

} // namespace

TEST_CASE("hill climbing ends where no legal move lowers the cost, with and without rules") {
    std::mt19937 random(1);
    for (std::size_t i = 0; i < 400; ++i) {
        const bool strict = i % 2 != 0;
        const std::size_t variables = strict ? 4 + random() % 3 : 1 + random() % 6;
        const ScoreTable table = ScoreTable::random(random, variables);
        const GraphRules rules = strict ? strict_rules(variables) : free_rules(variables);
        const Parents start = random_start(random, rules);
        const Parents plain = search(table, rules, 0, start).parents;
        const Parents tabu = search(table, rules, 10, start).parents;
        CHECK(table.total(rules, tabu) <= table.total(rules, plain));
        for (const Parents& found : {plain, tabu})
            for (const Parents& neighbor : neighbors(found))
                if (legal(rules, neighbor))
                    CHECK(table.total(rules, neighbor) >= table.total(rules, found));
    }
}

TEST_CASE("hill climbing with tabu mostly finds the best of all DAGs") {
    std::mt19937 random(2);
    std::size_t plain = 0, tabu = 0;
    constexpr std::size_t tables = 300;
    const GraphRules rules = free_rules(4);
    for (std::size_t i = 0; i < tables; ++i) {
        const ScoreTable table = ScoreTable::random(random, 4);
        const double lowest = table.lowest_total(rules);
        const auto total = [&](std::size_t length) {
            return table.total(rules, search(table, rules, length, Parents(4)).parents);
        };
        CHECK(total(0) >= lowest);
        CHECK(total(10) >= lowest);
        plain += total(0) == lowest;
        tabu += total(10) == lowest;
    }
    CHECK(tabu > plain);
    CHECK(tabu >= tables * 95 / 100);
}

TEST_CASE("hill climbing does not depend on the numbers of the variables") {
    std::mt19937 random(3);
    for (std::size_t i = 0; i < 50; ++i) {
        const ScoreTable table = ScoreTable::random(random, 8);
        const GraphRules rules = free_rules(8);
        const auto to = random_order(random, 8);
        const Parents start = random_start(random, rules);
        for (const std::size_t tabu : {0, 10}) {
            const DagFound found = search(table, rules, tabu, start);
            const DagFound again = search(table.renumbered(to), rules, tabu, renumbered(start, to));
            CHECK(again.parents == renumbered(found.parents, to));
            CHECK(again.scores == found.scores);
        }
    }
}

TEST_CASE("hill climbing asks for each score once, in one batch per move") {
    std::mt19937 random(4);
    const ScoreTable table = ScoreTable::random(random, 8);
    std::vector<std::pair<std::int32_t, std::uint32_t>> asked;
    std::size_t batches = 0, moves = 0;
    const ScoreFamilies score = [&](const Families& families, std::span<Score::Length> lengths) {
        ++batches;
        for (std::size_t i = 0; i < lengths.size(); ++i)
            asked.emplace_back(families.variables[i], set_of(families.parents[i]));
        return table.score()(families, lengths);
    };
    const Tick tick = [&](std::size_t finished, std::size_t) {
        moves = finished;
        return true;
    };
    DagFound found;
    CHECK(climb(free_rules(8), {5, Parents(8)}, ScoreTable::rows, score, tick, found));
    CHECK(moves > 5);
    CHECK(batches <= moves + 2); // those that order the variables, and those of the first graph
    CHECK(found.scores == asked.size());
    std::ranges::sort(asked);
    CHECK(std::ranges::adjacent_find(asked) == asked.end());
}

TEST_CASE("hill climbing over no or one variable, and without parents") {
    CHECK(search({}, free_rules(0), 3, {}).parents.empty());
    CHECK(search({1, {{7}}}, free_rules(1), 3, Parents(1)).parents == Parents(1));
    std::mt19937 random(5);
    const ScoreTable table = ScoreTable::random(random, 4);
    GraphRules rules = free_rules(4);
    rules.structure_bits.resize(1);
    CHECK(search(table, rules, 3, Parents(4)).parents == Parents(4));
}

TEST_CASE("hill climbing stops when the tick or the score says so") {
    std::mt19937 random(6);
    const ScoreTable table = ScoreTable::random(random, 6);
    const GraphRules rules = free_rules(6);
    DagFound found;
    std::size_t ticks = 0;
    const auto until = [&](std::size_t stop) {
        ticks = 0;
        return climb(
            rules, {3, Parents(6)}, ScoreTable::rows, table.score(),
            [&](std::size_t moves, std::size_t total) {
                CHECK(moves == ticks);
                CHECK(moves == total);
                return ++ticks != stop;
            },
            found);
    };
    CHECK(until(0));
    const std::size_t all = ticks;
    CHECK(all > 3);
    for (std::size_t stop = 1; stop <= all; ++stop) {
        CHECK(!until(stop));
        CHECK(ticks == stop);
    }
    const ScoreFamilies refuse = [](const Families&, std::span<Score::Length>) { return false; };
    CHECK(!climb(rules, {0, Parents(6)}, ScoreTable::rows, refuse, nullptr, found));
}
