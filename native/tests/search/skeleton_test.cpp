#include "bitsep/skeleton.hpp"

#include <algorithm>

#include "bitsep/d_separation.hpp"
#include "support.hpp"

using namespace bitsep;

TEST_CASE("an oracle gives the skeleton and the v-structures of its graph") {
    const std::vector<std::int32_t> from{0, 1, 2}, to{2, 2, 3}; // 0 -> 2 <- 1, 2 -> 3
    const DagBitsets dag(4, from, to);
    SkeletonSearch search(4, {}, {}, {}, 4, 1000, true);
    search.run([&](const Tasks& tasks, Answers& answers) {
        return separate([&] { return std::make_unique<SeparationTester>(dag); }, tasks, 1, nullptr, answers);
    });
    for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t b = 0; b < 4; ++b) {
            bool edge = false;
            for (std::size_t i = 0; i < from.size(); ++i)
                edge = edge || (static_cast<std::size_t>(from[i]) == std::min(a, b) &&
                                static_cast<std::size_t>(to[i]) == std::max(a, b));
            CHECK((search.adjacent()[a * 4 + b] != 0) == edge);
        }
    CHECK(search.colliders() == std::vector<std::int32_t>{0, 2, 1});
}

TEST_CASE("skeletons do not depend on the number of threads") {
    std::mt19937 random(5);
    Data data = random_rows(random, std::vector<std::int64_t>(12, 3), 400);
    for (std::size_t column = 1; column < 12; ++column) // a chain of copies with noise
        for (std::size_t row = 0; row < 400; ++row)
            if (random() % 3 != 0)
                data.columns[column][row] = data.columns[column - 1][row];
    const auto search = [&](int threads) {
        const Table table = data.table();
        const auto test = make_test("sci_f");
        const auto make = [&] { return std::make_unique<CountingTester>(table, *test); };
        SkeletonSearch found(12, {}, {}, {}, 12, 1000, true);
        found.run(
            [&](const Tasks& tasks, Answers& answers) { return separate(make, tasks, threads, nullptr, answers); });
        return found;
    };
    const SkeletonSearch alone = search(1), together = search(4);
    CHECK(std::ranges::equal(alone.adjacent(), together.adjacent()));
    CHECK(alone.tests() == together.tests());
    CHECK(alone.colliders() == together.colliders());
    CHECK(alone.batches().size() > 1);
    CHECK(alone.batches().size() == together.batches().size());
}
