#include "crew.hpp"
#include "bitsep/engine.hpp"
#include "bitsep/kernels.hpp"
#include "bitsep/spin_lock.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif
#if defined(__linux__)
#include <sched.h>
#endif

namespace bitsep {

using Work = std::function<void()>;

// How long a helper looks for new work before it sleeps: wide awake between two levels of a search, then giving way to
// others, for the time between two searches of a loop. Waking a sleeping processor takes as long as hundreds of tests.
constexpr auto alert = std::chrono::milliseconds(1), patience = std::chrono::milliseconds(10);

// Where a thread may run. Linux alone is asked: it may wake a sleeping thread on the very core of the one that wakes
// it, and leave both there for milliseconds while others are idle.
class Whereabouts {
public:
#if defined(__linux__)
    // Before it wakes: anywhere but on this core, if there is another.
    void keep_off(pthread_t thread) {
        cpu_set_t others;
        const int here = sched_getcpu();
        if (changed_ || here < 0 || pthread_getaffinity_np(thread, sizeof usual_, &usual_) != 0)
            return;
        others = usual_;
        CPU_CLR(here, &others);
        changed_ = CPU_COUNT(&others) != 0 && pthread_setaffinity_np(thread, sizeof others, &others) == 0;
    }
    // Once it is awake: as before.
    void set_free() {
        if (changed_)
            pthread_setaffinity_np(pthread_self(), sizeof usual_, &usual_);
        changed_ = false;
    }

private:
    cpu_set_t usual_;
    bool changed_ = false;
#else
    void keep_off(std::thread::native_handle_type) {}
    void set_free() {}
#endif
};

struct Helper {
    explicit Helper(bool waits) : patient_(waits) {
        std::thread thread([this] { live(); });
        thread_ = thread.native_handle();
        thread.detach();
    }

    [[noreturn]] void live() {
        while (true) {
            (*next())();
            working_.store(false, std::memory_order_release);
        }
    }

    void offer(const Work& job) {
        offered_.store(&job); // in this order: either the helper sees the work, or this sees it sleeping
        rouse();
    }

    // Takes back what the helper has not begun: a processor that was asleep may take longer to wake than all the work.
    void withdraw() { offered_.store(nullptr); }

    bool working() const { return working_.load(); }

    // Work is about to come: look out for it.
    void call() {
        called_.store(true);
        rouse();
    }

private:
    void rouse() {
        if (!sleeping_.load())
            return;
        {
            const std::lock_guard lock(guard_);
            if (sleeping_.load())
                whereabouts_.keep_off(thread_);
        }
        wake_.notify_one(); // not before: it would only wait for the lock
    }

    const Work* next() {
        while (true) {
            if (const Work* job = look_out())
                return job;
            std::unique_lock lock(guard_);
            sleeping_.store(true);
            wake_.wait(lock, [this] { return offered_.load() != nullptr || called_.load(); });
            sleeping_.store(false);
            called_.store(false);
            whereabouts_.set_free();
        }
    }

    // Work that is there, or comes within the helper's patience.
    const Work* look_out() {
        const auto since = std::chrono::steady_clock::now();
        std::chrono::steady_clock::duration waited{0};
        do {
            stay_warm();
            for (int i = 0; i < 64; ++i) {
                if (const Work* job = accept())
                    return job;
                pause_processor();
            }
            if (waited > alert)
                std::this_thread::yield();
            waited = std::chrono::steady_clock::now() - since;
        } while (patient_ && waited < patience);
        return nullptr;
    }

    // A processor that has not used its widest vectors for a while is slow to begin with: of AVX-512 hundreds of tests
    // pass before it runs at full speed.
    static void stay_warm() {
        alignas(alignment) static constexpr std::array<std::uint64_t, 4 * words_per_vector> bits{};
        alignas(alignment) std::array<std::uint64_t, bits.size()> target;
        if (const Kernel* kernel = chosen_kernel())
            kernel->intersect(target.data(), bits.data(), bits.data(), bits.size());
    }

    // What is offered, unless it is withdrawn at the same moment. `working_` comes first, so that whoever sees the
    // offer gone sees the helper at work.
    const Work* accept() {
        if (offered_.load() == nullptr)
            return nullptr;
        working_.store(true);
        const Work* job = offered_.exchange(nullptr);
        if (job == nullptr)
            working_.store(false);
        return job;
    }

    std::atomic<const Work*> offered_{nullptr};
    std::atomic<bool> working_{false}, sleeping_{false}, called_{false};
    std::mutex guard_;
    std::condition_variable wake_;
    Whereabouts whereabouts_;
    std::thread::native_handle_type thread_;
    bool patient_; // others need the core more where threads outnumber cores
};

namespace {

// Idle helpers. They are detached and end with the process; a forked process starts its own.
struct Idle {
    SpinLock guard;
    std::vector<Helper*> helpers;
};

Idle& idle_helpers() {
    static const PerProcess<Idle>& idle = *new PerProcess<Idle>; // made at start-up (see below), never destroyed
    return idle.own();
}

[[maybe_unused]] const Idle& made_at_start_up = idle_helpers();

// A new helper; nullptr where the system gives no more threads: the others do the work then.
Helper* start_helper(std::size_t others) {
    try {
        return new Helper(others + 1 < std::thread::hardware_concurrency());
    } catch (const std::system_error&) {
        return nullptr;
    }
}

} // namespace

void call_helpers(std::size_t helpers) {
    if (helpers == 0)
        return;
    Idle& idle = idle_helpers();
    const std::lock_guard lock(idle.guard);
    while (idle.helpers.size() < helpers) {
        Helper* helper = start_helper(idle.helpers.size());
        if (helper == nullptr)
            break;
        idle.helpers.push_back(helper);
    }
    const std::size_t ready = std::min(helpers, idle.helpers.size());
    for (std::size_t i = idle.helpers.size() - ready; i < idle.helpers.size(); ++i)
        idle.helpers[i]->call();
}

Crew::Crew(std::size_t helpers, const Work& work) {
    if (helpers == 0)
        return;
    helpers_.reserve(helpers);
    Idle& idle = idle_helpers();
    {
        const std::lock_guard lock(idle.guard);
        const std::size_t ready = std::min(helpers, idle.helpers.size());
        helpers_.assign(idle.helpers.end() - static_cast<std::ptrdiff_t>(ready), idle.helpers.end());
        idle.helpers.resize(idle.helpers.size() - ready);
    }
    while (helpers_.size() < helpers) {
        Helper* helper = start_helper(helpers_.size());
        if (helper == nullptr)
            break;
        helpers_.push_back(helper);
    }
    for (Helper* helper : helpers_)
        helper->offer(work);
}

bool Crew::lost() const {
    return epoch_ != process_epoch();
}

void Crew::dismiss() {
    for (Helper* helper : helpers_)
        helper->withdraw();
}

bool Crew::done() const {
    return lost() ||
           std::none_of(helpers_.begin(), helpers_.end(), [](const Helper* helper) { return helper->working(); });
}

Crew::~Crew() {
    dismiss();
    while (!done())
        std::this_thread::yield();
    if (helpers_.empty() || lost())
        return;
    Idle& idle = idle_helpers();
    const std::lock_guard lock(idle.guard);
    idle.helpers.insert(idle.helpers.end(), helpers_.begin(), helpers_.end());
}

} // namespace bitsep
