// Shares items among threads; the calling thread works too, and reports now and then.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bitsep/engine.hpp"
#include "bitsep/spin_lock.hpp"
#include "crew.hpp"

namespace bitsep {

// What threads tell each other, each on a cache line of its own: a line that one writes is lost to the others.
struct Shared {
    static constexpr std::size_t line = 128;

    // A thread's own items that nobody has taken yet, and how many it has done, of its own or of others.
    struct alignas(line) Lane {
        std::atomic<std::uint64_t> waiting{0}; // from the upper half to before the lower one
        std::atomic<std::size_t> finished{0};
    };

    // ends: where the items of each thread end.
    Shared(std::span<const std::size_t> ends, const Tick& told) : total(ends.back()), tick(told), lanes(ends.size()) {
        if (total > 0xffffffffu)
            throw std::length_error("one call takes at most 2^32 - 1 tests or searches: divide them among several");
        std::size_t begin = 0;
        for (std::size_t lane = 0; lane < ends.size(); begin = ends[lane++])
            lanes[lane].waiting.store(pack(begin, ends[lane]), std::memory_order_relaxed);
    }

    const std::size_t total;
    const Tick& tick;
    const std::uint64_t epoch = process_epoch();
    alignas(line) std::atomic<bool> stop{false};
    std::vector<Lane> lanes;

    // Calls the tick; a wish to stop is seen by all.
    void report() {
        std::size_t items = 0;
        for (const Lane& lane : lanes)
            items += lane.finished.load(std::memory_order_relaxed);
        if ((tick && !tick(items, total)) || epoch != process_epoch())
            stop.store(true, std::memory_order_relaxed);
    }

    // The next items for a thread, from `begin` to `end`: its own from the front, many while there are many left, then
    // those of others from the back, so that no thread is left alone with a heap of them. False: none are left.
    bool take(std::size_t thread, std::size_t most, std::size_t& begin, std::size_t& end) {
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            auto& waiting = lanes[(thread + i) % lanes.size()].waiting;
            std::uint64_t seen = waiting.load(std::memory_order_relaxed), left;
            do {
                begin = seen >> 32, end = seen & 0xffffffffu;
                if (begin >= end)
                    break;
                const std::size_t count = std::clamp<std::size_t>((end - begin) / 8, 1, most);
                if (i == 0) {
                    left = pack(begin + count, end);
                    end = begin + count;
                } else {
                    left = pack(begin, end - count);
                    begin = end - count;
                }
            } while (!waiting.compare_exchange_weak(seen, left, std::memory_order_relaxed));
            if (begin < end)
                return true;
        }
        return false;
    }

private:
    static std::uint64_t pack(std::uint64_t begin, std::uint64_t end) { return begin << 32 | end; }
};

// One thread's promise to look up now and then: whether to go on, and for the calling thread, to report in time.
class Pulse {
public:
    Pulse(Shared& shared, bool caller) : shared_(shared), caller_(caller && shared.tick) {}

    // Cheap enough to be called between tests: looks at the clock once in a while.
    bool operator()() {
        if (caller_ && ++calls_ % 16 == 0) {
            const auto now = std::chrono::steady_clock::now();
            if (now - last_ > std::chrono::milliseconds(50)) {
                last_ = now;
                shared_.report();
            }
        }
        return !shared_.stop.load(std::memory_order_relaxed);
    }

private:
    Shared& shared_;
    bool caller_;
    unsigned calls_ = 0;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// work(at_work, item, alive) for every item, at most `grain` at a time; alive() says whether to go on. ends: where the
// items of each thread end, of which there are as many; those who have done their own help the others. open(thread)
// makes what each thread works with. Returns false where the run was stopped. The first exception of any thread is
// thrown here.
template <class Open, class Work>
bool share(std::span<const std::size_t> ends, std::size_t grain, const Tick& tick, Open&& open, Work&& work) {
    const std::size_t lanes = ends.size();
    Shared shared(ends, tick);
    std::atomic<std::size_t> next_lane{1};
    std::exception_ptr failure;
    std::mutex failure_guard;

    const auto run = [&](std::size_t lane) {
        try {
            auto at_work = open(lane);
            Pulse alive(shared, lane == 0);
            auto& finished = shared.lanes[lane].finished;
            for (std::size_t begin, end; shared.take(lane, grain, begin, end);)
                for (std::size_t item = begin; item < end; ++item) {
                    if (!alive())
                        return;
                    work(at_work, item, alive);
                    finished.store(finished.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
                }
        } catch (...) {
            const std::lock_guard lock(failure_guard);
            if (!failure)
                failure = std::current_exception();
            shared.stop.store(true, std::memory_order_relaxed);
        }
    };

    {
        const std::function<void()> help = [&] { run(next_lane.fetch_add(1)); };
        Crew crew(lanes - 1, help);
        run(0);
        crew.dismiss();
        // Others may still be at work: wait wide awake first, for most are done in a moment, then give way to them, and
        // answer the caller's signals if it takes longer.
        const auto idle_since = std::chrono::steady_clock::now();
        while (!crew.done()) {
            const auto idle = std::chrono::steady_clock::now() - idle_since;
            if (idle < std::chrono::microseconds(50)) {
                pause_processor();
            } else if (idle < std::chrono::milliseconds(1)) {
                std::this_thread::yield();
            } else {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                shared.report();
            }
        }
    }
    if (shared.epoch != process_epoch())
        throw std::runtime_error("the process was forked during this call, by a progress callback; call again");
    if (failure)
        std::rethrow_exception(failure);
    return !shared.stop.load();
}

} // namespace bitsep
