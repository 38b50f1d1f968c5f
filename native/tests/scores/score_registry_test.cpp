#include "table_of_counts.hpp"

#include <set>

using namespace bitsep;

TEST_CASE("names of scores are unique, and unknown ones are refused") {
    std::set<std::string_view> names;
    for (const ScoreEntry& entry : scores())
        CHECK(names.insert(entry.name).second);
    CHECK_THROWS_AS(make_score("none"), std::invalid_argument);
    CHECK_THROWS_AS(make_score("bic", {{"sample_size", 1.0}}), std::invalid_argument);
}
