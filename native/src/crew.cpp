#include "crew.hpp"
#include "bitsep/engine.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace bitsep {

using Work = std::function<void()>;

// How long a helper looks for new work before it sleeps: the time between two levels of a search.
constexpr auto patience = std::chrono::milliseconds(1);

struct Helper {
    std::atomic<const Work*> work{nullptr};
    std::atomic<bool> sleeping{false}, called{false};
    std::mutex guard;
    std::condition_variable wake;
    bool patient; // others need the core more where threads outnumber cores

    [[noreturn]] void live() {
        while (true) {
            (*next())();
            work.store(nullptr, std::memory_order_release);
        }
    }

    void start(const Work& job) {
        work.store(&job); // in this order: either the helper sees the work, or this sees it sleeping
        rouse();
    }

    // Work is about to come: look out for it.
    void call() {
        called.store(true);
        rouse();
    }

private:
    void rouse() {
        if (sleeping.load()) {
            const std::lock_guard lock(guard);
            wake.notify_one();
        }
    }

    const Work* next() {
        while (true) {
            if (const Work* job = look_out())
                return job;
            std::unique_lock lock(guard);
            sleeping.store(true);
            wake.wait(lock, [this] { return work.load() != nullptr || called.load(); });
            sleeping.store(false);
            called.store(false);
        }
    }

    // Work that is there, or comes within the helper's patience.
    const Work* look_out() {
        const auto since = std::chrono::steady_clock::now();
        while (patient && std::chrono::steady_clock::now() - since < patience) {
            for (int i = 0; i < 64; ++i) {
                if (const Work* job = work.load(std::memory_order_acquire))
                    return job;
#if defined(__x86_64__) && defined(__GNUC__)
                __builtin_ia32_pause();
#endif
            }
        }
        return work.load();
    }
};

namespace {

// Idle helpers. They are never ended: the process takes them along.
struct Bench {
    std::mutex guard;
    std::vector<Helper*> idle;
};

std::atomic<Bench*> bench{nullptr};

Bench& the_bench() {
    static std::once_flag once;
    std::call_once(once, [] {
        bench.store(new Bench);
#if defined(__unix__) || defined(__APPLE__)
        // A forked process has none of the threads: it starts with an empty bench, and the old one is left behind.
        pthread_atfork(nullptr, nullptr, [] { bench.store(new Bench); });
#endif
    });
    return *bench.load();
}

Helper* new_helper(bool patient) {
    auto* helper = new Helper;
    helper->patient = patient;
    std::thread([helper] { helper->live(); }).detach();
    return helper;
}

} // namespace

void call_helpers(std::size_t helpers) {
    if (helpers == 0)
        return;
    Bench& idle = the_bench();
    const std::lock_guard lock(idle.guard);
    while (idle.idle.size() < helpers)
        idle.idle.push_back(new_helper(idle.idle.size() + 1 < std::thread::hardware_concurrency()));
    for (std::size_t i = idle.idle.size() - helpers; i < idle.idle.size(); ++i)
        idle.idle[i]->call();
}

Crew::Crew(std::size_t helpers, const Work& work) {
    if (helpers == 0)
        return;
    Bench& idle = the_bench();
    {
        const std::lock_guard lock(idle.guard);
        const std::size_t ready = std::min(helpers, idle.idle.size());
        helpers_.assign(idle.idle.end() - static_cast<std::ptrdiff_t>(ready), idle.idle.end());
        idle.idle.resize(idle.idle.size() - ready);
    }
    while (helpers_.size() < helpers)
        helpers_.push_back(new_helper(helpers_.size() + 1 < std::thread::hardware_concurrency()));
    for (Helper* helper : helpers_)
        helper->start(work);
}

bool Crew::done() const {
    return std::all_of(helpers_.begin(), helpers_.end(),
                       [](const Helper* helper) { return helper->work.load(std::memory_order_acquire) == nullptr; });
}

Crew::~Crew() {
    while (!done())
        std::this_thread::yield();
    if (helpers_.empty())
        return;
    Bench& idle = the_bench();
    const std::lock_guard lock(idle.guard);
    idle.idle.insert(idle.idle.end(), helpers_.begin(), helpers_.end());
}

} // namespace bitsep
