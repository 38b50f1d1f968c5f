#include "bitsep/permutation.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "table_of_counts.hpp"

using namespace bitsep;

namespace {

std::unique_ptr<const Test> permuted(const char* name, PermutationSettings settings, std::optional<double> alpha = {}) {
    return permutation_test(make_test(name), alpha, settings);
}

} // namespace

TEST_CASE("a p-value is a whole number of tables") {
    const std::vector<std::int64_t> cells{30, 10, 10, 50, 9, 4, 1, 6};
    const auto test = permuted("x2", {99});
    const Record record = judge(*test, 2, 2, cells);
    CHECK(record.draws == 99);
    CHECK(test->p_value(record) == 1.0 / 100);
    CHECK(!record.independent);
    CHECK(test->alpha() == 0.05);
    CHECK_NOTHROW(permuted("x2", {most_draws}));
    CHECK_THROWS(permuted("x2", {most_draws + 1}));
    CHECK_THROWS(permuted("x2", {0}));
    CHECK(record.statistic == judge(*make_test("x2"), 2, 2, cells).statistic);
}

TEST_CASE("p equal to alpha is dependent") {
    const std::vector<std::int64_t> cells{30, 10, 10, 50};
    const auto test = permuted("g2", {99}, 0.01);
    const Record record = judge(*test, 2, 2, cells);
    CHECK(test->p_value(record) == 0.01);
    CHECK(!record.independent);
    CHECK(record.score_bits > 0);
}

TEST_CASE("a sequential test stops early with the same verdict") {
    const std::vector<std::int64_t> cells{20, 22, 19, 21, 9, 8, 10, 9};
    const auto all = permuted("sci_f", {9999}), early = permuted("sci_f", {9999, 0, true});
    const Record full = judge(*all, 2, 2, cells), stopped = judge(*early, 2, 2, cells);
    CHECK(full.independent);
    CHECK(stopped.independent);
    CHECK(stopped.draws < full.draws);
    CHECK(early->p_value(stopped) == doctest::Approx(501.0 / (stopped.draws + 1)));
    CHECK(early->p_value(stopped) == doctest::Approx(all->p_value(full)).epsilon(0.1));
}

TEST_CASE("the order of levels, of strata, and X and Y change nothing") {
    const auto test = permuted("x2", {500, 7});
    const auto p = [&](std::int64_t kx, std::int64_t ky, const std::vector<std::int64_t>& cells) {
        return test->p_value(judge(*test, kx, ky, cells));
    };
    const double one = p(2, 3, {5, 3, 9, 2, 8, 4, 1, 2, 6, 7, 0, 3});
    CHECK(one == p(2, 3, {1, 2, 6, 7, 0, 3, 5, 3, 9, 2, 8, 4}));
    CHECK(one == p(2, 3, {9, 3, 5, 4, 8, 2, 6, 2, 1, 3, 0, 7}));
    CHECK(one == p(3, 2, {5, 2, 3, 8, 9, 4, 1, 7, 2, 0, 6, 3}));
    CHECK(one != p(2, 3, {5, 3, 9, 2, 8, 4, 1, 2, 6, 7, 0, 4}));
}

TEST_CASE("tables come with their probabilities") {
    PermutedTables tables(1);
    tables.add({{3, 0}, {2, 1}}, {{2, 0}, {3, 1}}); // N_11 is hypergeometric: 1, 6, 3 of 10
    tables.start();
    std::map<std::uint64_t, int> seen;
    const int draws = 20'000;
    for (int i = 0; i < draws; ++i) {
        std::uint64_t corner = 0, total = 0;
        for (const auto& cell : tables.draw()) {
            total += cell.count;
            if (cell.x == 0 && cell.y == 0)
                corner = cell.count;
        }
        REQUIRE(total == 5);
        ++seen[corner];
    }
    for (const auto& [corner, share] : {std::pair{0, 0.1}, {1, 0.6}, {2, 0.3}})
        CHECK(std::abs(seen[static_cast<std::uint64_t>(corner)] - share * draws) < 5 * std::sqrt(share * draws));
}

TEST_CASE("dense tables are the same tables") {
    const auto with_strata = [] {
        PermutedTables tables(3);
        tables.add({{3, 2}, {2, 0}, {1, 1}}, {{2, 1}, {4, 0}}); // shuffled
        tables.add({{90, 0}, {70, 2}}, {{60, 0}, {100, 1}});    // from hypergeometric distributions
        tables.add({{1, 0}}, {{1, 1}});
        return tables;
    };
    auto listed = with_strata(), filled = with_strata();
    listed.start();
    filled.start(3, 2);
    std::vector<std::uint64_t> dense(3 * 3 * 2), expected(dense.size());
    for (int i = 0; i < 20; ++i) {
        std::ranges::fill(expected, 0);
        for (const auto& cell : listed.draw())
            expected[static_cast<std::size_t>(cell.stratum * 6 + cell.x * 2 + cell.y)] = cell.count;
        filled.draw(dense);
        CHECK(dense == expected);
    }
}

TEST_CASE("what cannot be drawn is refused") {
    CHECK_THROWS_AS(permuted("x2", {0}), std::invalid_argument);
    CHECK_THROWS_AS(permuted("x2", {most_draws + 1}), std::invalid_argument);
    CHECK_THROWS_AS(permuted("x2", {9}, 1.5), std::invalid_argument);
}

TEST_CASE("without rows every drawn table is as empty as the observed one") {
    for (const TestEntry& entry : tests()) {
        CAPTURE(entry.name);
        const auto test = permuted(entry.name.data(), {9});
        const Record dense = judge(*test, 2, 3, {0, 0, 0, 0, 0, 0});
        const Record sparse = test_cells(*test, {2, 3, 1, 0}, {}, {}, {}, {});
        CHECK(dense.n == 0);
        CHECK(dense.independent);
        CHECK(test->p_value(dense) == 1);
        CHECK(test->p_value(sparse) == 1);
    }
}

TEST_CASE("the largest number of draws is allowed") {
    CHECK(permutation_test(make_test("g2"), {}, {most_draws}) != nullptr);
}
