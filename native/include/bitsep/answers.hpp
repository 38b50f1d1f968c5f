// What searches for separators found, task by task.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bitsep/record.hpp"

namespace bitsep {

// What a search found out about one task: the set that came out best, and the one after it.
struct Finding {
    bool separated = false, has_runner_up = false;
    std::int64_t tests = 0;
    std::vector<std::int32_t> given, runner_up;
    Record record, runner_up_record;

    void clear();
};

// The answers to all tasks of a call. Every thread writes them one after the other on a sheet of its own: memory that
// another thread has set up, or writes nearby, is slow to write to. The tasks only know where to look.
class Answers {
public:
    // One answer, to be looked at while all are there.
    struct Answer {
        bool separated, has_runner_up;
        std::int64_t tests;
        std::span<const std::int32_t> given, runner_up;
        const Record &record, &runner_up_record;
    };

    // What one thread found.
    class Sheet {
    public:
        std::size_t add(const Finding& found);
        void reserve(std::size_t answers);
        std::int64_t tests() const { return tests_; }

    private:
        friend class Answers;
        struct Line { // where an answer's records and variables begin; the best set comes first
            std::int64_t tests;
            std::size_t record, variable;
            std::uint32_t given, runner_up; // how many variables
            bool has_runner_up;
        };
        std::vector<Line> lines_;
        std::vector<Record> records_;
        std::vector<std::int32_t> variables_;
        std::int64_t tests_ = 0; // of all answers
    };

    Answers() = default;
    // sheets: at most 32,767.
    Answers(std::size_t tasks, std::size_t sheets) : places_(tasks, nowhere), sheets_(sheets) {}

    // The sheet with this number knows the answer to the task. Threads may do so at the same time, for different tasks.
    void note(std::size_t task, std::size_t sheet, std::size_t line, bool separated) {
        places_[task] = static_cast<std::uint64_t>(line) << 16 | sheet << 1 | static_cast<std::uint64_t>(separated);
    }
    void hand_in(std::size_t number, Sheet&& sheet) { sheets_[number] = std::move(sheet); }

    std::size_t size() const { return places_.size(); }
    bool separated(std::size_t task) const { return places_[task] != nowhere && (places_[task] & 1) != 0; }
    Answer operator[](std::size_t task) const;
    std::int64_t tests() const; // in all

private:
    static constexpr std::uint64_t nowhere = ~std::uint64_t{0}; // a search that was stopped has not answered

    std::vector<std::uint64_t> places_; // line, sheet, separated
    std::vector<Sheet> sheets_;
};

} // namespace bitsep
