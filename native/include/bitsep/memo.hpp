// A cache of computed numbers: of fixed size, shared by all threads without locks.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace bitsep {

// Values by key; a new value replaces the one whose place it takes. An entry is two words, the value and its key mixed
// with it: a reader that meets the words of two different entries sees neither key and computes the value itself.
class Memo {
public:
    // 2^bits entries of 16 bytes; memory is used as entries are.
    explicit Memo(int bits) : mask_((std::uint64_t{1} << bits) - 1), entries_(allocate(std::size_t{1} << bits)) {}

    // The value of compute(), which depends on nothing but the key. Keys are not zero. Those that differ in their last
    // bits only lie beside each other.
    template <class Compute>
    std::uint64_t get(std::uint64_t key, Compute&& compute) const {
        const std::uint64_t mixed = key * 0x9e3779b97f4a7c15u;
        Entry& entry = entries_[(((key >> 24) * 0x9e3779b97f4a7c15u >> 32) + key) & mask_];
        const std::uint64_t known = entry.value.load(std::memory_order_relaxed);
        if ((entry.check.load(std::memory_order_relaxed) ^ known) == mixed) [[likely]]
            return known;
        const std::uint64_t value = compute();
        entry.value.store(value, std::memory_order_relaxed);
        entry.check.store(mixed ^ value, std::memory_order_relaxed);
        return value;
    }

private:
    struct Entry {
        std::atomic<std::uint64_t> value, check;
    };
    struct Free {
        void operator()(Entry* entries) const { std::free(entries); }
    };
    static Entry* allocate(std::size_t count) {
        void* zeroed = std::calloc(count, sizeof(Entry)); // untouched pages take no memory
        if (zeroed == nullptr)
            throw std::bad_alloc();
        return static_cast<Entry*>(zeroed);
    }

    std::uint64_t mask_;
    std::unique_ptr<Entry[], Free> entries_;
};

} // namespace bitsep
