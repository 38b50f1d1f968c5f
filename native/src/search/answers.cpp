#include "bitsep/answers.hpp"

namespace bitsep {

void Finding::clear() {
    separated = has_runner_up = false;
    tests = 0;
    given.clear();
    runner_up.clear();
    record = {};
}

void Answers::ThreadResults::reserve(std::size_t entries) {
    entries_.reserve(entries);
    records_.reserve(entries);
}

std::size_t Answers::ThreadResults::add(const Finding& found) {
    entries_.push_back({found.tests, records_.size(), variables_.size(), static_cast<std::uint32_t>(found.given.size()),
                        static_cast<std::uint32_t>(found.has_runner_up ? found.runner_up.size() : 0),
                        found.has_runner_up});
    records_.push_back(found.record);
    variables_.insert(variables_.end(), found.given.begin(), found.given.end());
    if (found.has_runner_up) {
        records_.push_back(found.runner_up_record);
        variables_.insert(variables_.end(), found.runner_up.begin(), found.runner_up.end());
    }
    tests_ += found.tests;
    return entries_.size() - 1;
}

Answers::Answer Answers::operator[](std::size_t task) const {
    static const Record none;
    const std::uint64_t place = places_[task];
    if (place == unanswered)
        return {false, false, 0, {}, {}, none, none};
    const ThreadResults& results = results_[place >> 1 & 0x7fff];
    const ThreadResults::Entry& entry = results.entries_[place >> 16];
    const std::int32_t* variables = results.variables_.data() + entry.variable;
    const Record* records = results.records_.data() + entry.record;
    return {(place & 1) != 0,
            entry.has_runner_up,
            entry.tests,
            {variables, entry.given},
            {variables + entry.given, entry.runner_up},
            records[0],
            entry.has_runner_up ? records[1] : none};
}

std::int64_t Answers::tests() const {
    std::int64_t tests = 0;
    for (const ThreadResults& results : results_)
        tests += results.tests();
    return tests;
}

} // namespace bitsep
