// A table of numbers filled on demand and shared by all threads without locks.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace bitsep {

// Entry i is computed the first time it is asked for. Two threads may compute the same entry at once: they store the
// same number. Zero means "not yet computed": no entry may be zero. Entries live in pages that are allocated when first
// touched, so the memory follows what is used, up to 2 MB.
class LazyTable {
public:
    static constexpr std::size_t page_bits = 12;
    static constexpr std::size_t page_size = std::size_t{1} << page_bits;
    static constexpr std::size_t pages = 64;
    static constexpr std::size_t capacity = pages * page_size;

    constexpr LazyTable() = default;
    LazyTable(const LazyTable&) = delete;
    LazyTable& operator=(const LazyTable&) = delete;
    ~LazyTable() {
        for (auto& page : pages_)
            delete[] page.load(std::memory_order_relaxed);
    }

    // Entry `index` (below `capacity`), from the table or from compute(index).
    template <class Compute>
    std::int64_t get(std::uint64_t index, Compute&& compute) const {
        Entry* page = pages_[index >> page_bits].load(std::memory_order_acquire);
        if (page == nullptr) [[unlikely]]
            page = add_page(index >> page_bits);
        Entry& entry = page[index & (page_size - 1)];
        std::int64_t value = entry.load(std::memory_order_relaxed);
        if (value == 0) [[unlikely]] {
            value = compute(index);
            entry.store(value, std::memory_order_relaxed);
        }
        return value;
    }

private:
    using Entry = std::atomic<std::int64_t>;

    Entry* add_page(std::size_t number) const {
        auto fresh = std::make_unique<Entry[]>(page_size); // value-initialized: all zero
        Entry* expected = nullptr;
        if (pages_[number].compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel))
            return fresh.release();
        return expected;
    }

    mutable std::array<std::atomic<Entry*>, pages> pages_{};
};

} // namespace bitsep
