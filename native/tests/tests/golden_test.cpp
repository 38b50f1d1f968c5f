#include "golden.hpp"

#include <cmath>

#include "bitsep/chi_square.hpp"
#include "bitsep/complexity.hpp"
#include "scores/table_of_counts.hpp"
#include "tests/table_of_counts.hpp"

using namespace bitsep;

namespace {

// Equal up to rounding; NaN where there is no such value.
bool near(double found, double expected, double absolute = 1e-8) {
    if (std::isnan(expected))
        return std::isnan(found);
    return found == expected || std::abs(found - expected) <= absolute + 1e-9 * std::abs(expected);
}

} // namespace

TEST_CASE("every test has the values of its twin") {
    for (const golden::TestValue& value : golden::tests) {
        CAPTURE(value.name);
        CAPTURE(value.cells.size());
        const auto test = make_test(value.name, std::isnan(value.alpha) ? std::nullopt : std::optional(value.alpha));
        const Record record = judge(*test, value.kx, value.ky, value.cells);
        const double slack = std::max(1e-8, 4 * zero_bits(record.n) * (record.n > 1 << 20));
        CHECK(near(record.information_bits, value.information_bits, slack));
        if (record.n > 1 << 20) { // the twin does not know the others
            if (!std::isnan(value.threshold_bits))
                CHECK(near(record.threshold_bits, value.threshold_bits, slack));
            if (!std::isnan(value.statistic))
                CHECK(near(record.statistic, value.statistic, slack));
            continue;
        }
        CHECK(near(record.threshold_bits, value.threshold_bits));
        CHECK(near(record.score_bits, value.score_bits));
        CHECK(near(record.statistic, value.statistic));
        CHECK(near(record.df, value.df));
        CHECK(near(test->p_value(record), value.p_value, 1e-10));
        CHECK(near(test->hypercompression_bound(record), value.bound));
        CHECK(record.independent == (value.score_bits <= 1e-7));
    }
}

TEST_CASE("every score has the values of its twin") {
    for (const golden::ScoreValue& value : golden::scores) {
        CAPTURE(value.name);
        const bool bdeu = value.name == std::string_view("bdeu");
        const auto score =
            make_score(value.name, bdeu ? Settings::Values{{"sample_size", value.sample_size}} : Settings::Values{});
        CHECK(near(length(*score, value.kx, value.ky, value.cells).bits, value.bits));
    }
}

TEST_CASE("regrets in many digits") {
    for (const auto& [n, k, expected] : golden::regrets) {
        CAPTURE(n);
        CAPTURE(k);
        const double relative = k == 2 ? 2e-14 : 1e-12; // the former is a series
        CHECK(std::abs(log2_regret(n, k) - expected) <=
              relative * expected + (std::min<double>(n, k) > 1e5 ? 1e-8 : 0));
    }
}

TEST_CASE("tails and quantiles of chi-square in many digits") {
    for (const golden::TailValue& value : golden::tails) {
        CAPTURE(value.x);
        CAPTURE(value.df);
        CHECK(chi_square_tail(value.x, value.df) == doctest::Approx(value.upper).epsilon(1e-11));
        CHECK(log_chi_square_tail(value.x, value.df) == doctest::Approx(value.log_upper).epsilon(1e-10));
        CHECK(log_chi_square_lower_tail(value.x, value.df) == doctest::Approx(value.log_lower).epsilon(1e-10));
    }
    for (const auto& [alpha, df, quantile] : golden::quantiles)
        CHECK(chi_square_quantile(alpha, df) == doctest::Approx(quantile).epsilon(1e-11));
}
