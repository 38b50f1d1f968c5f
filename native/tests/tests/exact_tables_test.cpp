#include "tests/exact_tables.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bitsep/log_factorial.hpp"

using namespace bitsep;

namespace {

using Counts = std::vector<std::uint64_t>;

void add(ExactTables<X2Cells>& exact, Counts rows, Counts columns) {
    const auto total = std::accumulate(rows.begin(), rows.end(), std::uint64_t{0});
    std::ranges::sort(rows, std::greater());
    std::ranges::sort(columns, std::greater());
    if (exact.feasible_with(std::min(rows[1], columns[1]) + 1, total, static_cast<int>(rows.size() * columns.size())))
        exact.add(rows, columns);
}

} // namespace

TEST_CASE("one stratum: probabilities of all tables as far from independence") {
    ExactTables<X2Cells> exact;
    exact.clear();
    add(exact, {4, 4}, {4, 4}); // X² = 8, 2, 0, 2, 8 with weights 1, 16, 36, 16, 1
    CHECK(std::exp(*exact.log_tail(8)) == doctest::Approx(2.0 / 70));
    CHECK(std::exp(*exact.log_tail(2)) == doctest::Approx(34.0 / 70));
    CHECK(std::exp(*exact.log_tail(0)) == doctest::Approx(1));
}

TEST_CASE("strata are independent, and their order does not matter") {
    ExactTables<X2Cells> one, other;
    one.clear();
    other.clear();
    add(one, {4, 4}, {4, 4});
    add(one, {1, 2}, {2, 1}); // X² = 3 with probability 1/3, else 0.75
    add(other, {2, 1}, {1, 2});
    add(other, {4, 4}, {4, 4});
    CHECK(std::exp(*one.log_tail(8.75)) == doctest::Approx(2.0 / 70));
    CHECK(std::exp(*one.log_tail(11)) == doctest::Approx(2.0 / 210));
    for (const double x2 : {0.75, 2.75, 3.0, 5.0, 8.75, 11.0})
        CHECK(*one.log_tail(x2) == *other.log_tail(x2));
}

TEST_CASE("a probability below the smallest number of floating point has a logarithm") {
    constexpr std::uint64_t rows = 42'016, others = 128, n = rows + others, columns = 160; // others all in one column
    ExactTables<X2Cells> exact;
    exact.clear();
    add(exact, {rows, others}, {n - columns, columns});
    const double rest = columns - others,
                 x2 = n * (rest * rest / (rows * columns) + double{others} / columns + double{n - columns} / rows) - n;
    const double log_p =
        log_factorial(rows) + log_factorial(columns) - log_factorial(n) - log_factorial(columns - others);
    CHECK(log_p < -745);
    CHECK(*exact.log_tail(x2) == doctest::Approx(log_p).epsilon(1e-12));
}

TEST_CASE("too many values, cells or rows are refused") {
    const auto refuses = [](const Counts& rows, const Counts& columns) {
        ExactTables<X2Cells> exact;
        exact.clear();
        add(exact, rows, columns);
        return !exact.log_tail(1).has_value();
    };
    CHECK(refuses({300, 300}, {300, 300}));
    CHECK(refuses({20, 20, 20}, {20, 20, 20}));
    CHECK(refuses(Counts(9, 1), Counts(9, 1)));
    CHECK(refuses({5'000'000, 1}, {5'000'000, 1}));
    CHECK_FALSE(refuses({9'999, 1}, {9'998, 2}));
    CHECK_FALSE(refuses({255, 255}, {255, 255})); // 256 tables: just few enough
    CHECK(refuses({256, 256}, {256, 256}));
}
