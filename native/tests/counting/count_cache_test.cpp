#include "bitsep/count_cache.hpp"

#include <algorithm>

#include "support.hpp"

using namespace bitsep;

TEST_CASE("tables are found by their set") {
    CountCache cache(10, 1 << 20);
    CountCache::Writer writer(cache);
    const std::vector<std::int32_t> pair{2, 5}, other{2, 6}, triple{2, 5, 6};
    std::uint32_t* cells = writer.reserve(4);
    std::fill_n(cells, 4, 7u);
    writer.publish(CountCache::Key(pair));
    REQUIRE(cache.find(CountCache::Key(pair)) == cells);
    CHECK(cache.find(CountCache::Key(pair))[3] == 7);
    CHECK(cache.find(CountCache::Key(other)) == nullptr);
    CHECK(cache.find(CountCache::Key(triple)) == nullptr);
}

TEST_CASE("a full cache changes no result") {
    std::mt19937 random(4);
    const Data data = random_rows(random, std::vector<std::int64_t>(38, 16), 300);
    const Table table = data.table();
    const auto first = table.cache();
    const auto test = make_test("sci_f");
    Counter counter(table);
    for (std::int32_t x = 0; x < 38; ++x)
        for (std::int32_t y = x + 1; y < 38; ++y)
            for (std::int32_t v = y + 1; v < 38; ++v) {
                const auto a = static_cast<std::size_t>(x), b = static_cast<std::size_t>(y);
                const Record record = counter.test(*test, a, b, {&v, 1}, Way::margins);
                if ((x + y + v) % 50 == 0)
                    CHECK(same(record, counter.test(*test, a, b, {&v, 1}, Way::sort)));
            }
    CHECK(first->full());
    CHECK(!table.cache()->full());
}
