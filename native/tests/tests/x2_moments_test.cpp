#include "tests/x2_moments.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

using namespace bitsep;

namespace {

Margin margin_of(const std::vector<std::uint64_t>& counts) {
    return {std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}),
            [&](auto&& take) { std::ranges::for_each(counts, take); }};
}

Cumulants native(const std::vector<std::uint64_t>& rows, const std::vector<std::uint64_t>& columns) {
    return x2_cumulants(std::accumulate(rows.begin(), rows.end(), std::uint64_t{0}), margin_of(rows),
                        margin_of(columns));
}

// Over all permutations of the rows of the data.
Cumulants by_permutations(const std::vector<std::uint64_t>& rows, const std::vector<std::uint64_t>& columns) {
    std::vector<std::size_t> x, y;
    for (std::size_t i = 0; i < rows.size(); ++i)
        x.insert(x.end(), rows[i], i);
    for (std::size_t j = 0; j < columns.size(); ++j)
        y.insert(y.end(), columns[j], j);
    std::vector<double> values;
    do {
        std::vector<double> cells(rows.size() * columns.size());
        for (std::size_t row = 0; row < x.size(); ++row)
            ++cells[x[row] * columns.size() + y[row]];
        double x2 = 0;
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (std::size_t j = 0; j < columns.size(); ++j) {
                const double expected = static_cast<double>(rows[i] * columns[j]) / static_cast<double>(x.size());
                const double d = cells[i * columns.size() + j] - expected;
                x2 += d * d / expected;
            }
        values.push_back(x2);
    } while (std::next_permutation(y.begin(), y.end()));
    const auto count = static_cast<double>(values.size());
    Cumulants k;
    k.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    for (const double value : values) {
        const double d = value - k.mean;
        k.variance += d * d / count;
        k.third += d * d * d / count;
    }
    return k;
}

} // namespace

TEST_CASE("the cumulants of X² are those over all permutations") {
    const std::vector<std::vector<std::uint64_t>> margins[] = {
        {{1, 1}, {2, 1}, {1, 2}, {1, 1, 1}}, // with the next line: pairs of different sizes are left out
        {{2, 2}, {3, 1}, {2, 1, 1}, {4, 1}, {2, 2, 1}, {3, 1, 1}, {1, 1, 1, 1, 1}},
        {{3, 3}, {5, 1}, {2, 2, 2}, {4, 1, 1}, {1, 1, 1, 1, 1, 1}},
        {{4, 3}, {6, 1}, {3, 2, 2}, {4, 2, 1}},
        {{4, 4}, {7, 1}, {3, 3, 2}, {5, 1, 1, 1}},
    };
    for (const auto& group : margins)
        for (const auto& rows : group)
            for (const auto& columns : group) {
                if (std::accumulate(rows.begin(), rows.end(), std::uint64_t{0}) !=
                    std::accumulate(columns.begin(), columns.end(), std::uint64_t{0}))
                    continue;
                const Cumulants found = native(rows, columns), expected = by_permutations(rows, columns);
                CHECK(found.mean == doctest::Approx(expected.mean));
                CHECK(found.variance == doctest::Approx(expected.variance).epsilon(1e-9));
                CHECK(found.third == doctest::Approx(expected.third).epsilon(1e-9));
            }
}

TEST_CASE("the extreme counts of a margin") {
    const Margin margin = margin_of({7, 30, 0, 3, 19});
    CHECK(margin.levels == 4);
    CHECK(margin.smallest == 3);
    CHECK(margin.second == 19);
    CHECK(margin.largest == 30);
    CHECK(margin_of({5}).second == 0);
    CHECK(margin_of({5, 5}).second == 5);
}

TEST_CASE("the cumulants do not depend on the order of levels") {
    const std::vector<std::uint64_t> rows{7, 30, 11, 3, 19}, columns{9, 1, 60};
    const Cumulants one = native(rows, columns), other = native({19, 3, 7, 11, 30}, {60, 9, 1});
    CHECK(one.mean == other.mean);
    CHECK(one.variance == other.variance);
    CHECK(one.third == other.third);
}

TEST_CASE("the cumulants do not depend on which variable is X") {
    const std::vector<std::uint64_t> rows{700'001, 30'003, 11'017, 3'005, 19'001}, columns{9'011, 1'003, 753'013};
    const Cumulants one = native(rows, columns), other = native(columns, rows);
    CHECK(one.mean == other.mean);
    CHECK(one.variance == other.variance);
    CHECK(one.third == other.third);
}

TEST_CASE("with many rows the cumulants are those of chi-square") {
    const std::uint64_t many = 1'000'000'000;
    const Cumulants k = native({many, many, 2 * many}, {many, 3 * many});
    CHECK(k.mean == doctest::Approx(2).epsilon(1e-6));
    CHECK(k.variance == doctest::Approx(4).epsilon(1e-6));
    CHECK(k.third == doctest::Approx(16).epsilon(1e-4));
}

// Expected values: tests/twins/calibrated.py, in rational arithmetic.
TEST_CASE("the cumulants where nearly every row has a level of its own") {
    const auto margin = [](std::size_t triples, std::size_t pairs, std::size_t singles) {
        std::vector<std::uint64_t> counts(triples, 3);
        counts.resize(triples + pairs, 2);
        counts.resize(triples + pairs + singles, 1);
        return counts;
    };
    const Cumulants many = native(margin(7, 500, 64'493), {40'000, 25'514});
    CHECK(many.mean == doctest::Approx(64999.99215422893).epsilon(1e-13));
    CHECK(many.variance == doctest::Approx(561.8296642033519).epsilon(1e-13));
    CHECK(many.third == doctest::Approx(-43.00744301517556).epsilon(1e-12));
    const Cumulants one_pair = native(margin(0, 1, 9'998), {5'000, 5'000});
    CHECK(one_pair.variance == doctest::Approx(0.9999999899979997).epsilon(1e-13));
    CHECK(one_pair.third == doctest::Approx(0.0002000199999995999).epsilon(1e-8));
    const Cumulants both = native(margin(1, 1, 995), margin(0, 3, 994));
    CHECK(both.variance == doctest::Approx(2737.220291587477).epsilon(1e-12));
    CHECK(both.third == doctest::Approx(846878.8414258492).epsilon(1e-11));
}
