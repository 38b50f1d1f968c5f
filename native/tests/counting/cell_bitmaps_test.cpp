#include "counting/cell_bitmaps.hpp"

#include <set>

#include "support.hpp"

using namespace bitsep;

namespace {

// The counts of a table [x][stratum][y], in any order of the strata: those of each y, by stratum.
using Tables = std::vector<std::multiset<std::vector<std::uint32_t>>>; // by x

Tables by_definition(const Data& data, std::size_t y, std::span<const std::int32_t> parents, std::size_t x) {
    std::map<std::vector<std::int8_t>, std::vector<std::vector<std::uint32_t>>> strata;
    const auto levels = [&](std::size_t variable) { return static_cast<std::size_t>(data.levels[variable]); };
    for (std::size_t row = 0; row < data.rows(); ++row) {
        std::vector<std::int8_t> stratum;
        for (const std::int32_t parent : parents)
            stratum.push_back(data.columns[static_cast<std::size_t>(parent)][row]);
        const std::int8_t i = data.columns[x][row], j = data.columns[y][row];
        if (std::ranges::any_of(stratum, [](auto code) { return code < 0; }))
            continue;
        auto& cells = strata[stratum];
        cells.resize(levels(x), std::vector<std::uint32_t>(levels(y)));
        if (i >= 0 && j >= 0)
            ++cells[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
    Tables tables(levels(x));
    for (const auto& [stratum, cells] : strata)
        for (std::size_t i = 0; i < cells.size(); ++i)
            tables[i].insert(cells[i]);
    return tables;
}

} // namespace

TEST_CASE("cells are counted with each of several parents more, by every kernel") {
    std::mt19937 random(7);
    for (std::size_t round = 0; round < 30; ++round) {
        const Data data = random_rows(random, random_levels(random, 7, 5), 1 + random() % 900, round % 2 * 0.1);
        const Table table = data.table();
        const std::vector<std::int32_t> all{2, 4, 6};
        const std::span<const std::int32_t> parents(all.data(), round % 4);
        const std::vector<std::size_t> more{1, 3, 5};
        for (const Kernel* kernel : available_kernels()) {
            force_kernel(kernel->name);
            CAPTURE(kernel->name);
            CellBitmaps bitmaps(table);
            REQUIRE(bitmaps.find(0, parents, 625));
            bitmaps.count(more);
            std::vector<std::uint32_t> cells;
            for (const std::size_t x : more) {
                bitmaps.next_table(cells);
                const auto levels_x = static_cast<std::size_t>(data.levels[x]);
                const auto levels_y = static_cast<std::ptrdiff_t>(data.levels[0]);
                REQUIRE(cells.size() == levels_x * bitmaps.strata() * static_cast<std::size_t>(levels_y));
                Tables found(levels_x);
                auto next = cells.begin();
                for (auto& table_of_x : found)
                    for (std::size_t stratum = 0; stratum < bitmaps.strata(); ++stratum, next += levels_y)
                        table_of_x.emplace(next, next + levels_y);
                CHECK(found == by_definition(data, 0, parents, x));
            }
        }
    }
    force_kernel("");
}

TEST_CASE("too many cells are refused") {
    std::mt19937 random(8);
    const Data data = random_rows(random, {3, 4, 4}, 1000);
    const Table table = data.table();
    CellBitmaps bitmaps(table);
    const std::vector<std::int32_t> parents{1, 2};
    CHECK(bitmaps.find(0, parents, 48));
    CHECK(bitmaps.strata() == 16);
    CHECK_FALSE(bitmaps.find(0, parents, 47));
    CHECK_FALSE(bitmaps.find(0, parents, 3));
    CHECK_FALSE(bitmaps.find(0, parents, 0));
}
