#include <cmath>
#include <numbers>

#include "bitsep/chi_square.hpp"
#include "table_of_counts.hpp"

using namespace bitsep;

namespace {

const std::vector<std::int64_t> cells{30, 10, 10, 50, 9, 0, 1, 0}; // in the second stratum Y is constant

} // namespace

TEST_CASE("g2 is twice the information in nats") {
    const auto test = make_test("g2");
    const Record record = judge(*test, 2, 2, cells);
    CHECK(record.statistic == doctest::Approx(2 * std::numbers::ln2 * record.information_bits));
    CHECK(record.df == 2);
    CHECK(test->alpha() == 0.05);
    CHECK(test->p_value(record) == chi_square_tail(record.statistic, 2));
    CHECK(record.threshold_bits == doctest::Approx(chi_square_quantile(0.05, 2) / (2 * std::numbers::ln2)));
}

TEST_CASE("g2_adjusted counts occupied rows and columns") {
    CHECK(judge(*make_test("g2_adjusted"), 2, 2, cells).df == 1);
}

TEST_CASE("half the threshold is twice the statistic") {
    const auto half = make_test("cmi_gamma_halved"), whole = make_test("cmi_gamma");
    const Record one = judge(*half, 2, 2, cells), other = judge(*whole, 2, 2, cells);
    CHECK(one.threshold_bits == other.threshold_bits / 2);
    CHECK(one.statistic == other.statistic);
    CHECK(half->p_value(one) == chi_square_tail(2 * one.statistic, 2));
}

TEST_CASE("x2 is the sum of squared deviations") {
    const auto test = make_test("x2", 0.01);
    const Record record = judge(*test, 2, 2, {30, 10, 10, 50});
    double x2 = 0;
    for (const auto [count, expected] : {std::pair{30, 16.0}, {10, 24.0}, {10, 24.0}, {50, 36.0}})
        x2 += (count - expected) * (count - expected) / expected;
    CHECK(record.statistic == doctest::Approx(x2));
    CHECK(record.score_bits == doctest::Approx((x2 - chi_square_quantile(0.01, 1)) / (2 * std::numbers::ln2)));
}

TEST_CASE("x2 of many levels fits its sum") {
    constexpr std::int64_t levels = 64, count = 7'813;
    std::vector<std::int64_t> diagonal(levels * levels);
    for (std::size_t level = 0; level < levels; ++level)
        diagonal[level * (levels + 1)] = count;
    CHECK(judge(*make_test("x2"), levels, levels, diagonal).statistic == count * levels * (levels - 1));
}

TEST_CASE("too few rows per degree of freedom mean independence") {
    const auto test = make_test("g2", {}, {{"min_rows_per_df", 60.0}});
    const Record record = judge(*test, 2, 2, cells);
    CHECK(record.independent);
    CHECK(std::isinf(record.threshold_bits));
    CHECK(test->p_value(record) == 1);
}

TEST_CASE("as many rows as asked for are enough") {
    const auto test = make_test("g2", {}, {{"min_rows_per_df", 55.0}}); // 110 rows, 2 degrees of freedom
    CHECK(std::isfinite(judge(*test, 2, 2, cells).threshold_bits));
}
