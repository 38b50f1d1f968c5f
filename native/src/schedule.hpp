// Shares items among threads; the calling thread works too, and reports now and then.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "bitsep/engine.hpp"

namespace bitsep {

// Threads that are joined when this goes out of scope (std::jthread, which not every standard library has yet).
class Helpers {
public:
    Helpers() = default;
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;
    ~Helpers() { join(); }

    template <class Run>
    void start(Run&& run) {
        threads_.emplace_back(std::forward<Run>(run));
    }
    bool empty() const { return threads_.empty(); }
    void join() {
        for (std::thread& thread : threads_)
            thread.join();
        threads_.clear();
    }

private:
    std::vector<std::thread> threads_;
};

// A promise to call the tick in time, for the calling thread; a wish to stop is seen by all.
class Pulse {
public:
    Pulse(const Tick& tick, std::atomic<bool>& stop, std::atomic<std::size_t>& finished, std::size_t total)
        : tick_(tick), stop_(stop), finished_(finished), total_(total) {}

    // Cheap enough to be called between tests: looks at the clock once in a while.
    bool alive(bool caller) {
        if (caller && tick_ && ++calls_ % 16 == 0) {
            const auto now = std::chrono::steady_clock::now();
            if (now - last_ > std::chrono::milliseconds(50)) {
                last_ = now;
                if (!tick_(finished_.load(std::memory_order_relaxed), total_))
                    stop_.store(true, std::memory_order_relaxed);
            }
        }
        return !stop_.load(std::memory_order_relaxed);
    }

private:
    const Tick& tick_;
    std::atomic<bool>& stop_;
    std::atomic<std::size_t>& finished_;
    std::size_t total_;
    unsigned calls_ = 0;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// work(tester, item, alive) for every item of 0..total-1, handed out in order, `grain` at a time; alive() says whether
// to go on. Returns false where the run was stopped. The first exception of any thread is thrown here.
template <class Work>
bool share(const MakeTester& make_tester, std::size_t total, std::size_t grain, int threads, const Tick& tick,
           Work&& work) {
    std::atomic<bool> stop{false};
    std::atomic<std::size_t> next{0}, finished{0};
    std::exception_ptr failure;
    std::mutex failure_guard;

    const auto run = [&](bool caller) {
        try {
            const auto tester = make_tester();
            Pulse pulse(tick, stop, finished, total);
            const auto alive = [&] { return pulse.alive(caller); };
            while (true) {
                const std::size_t begin = next.fetch_add(grain, std::memory_order_relaxed);
                if (begin >= total)
                    return;
                for (std::size_t item = begin; item < std::min(begin + grain, total); ++item) {
                    if (!alive())
                        return;
                    work(*tester, item, alive);
                    finished.fetch_add(1, std::memory_order_relaxed);
                }
            }
        } catch (...) {
            const std::lock_guard lock(failure_guard);
            if (!failure)
                failure = std::current_exception();
            stop.store(true, std::memory_order_relaxed);
        }
    };

    const std::size_t useful = (total + grain - 1) / grain;
    Helpers helpers;
    for (std::size_t i = 1; i < std::min(static_cast<std::size_t>(threads), useful); ++i)
        helpers.start([&run] { run(false); });
    run(true);
    // Others may still be at work: wait without sleeping first, for most are done in a moment, and answer the caller's
    // signals if it takes longer.
    const auto idle_since = std::chrono::steady_clock::now();
    while (!helpers.empty() && finished.load() < total && !stop.load()) {
        if (std::chrono::steady_clock::now() - idle_since < std::chrono::milliseconds(1)) {
            std::this_thread::yield();
            continue;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (tick && !tick(finished.load(), total))
            stop.store(true);
    }
    helpers.join();
    if (failure)
        std::rethrow_exception(failure);
    return !stop.load();
}

} // namespace bitsep
