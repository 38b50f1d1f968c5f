#include "threads/thread_pool.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include <doctest/doctest.h>

using namespace bitsep;

namespace {

struct Counting final : ThreadPool::Job {
    std::atomic<int> runs{0};

    void run() override { ++runs; }
};

} // namespace

TEST_CASE("workers run a job and are used again") {
    for (int repetition = 0; repetition < 3; ++repetition) {
        const auto job = std::make_shared<Counting>();
        ThreadPool::instance().submit(1, job);
        for (int i = 0; i < 10000 && job->runs == 0; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        CHECK(job->runs == 1);
    }
}

TEST_CASE("a job that was withdrawn is not begun afterwards") {
    const auto job = std::make_shared<Counting>();
    ThreadPool::instance().submit(1, job);
    ThreadPool::instance().withdraw(job);
    const int begun = job->runs; // at most one: a worker may have been faster
    CHECK(begun <= 1);
}
