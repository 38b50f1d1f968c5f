// Divides items among the threads of a call. The calling thread works too, and reports progress.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "bitsep/engine.hpp"
#include "bitsep/process.hpp"
#include "bitsep/workers.hpp"

namespace bitsep {

// Items that no thread has taken yet, and how many are finished. What one thread writes often has a cache line of its
// own.
class ItemRanges {
public:
    // One range per thread, of the same length; at most one per item.
    ItemRanges(std::size_t total, std::size_t threads)
        : total_(total), ranges_(std::max<std::size_t>(1, std::min(threads, total))) {
        if (total > 0xffffffffu)
            throw std::length_error("queries: one call takes at most 2^32 - 1; divide them among several calls.");
        const auto end_of = [&](std::size_t thread) { return total * thread / ranges_.size(); };
        for (std::size_t thread = 0; thread < ranges_.size(); ++thread)
            ranges_[thread].untaken.store(pack(end_of(thread), end_of(thread + 1)), std::memory_order_relaxed);
    }

    std::size_t total() const { return total_; }
    std::size_t threads() const { return ranges_.size(); }
    std::size_t finished() const {
        std::size_t items = 0;
        for (const Range& range : ranges_)
            items += range.finished.load(std::memory_order_relaxed);
        return items;
    }
    void finish_one(std::size_t thread) {
        auto& finished = ranges_[thread].finished; // written by this thread only
        finished.store(finished.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }

    // The next items for a thread, from `begin` to `end`: from the front of its own range, an eighth of the rest but at
    // most `grain`; when that is empty, from the back of the others'. False if no items are left.
    bool take(std::size_t thread, std::size_t grain, std::size_t& begin, std::size_t& end) {
        for (std::size_t i = 0; i < ranges_.size(); ++i) {
            auto& untaken = ranges_[(thread + i) % ranges_.size()].untaken;
            std::uint64_t seen = untaken.load(std::memory_order_relaxed), left;
            do {
                begin = seen >> 32, end = seen & 0xffffffffu;
                if (begin >= end)
                    break;
                const std::size_t count = std::clamp<std::size_t>((end - begin) / 8, 1, grain);
                if (i == 0) {
                    left = pack(begin + count, end);
                    end = begin + count;
                } else {
                    left = pack(begin, end - count);
                    begin = end - count;
                }
            } while (!untaken.compare_exchange_weak(seen, left, std::memory_order_relaxed));
            if (begin < end)
                return true;
        }
        return false;
    }

private:
    struct alignas(128) Range {
        std::atomic<std::uint64_t> untaken{0}; // the begin in the upper half, the end in the lower half
        std::atomic<std::size_t> finished{0};  // by the thread with this number, from any range
    };
    static std::uint64_t pack(std::uint64_t begin, std::uint64_t end) { return begin << 32 | end; }

    std::size_t total_;
    std::vector<Range> ranges_;
};

// Calls work(context, item, go_on) for every item, at most `grain` items at a time; go_on() is cheap and returns false
// once the run must stop. make_context(thread) makes what each thread works with. Returns false if the tick stopped the
// run. Throws the first exception of any thread.
template <class MakeContext, class Work>
bool for_each_item(const Workers& workers, std::size_t total, std::size_t grain, const Tick& tick,
                   MakeContext&& make_context, Work&& work) {
    using Clock = std::chrono::steady_clock;
    constexpr auto report_interval = std::chrono::milliseconds(50);
    const std::uint64_t epoch = process_epoch();
    ItemRanges items(total, workers.threads());
    std::atomic<bool> stop{false};
    std::exception_ptr failure;
    std::mutex failure_mutex;

    const auto catching = [&](auto&& part) {
        try {
            part();
        } catch (...) {
            const std::lock_guard lock(failure_mutex);
            if (!failure)
                failure = std::current_exception();
            stop.store(true, std::memory_order_relaxed);
        }
    };
    const auto report = [&] {
        if ((tick && !tick(items.finished(), items.total())) || epoch != process_epoch())
            stop.store(true, std::memory_order_relaxed);
    };
    const auto run = [&](std::size_t thread) {
        auto context = make_context(thread);
        const bool reports = thread == 0 && tick;
        unsigned calls = 0;
        auto last_report = Clock::now();
        const auto go_on = [&] {
            if (reports && ++calls % 16 == 0)
                if (const auto now = Clock::now(); now - last_report > report_interval) {
                    last_report = now;
                    report();
                }
            return !stop.load(std::memory_order_relaxed);
        };
        for (std::size_t begin, end; items.take(thread, grain, begin, end);)
            for (std::size_t item = begin; item < end; ++item) {
                if (!go_on())
                    return;
                work(context, item, go_on);
                items.finish_one(thread);
            }
    };

    std::atomic<std::size_t> next_thread{1};
    const std::function<void()> help = [&] {
        if (const std::size_t thread = next_thread.fetch_add(1); thread < items.threads())
            catching([&] { run(thread); });
    };
    workers.start(items.threads() - 1, help);
    catching([&] { run(0); });
    while (!workers.finished_within(report_interval))
        catching(report);
    if (epoch != process_epoch())
        throw std::runtime_error("progress: the callback forked the process during this call; call again.");
    if (failure)
        std::rethrow_exception(failure);
    return !stop.load();
}

} // namespace bitsep
