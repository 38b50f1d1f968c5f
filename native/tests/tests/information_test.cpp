#include <cmath>

#include "table_of_counts.hpp"

using namespace bitsep;

namespace {

const std::vector<std::int64_t> cells{30, 10, 10, 50, 5, 5, 5, 5}; // two strata

} // namespace

TEST_CASE("cmi has a threshold in bits per row") {
    const auto test = make_test("cmi", {}, {{"threshold", 0.25}});
    CHECK(judge(*test, 2, 2, cells).threshold_bits == 30);
    CHECK(judge(*make_test("cmi"), 2, 2, cells).threshold_bits == 0);
}

TEST_CASE("jic has half a logarithm per parameter") {
    const Record record = judge(*make_test("jic"), 2, 2, cells);
    CHECK(record.threshold_bits == doctest::Approx(std::log2(120.0)));
    CHECK(record.strata == 2);
}

TEST_CASE("the information is zero where X is constant or the strata are balanced") {
    CHECK(judge(*make_test("cmi"), 2, 2, {7, 13, 0, 0}).information_bits == 0);
    CHECK(judge(*make_test("cmi"), 2, 2, {10, 20, 20, 40}).independent);
    CHECK(judge(*make_test("cmi"), 2, 2, {8, 0, 0, 8}).information_bits == 16);
}

TEST_CASE("neither alpha nor a p-value") {
    const auto test = make_test("jic", 0.01);
    const Record record = judge(*test, 2, 2, cells);
    CHECK(!test->alpha());
    CHECK(std::isnan(test->p_value(record)));
    CHECK(std::isnan(test->hypercompression_bound(record)));
}

TEST_CASE("a smallest effect raises every threshold by bits per row, and changes neither information nor p-values") {
    for (const TestEntry& entry : tests()) {
        CAPTURE(entry.name);
        const auto plain = make_test(entry.name), raised = make_test(entry.name, {}, {}, 0.25);
        const Record before = judge(*plain, 2, 2, cells), after = judge(*raised, 2, 2, cells);
        CHECK(after.threshold_bits == before.threshold_bits + 30);
        CHECK(after.score_bits == doctest::Approx(before.score_bits - 30));
        CHECK(after.information_bits == before.information_bits);
        const auto same = [](double one, double two) {
            return (std::isnan(one) && std::isnan(two)) || one == doctest::Approx(two);
        };
        CHECK(same(raised->p_value(after), plain->p_value(before)));
        CHECK(same(raised->hypercompression_bound(after), plain->hypercompression_bound(before)));
    }
}

TEST_CASE("without rows there is neither information nor a threshold") {
    for (const char* name : {"cmi", "jic"}) {
        const Record record = judge(*make_test(name), 2, 2, {0, 0, 0, 0});
        CHECK(record.information_bits == 0);
        CHECK(record.threshold_bits == 0);
        CHECK(record.independent);
    }
}
