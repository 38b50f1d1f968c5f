// A lock for what takes a moment.
#pragma once

#include <atomic>
#include <thread>

namespace bitsep {

// Tells the processor that a thread is only waiting.
inline void pause_processor() {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_ia32_pause();
#endif
}

// Whoever waits stays awake: a thread that sleeps for a moment may be woken on the very core of the one that wakes it,
// and both stay there for milliseconds, a whole search. Those who wait long give way to others.
class SpinLock {
public:
    void lock() {
        for (int tries = 0; !try_lock(); ++tries) {
            if (tries < 1000)
                pause_processor();
            else
                std::this_thread::yield();
        }
    }
    bool try_lock() {
        return !taken_.load(std::memory_order_relaxed) && !taken_.exchange(true, std::memory_order_acquire);
    }
    void unlock() { taken_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> taken_{false};
};

} // namespace bitsep
