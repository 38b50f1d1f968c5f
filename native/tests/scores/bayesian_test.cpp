#include <cmath>

#include "table_of_counts.hpp"

using namespace bitsep;

namespace {

// -log2 of the probability of a sequence under a Dirichlet prior, one symbol after the other.
double sequential(const std::vector<int>& counts, double a) {
    double bits = 0, total = 0;
    for (const int count : counts)
        for (int i = 0; i < count; ++i)
            bits -= std::log2((a + i) / (a * static_cast<double>(counts.size()) + total++));
    return bits;
}

} // namespace

TEST_CASE("bdeu is the length of coding one symbol after the other") {
    for (const double size : {0.1, 1.0, 7.0}) {
        const auto score = make_score("bdeu", {{"sample_size", size}});
        const double expected = sequential({30, 10}, size / 4) + sequential({1, 500}, size / 4);
        CHECK(length(*score, 2, 2, {30, 10, 1, 500}).bits == doctest::Approx(expected).epsilon(1e-12));
    }
}

TEST_CASE("bdeu needs a positive sample size") {
    CHECK_THROWS_AS(make_score("bdeu", {{"sample_size", 0.0}}), std::invalid_argument);
}
