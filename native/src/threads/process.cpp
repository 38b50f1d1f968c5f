#include "bitsep/process.hpp"

#include <atomic>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace bitsep {

namespace {

constinit std::atomic<std::uint64_t> epoch{0};

#if defined(__unix__) || defined(__APPLE__)
// Registered when the library is loaded: later, a fork could interrupt the registration.
[[maybe_unused]] const int registered =
    pthread_atfork(nullptr, nullptr, [] { epoch.fetch_add(1, std::memory_order_relaxed); });
#endif

} // namespace

std::uint64_t process_epoch() noexcept {
    return epoch.load(std::memory_order_relaxed);
}

} // namespace bitsep
