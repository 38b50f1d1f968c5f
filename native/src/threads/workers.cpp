#include "bitsep/workers.hpp"
#include "bitsep/process.hpp"
#include "placement.hpp"
#include "thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace bitsep {

namespace {

constexpr int most_threads = 1024;

// How long a thread of a call looks for a change before it sleeps. Waking it again takes about as long.
constexpr auto spin_time = std::chrono::microseconds(100);

// Tells the processor that a thread is only waiting.
void pause_processor() {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_ia32_pause();
#endif
}

// Waits a moment for ready(); returns whether it is.
template <class Ready>
bool spin_until(Ready&& ready) {
    const auto end = std::chrono::steady_clock::now() + spin_time;
    do {
        for (int i = 0; i < 32; ++i) {
            if (ready())
                return true;
            pause_processor();
        }
    } while (std::chrono::steady_clock::now() < end);
    return ready();
}

} // namespace

// What the workers of a call share with the calling thread. They own it together: a worker that wakes up late finds
// that the call has ended.
struct Workers::Shared final : ThreadPool::Job {
    static constexpr std::uint32_t open = 1u << 31;
    static constexpr std::uint64_t ended = ~std::uint64_t{0};

    explicit Shared(bool may_spin) : spins(may_spin) {}

    const bool spins; // false if threads outnumber processors: a thread that spins would keep another from its work
    const std::uint64_t epoch = process_epoch();
    std::size_t attached = 0; // workers requested from the pool
    const std::function<void()>* work = nullptr;
    int callers_processor = -1;
    std::atomic<std::uint32_t> inside{0};   // the number of workers at work, and `open` while more may begin
    std::atomic<std::uint64_t> batch{0};    // the number of the latest batch, or `ended`
    std::atomic<std::uint32_t> sleeping{0}; // the number of workers asleep
    std::mutex mutex;                       // of the condition variables only
    std::condition_variable next_batch, all_left;

    // A forked process has none of the workers, and a worker may have held the mutex.
    bool lost() const { return epoch != process_epoch(); }

    // The calling thread announces a batch or the end.
    void announce(std::uint64_t number) {
        batch.store(number); // before `sleeping` is read: either the worker sees the number or it is seen asleep
        if (sleeping.load() == 0)
            return;
        {
            const std::lock_guard lock(mutex);
        }
        next_batch.notify_all();
    }

    // A worker takes part in the batches of this call until it ends.
    void run() override {
        std::uint64_t seen = 0;
        for (std::uint64_t latest; (latest = wait_for_other_than(seen)) != ended;) {
            const bool begins = (inside.fetch_add(1) & open) != 0;
            seen = begins ? batch.load() : latest;
            if (begins) {
                leave_processor(callers_processor);
                (*work)();
            }
            if (inside.fetch_sub(1) == 1) { // no more may begin, and this was the last
                {
                    const std::lock_guard lock(mutex);
                }
                all_left.notify_one();
            }
        }
    }

    std::uint64_t wait_for_other_than(std::uint64_t seen) {
        const auto changed = [&] { return batch.load() != seen; };
        if (!spins || !spin_until(changed)) {
            std::unique_lock lock(mutex);
            sleeping.fetch_add(1);
            next_batch.wait(lock, changed);
            sleeping.fetch_sub(1);
        }
        return batch.load();
    }
};

Workers::Workers(int threads) : threads_(static_cast<std::size_t>(std::clamp(threads, 1, most_threads))) {
    if (threads_ > 1)
        shared_ = std::make_shared<Shared>(threads_ <= ThreadPool::processors());
}

Workers::~Workers() {
    if (!shared_ || shared_->attached == 0 || shared_->lost())
        return;
    shared_->announce(Shared::ended);
    ThreadPool::instance().withdraw(shared_);
}

void Workers::start(std::size_t workers, const std::function<void()>& work) const {
    if (workers == 0 || shared_->lost())
        return;
    Shared& shared = *shared_;
    if (workers > shared.attached) {
        const std::size_t more = workers - std::exchange(shared.attached, workers);
        ThreadPool::instance().submit(more, shared_);
    }
    shared.work = &work;
    shared.callers_processor = current_processor();
    shared.inside.fetch_or(Shared::open);
    shared.announce(shared.batch.load() + 1);
}

bool Workers::finished_within(std::chrono::milliseconds patience) const {
    if (!shared_ || shared_->lost())
        return true;
    Shared& shared = *shared_;
    shared.inside.fetch_and(~Shared::open);
    const auto finished = [&] { return shared.inside.load() == 0; };
    if (shared.spins && spin_until(finished))
        return true;
    std::unique_lock lock(shared.mutex);
    return shared.all_left.wait_for(lock, patience, finished);
}

} // namespace bitsep
