#include "bitsep/families.hpp"

#include "support.hpp"

using namespace bitsep;

TEST_CASE("families get the same scores from any number of threads and by any way of counting") {
    std::mt19937 random(4);
    const Data data = random_rows(random, {2, 3, 4, 2, 40}, 500);
    const Table table = data.table();
    const auto score = make_score("fnml");
    std::vector<std::int32_t> variables, parents;
    std::vector<std::int64_t> offsets{0};
    for (std::int32_t y = 0; y < 5; ++y)
        for (std::int32_t set = 0; set < 32; ++set)
            if ((set >> y & 1) == 0) {
                variables.push_back(y);
                for (std::int32_t x = 0; x < 5; ++x)
                    if ((set >> x & 1) != 0)
                        parents.push_back(x);
                offsets.push_back(static_cast<std::int64_t>(parents.size()));
            }
    const Families families{variables, {offsets, parents}};
    std::vector<Score::Length> one(variables.size()), three(variables.size());
    const Workers alone(1), together(3);
    CHECK(FamilyScorer(table, *score, alone).score_all(families, nullptr, one));
    CHECK(FamilyScorer(table, *score, together).score_all(families, nullptr, three));
    for (std::size_t i = 0; i < one.size(); ++i) {
        CHECK(one[i].bits == three[i].bits);
        CHECK(one[i].n == 500);
        Counter counter(table);
        if (!families.parents[i].empty()) {
            const auto x = static_cast<std::size_t>(families.parents[i][0]);
            const Counts cells =
                counter.counts(x, static_cast<std::size_t>(variables[i]), families.parents[i].subspan(1));
            const Sizes sizes{table.column(x).levels(), table.column(static_cast<std::size_t>(variables[i])).levels(),
                              1, 500};
            CHECK(one[i].bits == score_cells(*score, sizes, cells.stratum, cells.x, cells.y, cells.count).bits);
        }
    }
}
