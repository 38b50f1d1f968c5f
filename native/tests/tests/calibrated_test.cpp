#include <cmath>

#include "bitsep/chi_square.hpp"
#include "table_of_counts.hpp"
#include "tests/x2_law.hpp"

using namespace bitsep;

TEST_CASE("x2_calibrated has the statistic of x2 and a score from its p-value") {
    const std::vector<std::int64_t> cells{300, 100, 90, 510, 9, 0, 1, 0, 200, 220, 180, 210};
    const auto test = make_test("x2_calibrated", 0.01);
    const Record record = judge(*test, 2, 2, cells);
    CHECK(record.statistic == judge(*make_test("x2"), 2, 2, cells).statistic);
    CHECK(record.df == 2); // in the second stratum Y is constant
    CHECK(record.threshold_bits == -std::log2(0.01));
    CHECK(std::log2(test->p_value(record)) == doctest::Approx(std::log2(0.01) - record.score_bits));
    CHECK(!record.independent);
}

TEST_CASE("a law with the cumulants of chi-square is chi-square") {
    const X2Law law({6, 12, 48}, {});
    for (const double x2 : {0.5, 4.0, 12.0, 60.0, 4000.0})
        CHECK(law.log_tail(x2) == doctest::Approx(log_chi_square_tail(x2, 6)));
    CHECK(std::exp(law.log_tail(12.0)) == doctest::Approx(chi_square_tail(12, 6)));
}

TEST_CASE("a law that is skewed to the left") {
    const X2Law law({6, 12, -48}, {}); // 12 - chi-square
    CHECK(std::exp(law.log_tail(10)) == doctest::Approx(1 - chi_square_tail(2, 6)));
    CHECK(std::isfinite(law.log_tail(13)));
}

TEST_CASE("rare large jumps are apart") {
    const double size = 1000, rate = 0.001;
    Jump jumps[] = {{size, rate, 0}};
    const X2Law law({6 + size * rate, 12 + size * size * rate * (1 - rate), 48 + 1e6}, jumps);
    const auto tail = [&](double x2) { return std::exp(law.log_tail(x2)); };
    CHECK(tail(12) == doctest::Approx(chi_square_tail(12, 6)).epsilon(0.05));
    CHECK(tail(500) == doctest::Approx(rate).epsilon(0.01));
    CHECK(tail(1100) < 1e-10);
    CHECK(std::isfinite(law.log_tail(1e9)));
}

TEST_CASE("logarithms of both tails of chi-square") {
    for (const double df : {0.3, 1.0, 7.0, 300.0, 1e5})
        for (const double share : {0.5, 0.9, 1.0, 1.1, 2.0}) {
            const double x = df * share;
            CHECK(std::exp(log_chi_square_tail(x, df)) == doctest::Approx(chi_square_tail(x, df)).epsilon(1e-9));
            CHECK(std::exp(log_chi_square_lower_tail(x, df)) ==
                  doctest::Approx(1 - chi_square_tail(x, df)).epsilon(1e-9));
        }
    CHECK(log_chi_square_tail(1e6, 2) == doctest::Approx(-5e5)); // exp(-x/2)
    CHECK(log_chi_square_lower_tail(1e-200, 2) == doctest::Approx(-200 * std::log(10) - std::log(2)));
    CHECK(log_chi_square_tail(2e10, 2e10) == doctest::Approx(std::log(0.5)).epsilon(1e-3));
}
