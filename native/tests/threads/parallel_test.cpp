#include "threads/parallel.hpp"

#include <thread>

#include <doctest/doctest.h>

using namespace bitsep;

TEST_CASE("every item is taken once, whatever thread takes it") {
    constexpr std::size_t items = 1000, threads = 3;
    ItemRanges ranges(items, threads + 1); // the last range has no thread of its own
    std::vector<std::atomic<int>> taken(items);
    std::vector<std::thread> running;
    for (std::size_t thread = 0; thread < threads; ++thread)
        running.emplace_back([&, thread] {
            std::size_t begin = 0, end = 0;
            while (ranges.take(thread, 16, begin, end))
                for (std::size_t item = begin; item < end; ++item) {
                    ++taken[item];
                    ranges.finish_one(thread);
                }
        });
    for (std::thread& thread : running)
        thread.join();
    CHECK(std::ranges::all_of(taken, [](const auto& times) { return times == 1; }));
    CHECK(ranges.finished() == items);
}
