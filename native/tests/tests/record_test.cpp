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
    CHECK(zero_bits(1 << 20) == 1e-7); // 8 eps n log2 n is 4e-8 here
    CHECK(zero_bits(std::int64_t{1} << 40) > 1e-7);
}

TEST_CASE("the grid of scores is the first power of two above 4 eps n log2 n") {
    for (std::int64_t n = 1'000'000; n < 1'000'000'000'000; n = n * 9 / 8) {
        const double most = 0x1p-50 * static_cast<double>(n) * std::log2(static_cast<double>(n));
        double grid = 0x1p-30;
        while (grid <= most)
            grid *= 2;
        CHECK(rounded_score(0.49 * grid, n) == 0);
        CHECK(rounded_score(0.51 * grid, n) == grid);
    }
}
