#include "bitsep/complexity.hpp"

#include <utility>

#include <doctest/doctest.h>

using namespace bitsep;

namespace {

// C(n, k) by the recurrence C(n, k + 2) = C(n, k + 1) + (n / k) C(n, k), from C(n, 2) by its definition.
double log2_regret_by_definition(int n, int k) {
    if (k == 1)
        return 0;
    double before = 1, now = 0;
    for (int h = 0; h <= n; ++h) {
        const double p = static_cast<double>(h) / n;
        now += std::exp(std::lgamma(n + 1) - std::lgamma(h + 1) - std::lgamma(n - h + 1)) * std::pow(p, h) *
               std::pow(1 - p, n - h);
    }
    for (int j = 1; j + 1 < k; ++j)
        before = std::exchange(now, now + static_cast<double>(n) / j * before);
    return std::log2(now);
}

} // namespace

TEST_CASE("the regret is that of the definition") {
    for (const int n : {1, 2, 10, 100, 1000})
        for (const int k : {1, 2, 3, 10, 50})
            CHECK(log2_regret(n, k) == doctest::Approx(log2_regret_by_definition(n, k)).epsilon(1e-9));
    CHECK(log2_regret(0, 5) == 0);
    CHECK(log2_regret(1, 8) == 3);
}

TEST_CASE("tables and caches give the same regrets") {
    RegretOfRows of_rows;
    for (const std::int64_t k : {1, 2, 16, 17, 127, 128, 100000})
        for (const std::uint64_t n : {1u, 2u, 7u, 8u, 4095u, 4096u, 300000u}) {
            const double expected = log2_regret(static_cast<std::int64_t>(n), static_cast<double>(k));
            CHECK(RegretOfSize(k).get<NarrowSum>(n).bits() == doctest::Approx(expected).epsilon(1e-9));
            CHECK(RegretOfSize(k).get<WideSum>(n).bits() == RegretOfSize(k).get<NarrowSum>(n).bits());
            CHECK(of_rows(static_cast<std::int64_t>(n), static_cast<double>(k)) ==
                  doctest::Approx(expected).epsilon(1e-9));
        }
}

TEST_CASE("x log2 x") {
    const XLog2X& x_log2_x = XLog2X::table();
    CHECK(x_log2_x.get<NarrowSum>(0).bits() == 0);
    for (const std::uint64_t x : {1u, 8u, 4096u, 1u << 18, 1u << 20})
        CHECK(x_log2_x.get<WideSum>(x).bits() == static_cast<double>(x) * std::log2(static_cast<double>(x)));
    CHECK(x_log2_x.get<NarrowSum>(1 << 18).bits() == x_log2_x.get<WideSum>(1 << 18).bits());
}

TEST_CASE("the product of domain sizes does not depend on their order") {
    const std::vector<std::int64_t> sizes{3, 1'000'003, 999'983, 7, 1'000'033, 12},
        reversed(sizes.rbegin(), sizes.rend());
    CHECK(domain_product(sizes) == domain_product(reversed));
    CHECK(domain_product(std::vector<std::int64_t>(100, 1'000'000)) == 1e280);
    CHECK(domain_product({}) == 1);
}
