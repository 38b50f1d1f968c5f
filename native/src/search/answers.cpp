#include "bitsep/answers.hpp"

namespace bitsep {

void Finding::clear() {
    separated = has_runner_up = false;
    tests = 0;
    given.clear();
    runner_up.clear();
    record = {};
}

void Answers::Sheet::reserve(std::size_t answers) {
    lines_.reserve(answers);
    records_.reserve(answers);
}

std::size_t Answers::Sheet::add(const Finding& found) {
    lines_.push_back({found.tests, records_.size(), variables_.size(), static_cast<std::uint32_t>(found.given.size()),
                      static_cast<std::uint32_t>(found.has_runner_up ? found.runner_up.size() : 0),
                      found.has_runner_up});
    records_.push_back(found.record);
    variables_.insert(variables_.end(), found.given.begin(), found.given.end());
    if (found.has_runner_up) {
        records_.push_back(found.runner_up_record);
        variables_.insert(variables_.end(), found.runner_up.begin(), found.runner_up.end());
    }
    tests_ += found.tests;
    return lines_.size() - 1;
}

Answers::Answer Answers::operator[](std::size_t task) const {
    static const Record none;
    const std::uint64_t place = places_[task];
    if (place == nowhere)
        return {false, false, 0, {}, {}, none, none};
    const Sheet& sheet = sheets_[place >> 1 & 0x7fff];
    const Sheet::Line& line = sheet.lines_[place >> 16];
    const std::int32_t* variables = sheet.variables_.data() + line.variable;
    const Record* records = sheet.records_.data() + line.record;
    return {(place & 1) != 0,
            line.has_runner_up,
            line.tests,
            {variables, line.given},
            {variables + line.given, line.runner_up},
            records[0],
            line.has_runner_up ? records[1] : none};
}

std::int64_t Answers::tests() const {
    std::int64_t tests = 0;
    for (const Sheet& sheet : sheets_)
        tests += sheet.tests();
    return tests;
}

} // namespace bitsep
