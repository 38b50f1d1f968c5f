#include "bitsep/engine.hpp"

#include <algorithm>

#include "support.hpp"

using namespace bitsep;

TEST_CASE("answers do not depend on the number of threads") {
    std::mt19937 random(3);
    const Data data = random_rows(random, std::vector<std::int64_t>(8, 3), 500);
    const Table table = data.table();
    const auto test = make_test("sci_f");
    std::vector<std::int32_t> x, y, items;
    std::vector<std::int64_t> offsets{0};
    for (std::int32_t a = 0; a < 8; ++a)
        for (std::int32_t b = a + 1; b < 8; ++b) {
            x.push_back(a);
            y.push_back(b);
            for (std::int32_t c = 0; c < 8; ++c)
                if (c != a && c != b)
                    items.push_back(c);
            offsets.push_back(static_cast<std::int64_t>(items.size()));
        }
    const auto make = [&] { return std::make_unique<CountingTester>(table, *test); };

    const Tasks tasks{x, y, {offsets, items}, {}, {}, 0, 3, false};
    Answers alone, together;
    separate(make, tasks, 1, nullptr, alone);
    separate(make, tasks, 4, nullptr, together);
    for (std::size_t i = 0; i < x.size(); ++i) {
        CHECK(std::ranges::equal(alone[i].given, together[i].given));
        CHECK(same(alone[i].record, together[i].record));
        CHECK(std::ranges::equal(alone[i].runner_up, together[i].runner_up));
        CHECK(alone[i].tests == 42); // 1 + 6 + 15 + 20 sets
    }

    const Queries queries{x, y, {offsets, items}};
    std::vector<Record> one(x.size()), four(x.size());
    evaluate(make, queries, 1, nullptr, one);
    evaluate(make, queries, 4, nullptr, four);
    for (std::size_t i = 0; i < x.size(); ++i)
        CHECK(same(one[i], four[i]));
}
