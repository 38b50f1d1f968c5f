#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "bitsep/kernels.hpp"

namespace bitsep {

#if defined(__x86_64__) && defined(__GNUC__)
namespace avx512 {
extern const Kernel kernel;
}
namespace avx2 {
extern const Kernel kernel;
}
#endif
#if defined(__aarch64__)
namespace neon {
extern const Kernel kernel;
}
#endif
namespace portable {
extern const Kernel kernel;
}

namespace {

std::atomic<const Kernel*> chosen{nullptr};

const Kernel* choose(std::string_view name, const std::string& argument = "kernel") {
    std::string names;
    for (const Kernel* kernel : available_kernels()) {
        if (name.empty() || kernel->name == name)
            return kernel;
        names += (names.empty() ? "" : ", ") + std::string(kernel->name);
    }
    throw UnknownKernel(argument + ": no kernel '" + std::string(name) + "' on this machine; there are " + names + ".");
}

} // namespace

std::vector<const Kernel*> available_kernels() {
    std::vector<const Kernel*> kernels;
    for (const Kernel* kernel : {
#if defined(__x86_64__) && defined(__GNUC__)
             &avx512::kernel,
             &avx2::kernel,
#endif
#if defined(__aarch64__)
             &neon::kernel,
#endif
             &portable::kernel,
         })
        if (kernel->supported())
            kernels.push_back(kernel);
    return kernels;
}

const Kernel& active_kernel() {
    const Kernel* kernel = chosen.load(std::memory_order_acquire);
    if (kernel == nullptr) {
        const char* forced = std::getenv("BITSEP_FORCE_KERNEL");
        const Kernel* mine = choose(forced == nullptr ? "" : forced, "BITSEP_FORCE_KERNEL");
        if (chosen.compare_exchange_strong(kernel, mine, std::memory_order_acq_rel))
            kernel = mine; // else another thread was faster
    }
    return *kernel;
}

const Kernel* chosen_kernel() noexcept {
    return chosen.load(std::memory_order_acquire);
}

void force_kernel(std::string_view name) {
    chosen.store(choose(name), std::memory_order_release);
}

} // namespace bitsep
