// The results of searches for separators, by task.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bitsep/record.hpp"

namespace bitsep {

// The result of one task: the best set and the second best.
struct Finding {
    bool separated = false, has_runner_up = false;
    std::int64_t tests = 0;
    std::vector<std::int32_t> given, runner_up;
    Record record, runner_up_record;

    void clear();
};

// The results of all tasks of a call. Each thread appends them to results of its own, and tasks refer to these: an
// entry has as many records and variables as it needs, and no two threads write to the same cache lines.
class Answers {
public:
    // One result; valid as long as the Answers.
    struct Answer {
        bool separated, has_runner_up;
        std::int64_t tests;
        std::span<const std::int32_t> given, runner_up;
        const Record &record, &runner_up_record;
    };

    // The results of one thread.
    class ThreadResults {
    public:
        std::size_t add(const Finding& found); // returns the number of the entry
        void reserve(std::size_t entries);
        std::int64_t tests() const { return tests_; }

    private:
        friend class Answers;
        struct Entry {
            std::int64_t tests;
            std::size_t record, variable;   // where its records and variables begin; the best set comes first
            std::uint32_t given, runner_up; // the numbers of variables
            bool has_runner_up;
        };
        std::vector<Entry> entries_;
        std::vector<Record> records_;
        std::vector<std::int32_t> variables_;
        std::int64_t tests_ = 0; // of all entries
    };

    Answers() = default;
    // threads: at most 32,767.
    Answers(std::size_t tasks, std::size_t threads) : places_(tasks, unanswered), results_(threads) {}

    // The result of the task is this entry of this thread. Several threads may call it at once, for different tasks.
    void set(std::size_t task, std::size_t thread, std::size_t entry, bool separated) {
        places_[task] = static_cast<std::uint64_t>(entry) << 16 | thread << 1 | static_cast<std::uint64_t>(separated);
    }
    void merge(std::size_t thread, ThreadResults&& results) { results_[thread] = std::move(results); }

    std::size_t size() const { return places_.size(); }
    bool separated(std::size_t task) const { return places_[task] != unanswered && (places_[task] & 1) != 0; }
    Answer operator[](std::size_t task) const;
    std::int64_t tests() const; // of all tasks

private:
    static constexpr std::uint64_t unanswered = ~std::uint64_t{0}; // the run was stopped before this task

    std::vector<std::uint64_t> places_;  // entry, thread, separated
    std::vector<ThreadResults> results_; // by thread
};

} // namespace bitsep
