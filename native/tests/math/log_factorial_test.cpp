#include "bitsep/log_factorial.hpp"

#include <cmath>
#include <initializer_list>

#include <doctest/doctest.h>

TEST_CASE("logarithms of factorials") {
    CHECK(bitsep::log_factorial(0) == 0);
    CHECK(bitsep::log_factorial(5) == doctest::Approx(std::log(120)).epsilon(1e-15));
    for (const std::uint64_t k : {4094u, 4095u, 4096u, 4097u, 100'000u}) {
        CHECK(bitsep::log_factorial(k + 1) - bitsep::log_factorial(k) ==
              doctest::Approx(std::log(static_cast<double>(k + 1))).epsilon(1e-10));
        CHECK(bitsep::log_factorial(k) == doctest::Approx(std::lgamma(static_cast<double>(k) + 1)).epsilon(1e-14));
    }
}
