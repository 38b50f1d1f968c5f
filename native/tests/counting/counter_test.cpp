#include "support.hpp"

using namespace bitsep;

TEST_CASE("the way is chosen by cost") {
    std::mt19937 random(1);
    const Data few = random_rows(random, {2, 2, 2}, 10000), many = random_rows(random, {100, 100, 100}, 300);
    const std::vector<std::int32_t> z{2};
    const Table small = few.table(), large = many.table();
    CHECK(Counter(small).choose(0, 1, z) == Way::margins);
    CHECK(Counter(large).choose(0, 1, z) == Way::sort);
    const auto test = make_test("sci_f");
    CHECK(same(Counter(small).test(*test, 0, 1, z), Counter(small).test(*test, 0, 1, z, Way::bitmaps)));
}

TEST_CASE("occupied cells are those of the definition") {
    std::mt19937 random(2);
    const std::vector<std::int32_t> z{2, 3};
    const Data data = random_rows(random, {3, 4, 2, 5}, 300, 0.1);
    const Table table = data.table();
    const Counts found = Counter(table).counts(0, 1, z), expected = counts_by_definition(data, z);
    CHECK(found.stratum == expected.stratum);
    CHECK(found.x == expected.x);
    CHECK(found.y == expected.y);
    CHECK(found.count == expected.count);
}

TEST_CASE("dense counts of chunks add up") {
    std::mt19937 random(3);
    const std::vector<std::int32_t> z{2};
    const Data data = random_rows(random, {3, 2, 4}, 500, 0.05);
    const Table table = data.table();
    std::vector<std::int64_t> cells(24), twice(24);
    Counter(table).add_dense(0, 1, z, cells);
    Counter counter(table);
    counter.add_dense(0, 1, z, twice);
    counter.add_dense(0, 1, z, twice);
    for (std::size_t i = 0; i < cells.size(); ++i)
        CHECK(twice[i] == 2 * cells[i]);
    const auto test = make_test("g2");
    CHECK(same(test_table(*test, {3, 2, 4, 500}, cells), Counter(table).test(*test, 0, 1, z)));
}

TEST_CASE("weights are repeated rows") {
    std::mt19937 random(4);
    Data weighted = random_rows(random, {2, 3, 4}, 200, 0.05), repeated{weighted.levels, {{}, {}, {}}, {}};
    for (std::size_t row = 0; row < 200; ++row) {
        weighted.weights.push_back(static_cast<std::int64_t>(random() % 4));
        for (std::int64_t copy = 0; copy < weighted.weights.back(); ++copy)
            for (std::size_t column = 0; column < 3; ++column)
                repeated.columns[column].push_back(weighted.columns[column][row]);
    }
    const Table one = weighted.table(), other = repeated.table();
    const std::vector<std::int32_t> z{2};
    const auto test = make_test("sci_f");
    CHECK(same(Counter(one).test(*test, 0, 1, z), Counter(other).test(*test, 0, 1, z)));
}

TEST_CASE("a column without values leaves no rows") {
    const Data data{{2, 0}, {{0, 1, 1}, {-1, -1, -1}}, {}};
    const Table table = data.table();
    const Record record = Counter(table).test(*make_test("sci_q"), 0, 1, {});
    CHECK(record.n == 0);
    CHECK(record.independent);
}
