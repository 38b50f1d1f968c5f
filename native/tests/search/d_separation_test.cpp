#include "bitsep/d_separation.hpp"

#include <doctest/doctest.h>

using namespace bitsep;

TEST_CASE("colliders block until they or their descendants are given") {
    const std::vector<std::int32_t> from{0, 1, 2}, to{2, 2, 3}; // 0 -> 2 <- 1, 2 -> 3
    const DagBitsets dag(4, from, to);
    SeparationTester tester(dag);
    const std::vector<std::int32_t> collider{2}, descendant{3};
    CHECK(tester.separated(0, 1, {}));
    CHECK(!tester.separated(0, 1, collider));
    CHECK(!tester.separated(0, 1, descendant));
    CHECK(tester.separated(0, 3, collider));
}

TEST_CASE("cycles are refused") {
    const std::vector<std::int32_t> from{0, 1}, to{1, 0};
    CHECK_THROWS_AS(DagBitsets(2, from, to), std::invalid_argument);
}
