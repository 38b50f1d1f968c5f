// The primitive: many tests at once (evaluate), and searches for separators (separate), across threads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bitsep/answers.hpp"
#include "bitsep/counter.hpp"
#include "bitsep/test.hpp"
#include "bitsep/workers.hpp"

namespace bitsep {

// Rows of different lengths, flat.
struct Ragged {
    std::span<const std::int64_t> offsets;
    std::span<const std::int32_t> items;

    std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
    std::span<const std::int32_t> operator[](std::size_t row) const {
        if (offsets.empty())
            return {};
        return items.subspan(static_cast<std::size_t>(offsets[row]),
                             static_cast<std::size_t>(offsets[row + 1] - offsets[row]));
    }
};

struct Queries {
    std::span<const std::int32_t> x, y;
    Ragged given;
};

// For each task: for every size from min_size to max_size the subsets of `first`, in lexicographic order, then those of
// `second` that are not subsets of `first`; each joined with `always`.
struct Tasks {
    std::span<const std::int32_t> x, y;
    Ragged first, second, always;
    std::int64_t min_size = 0, max_size = 0;
    bool stop_at_first = true; // else all are tried and the lowest score is kept
    // `first` has one row per variable, `second` none: the pools of a task are the row of x without y, and that of y
    // without x.
    bool pools_of_variables = false;
};

// Called on the calling thread a few times a second with (finished, total); false stops the run.
using Tick = std::function<bool(std::size_t, std::size_t)>;

// Computes tests; each thread has its own.
class Tester {
public:
    virtual ~Tester() = default;
    virtual Record test(std::int32_t x, std::int32_t y, std::span<const std::int32_t> given) = 0;
};
using MakeTester = std::function<std::unique_ptr<Tester>()>;

// Both return false if the tick asked to stop; results do not depend on the number of threads.
bool evaluate(const MakeTester& make_tester, const Queries& queries, const Workers& workers, const Tick& tick,
              std::span<Record> results);
bool separate(const MakeTester& make_tester, const Tasks& tasks, const Workers& workers, const Tick& tick,
              Answers& answers);

// Adds the dense counts of every query to its part of `cells` (see Counter::add_dense).
void count_dense(const Table& table, const Queries& queries, std::span<const std::int64_t> offsets,
                 std::span<std::int64_t> cells, const Workers& workers);

// Tests from counts.
class CountingTester final : public Tester {
public:
    CountingTester(const Table& table, const Test& test) : counter_(table), test_(test) {}
    Record test(std::int32_t x, std::int32_t y, std::span<const std::int32_t> given) override {
        return counter_.test(test_, static_cast<std::size_t>(x), static_cast<std::size_t>(y), given);
    }

private:
    Counter counter_;
    const Test& test_;
};

} // namespace bitsep
