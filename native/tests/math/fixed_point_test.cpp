#include "bitsep/fixed_point.hpp"

#include <random>

#include <doctest/doctest.h>

using namespace bitsep;

TEST_CASE("sums in one word and in two are the same") {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> term(0, 1000);
    NarrowSum narrow;
    WideSum wide;
    for (int i = 0; i < 1000; ++i) {
        const double a = term(random), b = term(random);
        narrow += NarrowSum::of(a) - NarrowSum::of(b);
        wide += WideSum::of(a) - WideSum::of(b);
    }
    CHECK(narrow.bits() == wide.bits());
    CHECK((NarrowSum::of(1) - NarrowSum::of(2)).or_zero().bits() == 0);
    CHECK((WideSum::of(1) - WideSum::of(2)).or_zero().bits() == 0);
    CHECK((NarrowSum::of(2) - NarrowSum::of(1)).or_zero().bits() == 1);
    CHECK((WideSum::of(0x1p50) - WideSum::of(0x1p50)).bits() == 0);
}

TEST_CASE("sums have the bits of their terms") {
    CHECK(NarrowSum().bits() == 0);
    CHECK(WideSum().bits() == 0);
    for (const double bits : {0x1p-40, 0.5, 1.0, 1 + 0x1p-40, 1000.75, 0x1p22}) {
        CHECK(NarrowSum::of(bits).bits() == bits);
        CHECK(NarrowSum::of_small(bits).bits() == bits);
        CHECK(WideSum::of(bits).bits() == bits);
        CHECK(WideSum::of_small(bits).bits() == bits);
        CHECK((WideSum::of(bits) + WideSum::of(0.75)).bits() == bits + 0.75);
        CHECK((WideSum::of(bits) - WideSum::of(0.75)).bits() == bits - 0.75);
        CHECK((NarrowSum::of(bits) + NarrowSum::of(0.75)).bits() == bits + 0.75);
        CHECK((NarrowSum::of(bits) - NarrowSum::of(0.75)).bits() == bits - 0.75);
    }
    CHECK(WideSum::of(0x1p50 + 0.5).bits() == 0x1p50 + 0.5);
    CHECK(WideSum::of_units((std::int64_t{3} << 40) + 5).bits() == 3 + 5 * 0x1p-40);
    CHECK(WideSum::of_units(-1).bits() == -0x1p-40);
    CHECK(NarrowSum::of_units(-1).bits() == -0x1p-40);
    CHECK((NarrowSum::of(0x1p24 + 0.25) - NarrowSum::of(0x1p24)).bits() == 0.25); // terms beyond one word cancel
    CHECK(units_of(0x1p-41) == 1);                                                // to the nearest, halves up
    CHECK(units_of(0x1.8p-42) == 0);
}
