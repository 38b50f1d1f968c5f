// Forked processes. A child has only the thread that forked: locks that other threads held are never released, and
// what these threads were changing may be half done.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace bitsep {

// Differs between a process and its forked children. State guarded by a lock is used only in the epoch it was made in.
std::uint64_t process_epoch() noexcept;

// State that is made when first needed, under a lock of its own. A forked process makes its own: the parent's may have
// been locked at the time of the fork.
template <class State>
class PerProcess {
public:
    PerProcess() : made_(new Made) {}
    PerProcess(PerProcess&& other) noexcept : made_(other.made_.exchange(nullptr)) {}
    ~PerProcess() {
        const Made* made = made_.load(std::memory_order_relaxed);
        if (made != nullptr && made->epoch == process_epoch())
            delete made;
    }

    // Of this process or of the one it was forked from.
    State& any() const { return made_.load(std::memory_order_acquire)->state; }
    State& own() const {
        Made* made = made_.load(std::memory_order_acquire);
        if (made->epoch == process_epoch()) [[likely]]
            return made->state;
        auto fresh = std::make_unique<Made>();
        if (made_.compare_exchange_strong(made, fresh.get(), std::memory_order_acq_rel))
            return fresh.release()->state; // the old one is never freed: it may be half changed
        return made->state;
    }

private:
    struct Made {
        State state;
        std::uint64_t epoch = process_epoch();
    };
    mutable std::atomic<Made*> made_;
};

} // namespace bitsep
