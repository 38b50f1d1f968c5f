#include "bitsep/family_counter.hpp"

#include "support.hpp"

using namespace bitsep;

namespace {

struct Lists {
    std::vector<std::int32_t> variables, parents;
    std::vector<std::int64_t> offsets{0};

    void add(std::int32_t variable, std::vector<std::int32_t> set) {
        std::ranges::sort(set);
        variables.push_back(variable);
        parents.insert(parents.end(), set.begin(), set.end());
        offsets.push_back(static_cast<std::int64_t>(parents.size()));
    }
    Families families() const { return {variables, {offsets, parents}}; }
};

} // namespace

TEST_CASE("families that follow each other and differ in one parent are a run") {
    Lists lists;
    lists.add(0, {});
    lists.add(0, {1, 2, 3});
    lists.add(0, {1, 2, 4});
    lists.add(0, {1, 2, 5});
    lists.add(0, {1, 4, 5});
    lists.add(3, {1, 2, 4});
    lists.add(3, {1, 2});
    const std::vector<FamilyRun> runs = find_runs(lists.families());
    REQUIRE(runs.size() == 5);
    CHECK(runs[1].begin == 1);
    CHECK(runs[1].end == 4);
    CHECK(runs[1].shared == std::vector<std::int32_t>{1, 2});
    CHECK(runs.back().end == 7);
}

TEST_CASE("families of a run have the same scores as single ones") {
    std::mt19937 random(5);
    for (const double missing : {0.0, 0.1})
        for (const bool weighted : {false, true}) {
            Data data = random_rows(random, {2, 3, 4, 2, 40, 3, 1, 6, 100}, 600, missing);
            for (std::size_t row = 0; row < 600; ++row) {
                if (row % 3 != 0)
                    data.columns[1][row] = 2; // a frequent level that is not the first
                if (weighted)
                    data.weights.push_back(static_cast<std::int64_t>(random() % 4));
            }
            const Table table = data.table();
            Lists lists;
            lists.add(0, {});
            lists.add(0, {1, 2, 3});
            for (const std::vector<std::int32_t>& shared :
                 {std::vector<std::int32_t>{}, {5}, {3, 5}, {1, 2, 7}, {4, 7, 8}, {1, 2, 3, 4, 5, 7, 8}})
                for (const std::vector<std::int32_t>& more : {std::vector<std::int32_t>{1, 2, 3, 5, 6, 7},
                                                              {1, 2, 3, 4, 5, 6, 7, 8}}) // with bitmaps, and not all
                    for (const std::int32_t x : more)
                        if (!std::ranges::binary_search(shared, x)) {
                            std::vector<std::int32_t> parents = shared;
                            parents.push_back(x);
                            lists.add(0, parents);
                        }
            const Families families = lists.families();
            for (const auto& entry : scores()) {
                const auto score = make_score(entry.name);
                std::vector<Score::Length> lengths(families.variables.size());
                FamilyCounter counter(table);
                for (const FamilyRun& run : find_runs(families))
                    counter.score(*score, families, run, lengths);
                Counter single(table);
                for (std::size_t i = 0; i < lengths.size(); ++i) {
                    const Score::Length length = single.score(*score, 0, families.parents[i]);
                    CHECK(lengths[i].bits == length.bits);
                    CHECK(lengths[i].n == length.n);
                }
            }
        }
}

TEST_CASE("shared parents without a row that has values of both leave nothing to score") {
    std::mt19937 random(6);
    Data data = random_rows(random, {2, 2, 2, 3, 3}, 400);
    for (std::size_t row = 0; row < 400; ++row)
        data.columns[1 + row % 2][row] = -1;
    const Table table = data.table();
    Lists lists;
    lists.add(0, {1, 3, 4}); // leaves counts in the buffers
    lists.add(0, {2, 3, 4});
    lists.add(0, {1, 2, 3});
    lists.add(0, {1, 2, 4});
    const Families families = lists.families();
    const auto score = make_score("bic");
    std::vector<Score::Length> lengths(families.variables.size(), {1, 1});
    const std::vector<FamilyRun> runs = find_runs(families);
    FamilyCounter used(table), fresh(table);
    for (const FamilyRun& run : runs)
        used.score(*score, families, run, lengths);
    CHECK(lengths[2].n == 0);
    CHECK(lengths[2].bits == 0);
    CHECK(lengths[3].n == 0);
    fresh.score(*score, families, runs.back(), lengths);
    CHECK(lengths[3].n == 0);
    CHECK(lengths[3].bits == 0);
}
