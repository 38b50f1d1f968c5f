#include <cmath>

#include "bitsep/complexity.hpp"
#include "table_of_counts.hpp"

using namespace bitsep;

namespace {

const std::vector<std::int64_t> cells{30, 10, 10, 50}; // Y of two levels in the two strata of one parent

double entropy(double a, double b) {
    return -a * std::log2(a / (a + b)) - b * std::log2(b / (a + b));
}
const double bits = entropy(30, 10) + entropy(10, 50);

} // namespace

TEST_CASE("fnml adds the regret of every stratum") {
    const double expected = bits + log2_regret(40, 2) + log2_regret(60, 2);
    CHECK(length(*make_score("fnml"), 2, 2, cells).bits == doctest::Approx(expected).epsilon(1e-12));
    CHECK(length(*make_score("fnml"), 2, 2, cells).n == 100);
}

TEST_CASE("qnml and bic use the product of the domain sizes, whether all strata occur or not") {
    const std::vector<std::int64_t> with_empty{30, 10, 10, 50, 0, 0, 0, 0};
    const double qnml = bits + log2_regret(100, 8) - log2_regret(100, 4);
    CHECK(length(*make_score("qnml"), 2, 2, with_empty).bits == doctest::Approx(qnml).epsilon(1e-12));
    CHECK(length(*make_score("bic"), 2, 2, with_empty).bits ==
          doctest::Approx(bits + 2 * std::log2(100.0)).epsilon(1e-12));
}

TEST_CASE("sparse_qnml has the regret of the occupied cells, and each pays for its place in the domain") {
    const double dense = bits + log2_regret(100, 4) - log2_regret(100, 2);
    CHECK(length(*make_score("sparse_qnml"), 2, 2, cells).bits == doctest::Approx(dense).epsilon(1e-12));
    const double half_empty = dense + 4 * std::log2(8.0 / 4) - 2 * std::log2(4.0 / 2);
    CHECK(length(*make_score("sparse_qnml"), 2, 2, {30, 10, 10, 50, 0, 0, 0, 0}).bits ==
          doctest::Approx(half_empty).epsilon(1e-12));
}

TEST_CASE("sparse_qnml pays for the number of empty cells in strata that occur") {
    const double one_empty =
        entropy(30, 10) + log2_regret(100, 3) + 3 * std::log2(4.0 / 3) - log2_regret(100, 2) + 2 * std::log2(2.0);
    CHECK(length(*make_score("sparse_qnml"), 2, 2, {30, 10, 0, 60}).bits == doctest::Approx(one_empty).epsilon(1e-12));
}

TEST_CASE("sparse_qnml has at least the regret of Y where parents explain nothing") {
    const std::vector<std::int64_t> a_row_each{1, 0, 0, 1, 1, 0, 0, 1}; // strata 0 to 3
    const double places = 2 * std::log2(1.0 + 4) + 4 * std::log2(8.0 / 4);
    CHECK(length(*make_score("sparse_qnml"), 4, 2, a_row_each).bits ==
          doctest::Approx(places + log2_regret(4, 2)).epsilon(1e-12));
    const double own = 2 * entropy(1, 1) + log2_regret(4, 4) - log2_regret(4, 2);
    CHECK(length(*make_score("sparse_qnml"), 2, 2, {1, 1, 1, 1}).bits == doctest::Approx(own).epsilon(1e-12));
}

TEST_CASE("no rows take no bits") {
    for (const ScoreEntry& entry : scores())
        CHECK(length(*entry.make(Settings(entry.options, {}, {})), 2, 2, {0, 0, 0, 0}).bits == 0);
}
