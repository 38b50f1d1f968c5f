#include "score_tables.hpp"
#include "support.hpp"

using namespace bitsep;

namespace {

DagFound search(const ScoreTable& table, const GraphRules& rules, std::size_t starts = 5, std::size_t exact = 0) {
    DagFound found;
    REQUIRE(search_orders(rules, {starts, 1, exact}, ScoreTable::rows, table.score(), 1, nullptr, found));
    CHECK(legal(rules, found.parents));
    double bits = 0;
    for (const double each : found.bits)
        bits += each;
    CHECK(bits == table.total(rules, found.parents));
    return found;
}

} // namespace

TEST_CASE("the search over orders finds the best of all DAGs, with and without rules") {
    std::mt19937 random(1);
    for (const bool strict : {false, true}) {
        std::size_t best = 0;
        constexpr std::size_t tables = 300;
        for (std::size_t i = 0; i < tables; ++i) {
            const std::size_t variables = strict ? 4 : 1 + i % 4;
            const ScoreTable table = ScoreTable::random(random, variables);
            const GraphRules rules = strict ? strict_rules(variables) : free_rules(variables);
            const double total = table.total(rules, search(table, rules).parents);
            const double lowest = table.lowest_total(rules);
            CHECK(total >= lowest);
            best += total == lowest;
        }
        CAPTURE(strict);
        CHECK(best >= tables * 95 / 100); // growing and shrinking is greedy
    }
}

TEST_CASE("the best of all DAGs is found if there are few variables") {
    std::mt19937 random(7);
    for (std::size_t i = 0; i < 200; ++i) {
        const std::size_t variables = 1 + i % 5;
        const bool strict = variables == 4 && i % 2 == 1;
        ScoreTable table = ScoreTable::random(random, variables);
        for (auto& row : table.bits) // parents that help only together
            for (double& bits : row)
                bits -= static_cast<double>(random() % 60);
        const GraphRules rules = strict ? strict_rules(variables) : free_rules(variables);
        const DagFound found = search(table, rules, 1, 5);
        CHECK(table.total(rules, found.parents) == table.lowest_total(rules));
        const auto to = random_order(random, variables);
        if (!strict)
            CHECK(search(table.renumbered(to), rules, 1, 5).scores == found.scores);
    }
}

TEST_CASE("the search over orders does not depend on the numbers of the variables") {
    std::mt19937 random(2);
    for (std::size_t i = 0; i < 50; ++i) {
        const ScoreTable table = ScoreTable::random(random, 8);
        const auto to = random_order(random, 8);
        const DagFound found = search(table, free_rules(8), 2), again = search(table.renumbered(to), free_rules(8), 2);
        CHECK(again.parents == renumbered(found.parents, to));
        CHECK(again.scores == found.scores);
    }
}

TEST_CASE("the search over orders does not depend on the number of threads") {
    std::mt19937 random(3);
    Data data = random_rows(random, std::vector<std::int64_t>(12, 3), 400);
    for (std::size_t column = 1; column < 12; ++column) // a chain of copies with noise
        for (std::size_t row = 0; row < 400; ++row)
            if (random() % 3 != 0)
                data.columns[column][row] = data.columns[column - 1][row];
    const Table table = data.table();
    const auto score = make_score("fnml");
    const auto run = [&](const Workers& workers) {
        DagFound found;
        FamilyScorer scorer(table, *score, workers);
        CHECK(search_orders(
            free_rules(12), {7, 0}, 400,
            [&](const Families& families, std::span<Score::Length> lengths) {
                return scorer.score_all(families, nullptr, lengths);
            },
            workers, nullptr, found));
        return found;
    };
    const DagFound alone = run(1), together = run(3);
    CHECK(alone.parents == together.parents);
    CHECK(alone.bits == together.bits);
    CHECK(alone.scores == together.scores);
    for (std::size_t y = 0; y < 12; ++y)
        CHECK(alone.parents[y].size() <= 1);
}

TEST_CASE("more starts find no worse a graph") {
    std::mt19937 random(4);
    const GraphRules rules = free_rules(8);
    for (std::size_t i = 0; i < 20; ++i) {
        const ScoreTable table = ScoreTable::random(random, 8);
        double last = 1e300;
        for (const std::size_t starts : {4, 8, 12}) { // whole generations
            const double total = table.total(rules, search(table, rules, starts).parents);
            CHECK(total <= last);
            last = total;
        }
    }
}

TEST_CASE("a search with large tables of many rows ends after the first starts") {
    std::mt19937 random(8);
    const ScoreTable table = ScoreTable::random(random, 8);
    const GraphRules rules = free_rules(8);
    const auto search = [&](std::size_t starts, double domain, std::uint64_t rows) {
        DagFound found;
        OrderSettings settings{starts, 1, 0, std::vector<double>(8, domain)};
        CHECK(search_orders(rules, settings, rows, table.score(), 1, nullptr, found));
        return found.scores;
    };
    constexpr std::uint64_t many = 1'000'000'000;
    CHECK(search(12, 1000, many) == search(4, 1000, many)); // one generation
    CHECK(search(12, 2, many) == search(12, 2, 1));         // small tables
    CHECK(search(12, 1000, 1) == search(12, 2, 1));         // few rows
    CHECK(search(12, 2, 1) > search(4, 2, 1));
}

TEST_CASE("the search over orders of no or one variable, and without parents") {
    CHECK(search({}, free_rules(0)).parents.empty());
    CHECK(search({1, {{7}}}, free_rules(1)).parents == Parents(1));
    std::mt19937 random(5);
    const ScoreTable table = ScoreTable::random(random, 4);
    GraphRules rules = free_rules(4);
    rules.structure_bits.resize(1);
    CHECK(search(table, rules).parents == Parents(4));
}

TEST_CASE("the search over orders stops when the tick or the score says so") {
    std::mt19937 random(6);
    const ScoreTable table = ScoreTable::random(random, 6);
    const GraphRules rules = free_rules(6);
    DagFound found;
    std::size_t ticks = 0, last = 0;
    const auto count = [&](std::size_t finished, std::size_t total) {
        CHECK(finished >= last);
        CHECK(total == 6);
        last = finished;
        ++ticks;
        return true;
    };
    CHECK(search_orders(rules, {6, 0, 0}, ScoreTable::rows, table.score(), 1, count, found));
    CHECK(last == 6);
    const std::size_t all = ticks;
    for (std::size_t stop = 1; stop <= all; ++stop) {
        ticks = 0;
        CHECK(!search_orders(
            rules, {6, 0, 0}, ScoreTable::rows, table.score(), 1,
            [&](std::size_t, std::size_t) { return ++ticks < stop; }, found));
        CHECK(ticks == stop);
    }
    const ScoreFamilies refuse = [](const Families&, std::span<Score::Length>) { return false; };
    CHECK(!search_orders(rules, {6, 0, 0}, ScoreTable::rows, refuse, 1, nullptr, found));
}

TEST_CASE("required parents may be more than the rules allow to add") {
    std::mt19937 random(8);
    const ScoreTable table = ScoreTable::random(random, 4);
    GraphRules rules = free_rules(4);
    rules.structure_bits.resize(1);
    rules.required[2] = {0, 1};
    for (const std::size_t exact : {std::size_t{0}, std::size_t{8}}) {
        OrderSettings settings;
        settings.exact_variables = exact;
        DagFound found;
        CHECK(search_orders(rules, settings, ScoreTable::rows, table.score(), 1, nullptr, found));
        CHECK(found.parents == Parents{{}, {}, {0, 1}, {}});
    }
}
