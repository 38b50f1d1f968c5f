#include "bitsep/answers.hpp"

#include <doctest/doctest.h>

using namespace bitsep;

TEST_CASE("answers are found by task") {
    Answers answers(2, 1);
    Answers::ThreadResults results;
    Finding found;
    found.tests = 3;
    found.separated = true;
    found.given = {4, 7};
    answers.set(1, 0, results.add(found), found.separated);
    answers.merge(0, std::move(results));
    CHECK(answers.separated(1));
    CHECK(answers[1].tests == 3);
    CHECK(std::vector<std::int32_t>(answers[1].given.begin(), answers[1].given.end()) == found.given);
    CHECK(!answers[1].has_runner_up);
    CHECK(answers[1].runner_up.empty());
    CHECK(answers.tests() == 3);
}

TEST_CASE("a task that was stopped has no answer") {
    const Answers answers(1, 1);
    CHECK(!answers.separated(0));
    CHECK(answers[0].tests == 0);
    CHECK(answers[0].given.empty());
}
