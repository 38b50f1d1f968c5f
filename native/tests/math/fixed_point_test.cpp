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
