// Which thread runs which tasks of a batch, and in which order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "bitsep/engine.hpp"

namespace bitsep {

inline double binomial(std::size_t n, std::int64_t k) {
    double value = 1;
    for (std::int64_t i = 1; i <= k; ++i)
        value = value * (static_cast<double>(n) - static_cast<double>(k - i)) / static_cast<double>(i);
    return std::max(value, 0.0);
}

// Where the items of each thread end if all have the same number; at least one thread, at most one per item.
inline std::vector<std::size_t> equal_parts(std::size_t total, std::size_t threads) {
    std::vector<std::size_t> ends(std::max<std::size_t>(1, std::min(threads, total)));
    for (std::size_t part = 0; part < ends.size(); ++part)
        ends[part] = total * (part + 1) / ends.size();
    return ends;
}

// Which thread runs which tasks. Each has neighboring tasks: they share variables, and so counts that are in the cache
// of its processor. The longest tasks come first, so that those that other threads take from the end are short.
struct TaskOrder {
    std::vector<std::size_t> order, ends; // the tasks in order, and where those of each thread end

    TaskOrder(const Tasks& tasks, std::size_t threads)
        : order(tasks.x.size()), ends(equal_parts(order.size(), threads)) {
        std::iota(order.begin(), order.end(), std::size_t{0});
        if (tasks.max_size == 0)
            return; // one test each
        const std::vector<double> tests = tests_at_most(tasks);
        const auto parts = static_cast<double>(ends.size());
        const double share = std::accumulate(tests.begin(), tests.end(), 0.0) / parts;
        std::size_t begin = 0;
        for (std::size_t part = 0; part < ends.size(); begin = ends[part++]) {
            if (part + 1 < ends.size()) {
                double taken = 0;
                for (ends[part] = begin; ends[part] < tests.size() && taken < share; ++ends[part])
                    taken += tests[ends[part]];
            }
            longest_first(tests, begin, ends[part]);
        }
    }

private:
    static std::vector<double> tests_at_most(const Tasks& tasks) {
        const auto sets = [&](const Ragged& pools) {
            std::vector<double> number(pools.size());
            for (std::size_t row = 0; row < number.size(); ++row)
                number[row] = binomial(pools[row].size(), tasks.max_size);
            return number;
        };
        const std::vector<double> first = sets(tasks.first), second = sets(tasks.second);
        std::vector<double> tests(tasks.x.size(), 1.0);
        for (std::size_t task = 0; task < tests.size(); ++task)
            if (tasks.pools_of_variables)
                tests[task] +=
                    first[static_cast<std::size_t>(tasks.x[task])] + first[static_cast<std::size_t>(tasks.y[task])];
            else
                tests[task] += (first.empty() ? 0.0 : first[task]) + (second.empty() ? 0.0 : second[task]);
        return tests;
    }

    // Tasks of about the same length stay in their order, next to their neighbors. For few tasks length is finer.
    void longest_first(const std::vector<double>& tests, std::size_t begin, std::size_t end) {
        constexpr std::uint64_t lengths = 512;
        const int bits = end - begin < 64 ? 3 : 1; // of the mantissa, besides the exponent
        const auto length = [&](std::size_t task) {
            const std::uint64_t size = (std::bit_cast<std::uint64_t>(tests[task]) >> (52 - bits)) - (1023u << bits);
            return lengths - 1 - std::min(size, lengths - 1);
        };
        std::array<std::size_t, lengths + 1> place{};
        for (std::size_t task = begin; task < end; ++task)
            ++place[length(task) + 1];
        std::partial_sum(place.begin(), place.end(), place.begin());
        for (std::size_t task = begin; task < end; ++task)
            order[begin + place[length(task)]++] = task;
    }
};

} // namespace bitsep
