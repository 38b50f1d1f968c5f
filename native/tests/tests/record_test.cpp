#include "bitsep/record.hpp"

#include <cmath>

#include <doctest/doctest.h>

using namespace bitsep;

TEST_CASE("scores are multiples of a power of two") {
    CHECK(rounded_score(1 + 0x1p-40, 100) == 1);
    CHECK(rounded_score(0x1p-30, 100) == 0x1p-30);
    CHECK(!std::signbit(rounded_score(-0x1p-40, 100)));
    const double large = rounded_score(1.2345, 1'000'000'000); // the grid is coarser
    CHECK(large != rounded_score(1.2345, 100));
    CHECK(large == doctest::Approx(1.2345).epsilon(1e-4));
}

TEST_CASE("the tolerance grows with the rows") {
    CHECK(zero_bits(100) == 1e-7);
    CHECK(zero_bits(std::int64_t{1} << 40) > 1e-7);
}
