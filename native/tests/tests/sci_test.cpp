#include <cmath>

#include "bitsep/complexity.hpp"
#include "table_of_counts.hpp"

using namespace bitsep;

namespace {

double c(std::int64_t n, double k) {
    return log2_regret(n, k);
}

const std::vector<std::int64_t> cells{30, 10, 10, 50}; // X and Y of two levels, no Z: margins 40 and 60

} // namespace

TEST_CASE("sci_f compares the information with the regrets of both directions") {
    const Record record = judge(*make_test("sci_f"), 2, 2, cells);
    const double threshold = c(40, 2) + c(60, 2) - c(100, 2); // the same in both directions
    CHECK(record.n == 100);
    CHECK(record.threshold_bits == doctest::Approx(threshold).epsilon(1e-10));
    CHECK(record.score_bits == doctest::Approx(record.information_bits - threshold).epsilon(1e-8));
    CHECK(!record.independent);
    CHECK(std::isnan(record.df));
}

TEST_CASE("sci_q takes |Z| as observed or as the product") {
    const std::vector<std::int64_t> two_strata{30, 10, 10, 50, 0, 0, 0, 0};
    const auto threshold = [](double kz) { return (c(100, 4 * kz) - c(100, 2 * kz)) - (c(100, 2 * kz) - c(100, kz)); };
    CHECK(judge(*make_test("sci_q"), 2, 2, two_strata).threshold_bits == doctest::Approx(threshold(1)).epsilon(1e-10));
    const auto product = make_test("sci_q", {}, {{"z_size", "product"}});
    CHECK(judge(*product, 2, 2, two_strata).threshold_bits == doctest::Approx(threshold(2)).epsilon(1e-10));
}

TEST_CASE("sci_fs takes |XY| as the product or as observed") {
    const std::vector<std::int64_t> three_pairs{30, 0, 10, 60};
    const auto threshold = [](double kxy) { return c(100, kxy) - 2 * c(100, 2); };
    CHECK(judge(*make_test("sci_fs"), 2, 2, three_pairs).threshold_bits ==
          doctest::Approx(threshold(4)).epsilon(1e-10));
    const auto observed = make_test("sci_fs", {}, {{"xy_size", "observed"}});
    CHECK(judge(*observed, 2, 2, three_pairs).threshold_bits == doctest::Approx(threshold(3)).epsilon(1e-10));
    CHECK(judge(*observed, 2, 2, {100, 0, 0, 0}).threshold_bits == doctest::Approx(threshold(1)).epsilon(1e-10));
}

TEST_CASE("alpha asks for more bits and leaves the bound as it is") {
    const auto plain = make_test("sci_f"), strict = make_test("sci_f", 0.25);
    const Record without = judge(*plain, 2, 2, cells), with = judge(*strict, 2, 2, cells);
    CHECK(with.threshold_bits == without.threshold_bits + 2);
    CHECK(!plain->alpha());
    CHECK(strict->alpha() == 0.25);
    const double bound = std::pow(2.0, without.threshold_bits - without.information_bits);
    CHECK(plain->hypercompression_bound(without) == doctest::Approx(bound).epsilon(1e-10));
    CHECK(strict->hypercompression_bound(with) == doctest::Approx(bound).epsilon(1e-10));
    CHECK(std::isnan(plain->p_value(without)));
}
