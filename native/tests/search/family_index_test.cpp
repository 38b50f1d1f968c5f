#include "search/family_index.hpp"

#include <map>

#include "support.hpp"

using namespace bitsep;

TEST_CASE("families have numbers in the order of their first appearance") {
    std::mt19937 random(1);
    std::map<std::pair<std::int32_t, std::vector<std::int32_t>>, std::size_t> numbers;
    FamilyIndex index;
    for (std::size_t i = 0; i < 20000; ++i) { // enough to grow several times
        const auto variable = static_cast<std::int32_t>(random() % 4);
        std::vector<std::int32_t> parents;
        for (std::int32_t v = 0; v < 12; ++v)
            if (random() % 2 == 0)
                parents.push_back(v == 11 ? UINT16_MAX - 1 : v);
        const std::size_t expected = numbers.try_emplace({variable, parents}, numbers.size()).first->second;
        REQUIRE(index.number_of(variable, parents) == expected);
        REQUIRE(index.size() == numbers.size());
    }
}
