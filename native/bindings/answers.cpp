#include "answers.hpp"

namespace bitsep::bindings {

nb::tuple pack(const Answers& found) {
    std::vector<std::uint8_t> separated, has_runner_up;
    std::vector<std::int64_t> tests, given_offsets{0}, runner_up_offsets{0};
    std::vector<std::int32_t> given, runner_up;
    std::vector<Record> records, runner_up_records;
    separated.reserve(found.size());
    has_runner_up.reserve(found.size());
    tests.reserve(found.size());
    given_offsets.reserve(found.size() + 1);
    runner_up_offsets.reserve(found.size() + 1);
    records.reserve(found.size());
    runner_up_records.reserve(found.size());
    for (std::size_t task = 0; task < found.size(); ++task) {
        const Answers::Answer one = found[task];
        separated.push_back(one.separated);
        has_runner_up.push_back(one.has_runner_up);
        tests.push_back(one.tests);
        given.insert(given.end(), one.given.begin(), one.given.end());
        given_offsets.push_back(static_cast<std::int64_t>(given.size()));
        runner_up.insert(runner_up.end(), one.runner_up.begin(), one.runner_up.end());
        runner_up_offsets.push_back(static_cast<std::int64_t>(runner_up.size()));
        records.push_back(one.record);
        runner_up_records.push_back(one.runner_up_record);
    }
    return nb::make_tuple(array_of(std::move(separated)), array_of(std::move(given_offsets)),
                          array_of(std::move(given)), bytes_of(records), array_of(std::move(has_runner_up)),
                          array_of(std::move(runner_up_offsets)), array_of(std::move(runner_up)),
                          bytes_of(runner_up_records), array_of(std::move(tests)));
}

Answers unpack(const nb::tuple& arrays, std::size_t count, std::size_t variables) {
    if (arrays.size() != 9)
        throw std::invalid_argument("answer: must have nine arrays.");
    const auto separated = nb::cast<In<std::uint8_t>>(arrays[0]), record = nb::cast<In<std::uint8_t>>(arrays[3]);
    const auto has_runner_up = nb::cast<In<std::uint8_t>>(arrays[4]), other = nb::cast<In<std::uint8_t>>(arrays[7]);
    const Ragged32 given{nb::cast<In<std::int64_t>>(arrays[1]), nb::cast<In<std::int32_t>>(arrays[2])};
    const Ragged32 runner_up{nb::cast<In<std::int64_t>>(arrays[5]), nb::cast<In<std::int32_t>>(arrays[6])};
    const auto tests = nb::cast<In<std::int64_t>>(arrays[8]);
    check_rows(ragged_of(given), count, variables);
    check_rows(ragged_of(runner_up), count, variables);
    if (separated.shape(0) != count || has_runner_up.shape(0) != count || tests.shape(0) != count ||
        record.shape(0) != count * sizeof(Record) || other.shape(0) != count * sizeof(Record))
        throw std::invalid_argument("answer: must have one entry per task.");
    Answers answers(count, 1);
    Answers::ThreadResults results;
    Finding found;
    const auto assign = [](std::vector<std::int32_t>& set, std::span<const std::int32_t> variables_of) {
        set.assign(variables_of.begin(), variables_of.end());
    };
    for (std::size_t i = 0; i < count; ++i) {
        found.separated = separated.data()[i] != 0;
        found.has_runner_up = has_runner_up.data()[i] != 0;
        found.tests = tests.data()[i];
        assign(found.given, ragged_of(given)[i]);
        assign(found.runner_up, ragged_of(runner_up)[i]);
        std::memcpy(&found.record, record.data() + i * sizeof(Record), sizeof(Record));
        std::memcpy(&found.runner_up_record, other.data() + i * sizeof(Record), sizeof(Record));
        answers.set(i, 0, results.add(found), found.separated);
    }
    answers.merge(0, std::move(results));
    return answers;
}

} // namespace bitsep::bindings
