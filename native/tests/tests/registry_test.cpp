#include <limits>
#include <set>

#include <doctest/doctest.h>

#include "bitsep/test.hpp"

using namespace bitsep;

TEST_CASE("every test can be made with its defaults and each of its choices") {
    std::set<std::string_view> names;
    for (const TestEntry& entry : tests()) {
        CAPTURE(entry.name);
        CHECK(names.insert(entry.name).second);
        CHECK(!entry.title.empty());
        CHECK(make_test(entry.name) != nullptr);
        for (const Option& option : entry.options)
            for (const std::string_view choice : option.choices)
                CHECK(make_test(entry.name, 0.1, {{std::string(option.name), std::string(choice)}}) != nullptr);
    }
}

TEST_CASE("what does not fit is refused") {
    CHECK_THROWS_AS(make_test("none"), std::invalid_argument);
    CHECK_THROWS_AS(make_test("sci_f", 1.0), std::invalid_argument);
    CHECK_THROWS_AS(make_test("sci_f", {}, {{"z_size", "product"}}), std::invalid_argument);
    CHECK_THROWS_AS(make_test("sci_q", {}, {{"z_size", "large"}}), std::invalid_argument);
    CHECK_THROWS_AS(make_test("sci_q", {}, {{"z_size", 1.0}}), std::invalid_argument);
    CHECK_THROWS_AS(make_test("cmi", {}, {{"threshold", -1.0}}), std::invalid_argument);
    CHECK_THROWS_AS(make_test("cmi", {}, {{"threshold", "0"}}), std::invalid_argument);
    CHECK_THROWS_AS(make_test("sci_f", {}, {}, -0.5), std::invalid_argument);
    CHECK_THROWS_AS(make_test("sci_f", {}, {}, std::numeric_limits<double>::infinity()), std::invalid_argument);
}
