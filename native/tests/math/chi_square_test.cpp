#include "bitsep/chi_square.hpp"

#include <cmath>

#include <doctest/doctest.h>

using namespace bitsep;

TEST_CASE("quantiles invert the tail") {
    for (const double df : {1.0, 2.0, 5.0, 100.0, 1e6})
        for (const double alpha : {0.5, 0.05, 1e-6})
            CHECK(chi_square_tail(chi_square_quantile(alpha, df), df) == doctest::Approx(alpha).epsilon(1e-9));
}

TEST_CASE("known values") {
    CHECK(chi_square_tail(3.0, 2) == doctest::Approx(std::exp(-1.5)).epsilon(1e-12));
    CHECK(chi_square_tail(3.0, 1) == doctest::Approx(std::erfc(std::sqrt(1.5))).epsilon(1e-12));
    CHECK(chi_square_tail(3.0, 0) == 1);
    CHECK(chi_square_quantile(0.05, 0) == 0);
}

TEST_CASE("cached thresholds are the quantiles") {
    const ChiSquareThresholds thresholds(0.01);
    for (int repetition = 0; repetition < 2; ++repetition)
        for (const double df : {1.0, 2.0, 77.0})
            CHECK(thresholds(df) == chi_square_quantile(0.01, df));
}

TEST_CASE("logarithms of tails with very many degrees of freedom") {
    const double df = 1e11;
    struct {
        double above, upper, lower; // both tails by mpmath
    } values[] = {{4000000.0, -43.121017220730046, -1.8740456555824107e-19},
                  {300000.0, -1.3816363624837935, -0.28923957271767897},
                  {17900000.0, -805.5385053905393, 0.0}};
    for (const auto& value : values) {
        CHECK(log_chi_square_tail(df + value.above, df) == doctest::Approx(value.upper).epsilon(1e-5));
        CHECK(chi_square_tail(df + value.above, df) == doctest::Approx(std::exp(value.upper)).epsilon(1e-3));
        CHECK(log_chi_square_lower_tail(df + value.above, df) == doctest::Approx(value.lower).epsilon(1e-5));
    }
}
