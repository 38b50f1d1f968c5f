// Counts by the set of variables they are of.
//
// The test of x and y given z counts the same cells as that of x and z given y: only their roles differ. And the
// margins of a test given Z are tables of smaller sets, which a search has met before. So tests look here first.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "bitsep/process.hpp"

namespace bitsep {

// Read and written by any number of threads without locks: tables are only ever added, and do not change or move until
// the cache is destroyed. A full cache takes no more; Table::cache() then gives out a new one.
class CountCache {
public:
    static constexpr std::size_t max_variables = 8;
    static constexpr std::size_t max_cells = 16384; // a larger table is cheap to count compared with its size
    static constexpr std::size_t usual_bytes = std::size_t{96} << 20;

    // A set of at most max_variables variables below 65,535, ascending.
    class Key {
    public:
        explicit Key(std::span<const std::int32_t> set) : size_(set.size()) {
            const std::size_t last = set.size() - 1;
            for (std::size_t i = 0; i < last; ++i)
                words_[i / 4] |= (static_cast<std::uint64_t>(set[i]) + 1) << (16 * (i % 4));
            // Sets that differ in the last variable only have neighboring buckets: a thread often counts one after the
            // other.
            const std::uint64_t mixed = (words_[0] ^ (words_[1] * 0x9e3779b97f4a7c15u)) * 0xbf58476d1ce4e5b9u;
            hash_ = static_cast<std::size_t>((mixed ^ (mixed >> 32)) + static_cast<std::uint64_t>(set[last]));
            words_[last / 4] |= (static_cast<std::uint64_t>(set[last]) + 1) << (16 * (last % 4));
        }
        static bool fits(std::span<const std::int32_t> set) {
            return set.size() <= max_variables && (set.empty() || set.back() < 65535);
        }
        bool is(const std::array<std::uint64_t, 2>& words) const {
            return ((words_[0] ^ words[0]) | (words_[1] ^ words[1])) == 0;
        }
        const std::array<std::uint64_t, 2>& words() const { return words_; }
        std::size_t size() const { return size_; } // 1 to max_variables
        std::size_t hash() const { return hash_; }

    private:
        std::array<std::uint64_t, 2> words_{};
        std::size_t size_, hash_;
    };

private:
    struct Node;
    using Head = std::atomic<Node*>;
    struct Node {
        std::array<std::uint64_t, 2> key;
        Node* next;

        const std::uint32_t* cells() const { return reinterpret_cast<const std::uint32_t*>(this + 1); }
    };

public:
    CountCache(std::size_t variables, std::size_t max_bytes);
    CountCache(const CountCache&) = delete;
    CountCache& operator=(const CountCache&) = delete;

    // The counts of this set; nullptr where the cache does not have them.
    const std::uint32_t* find(const Key& key) const {
        const Head* buckets = buckets_[key.size() - 1].load(std::memory_order_acquire);
        if (buckets == nullptr)
            return nullptr;
        for (const Node* node = buckets[bucket_of(key)].load(std::memory_order_acquire); node != nullptr;
             node = node->next)
            if (key.is(node->key))
                return node->cells();
        return nullptr;
    }
    bool full() const { return bytes_.load(std::memory_order_relaxed) >= max_bytes_ || of_another_process(); }

    // Adds tables; one per thread.
    class Writer {
    public:
        explicit Writer(CountCache& cache) : cache_(cache) {}
        ~Writer();
        Writer(const Writer&) = delete;
        Writer& operator=(const Writer&) = delete;

        // Memory for a table, to be filled and published before the next call; nullptr where the cache is full.
        std::uint32_t* reserve(std::size_t cells);
        void publish(const Key& key);

    private:
        CountCache& cache_;
        std::byte *free_ = nullptr, *end_ = nullptr; // of the current block
        Node* reserved_ = nullptr;
    };

private:
    bool of_another_process() const { return epoch_ != process_epoch(); }
    Head* buckets_for(std::size_t size);
    std::size_t bucket_of(const Key& key) const { return key.hash() & (bucket_counts_[key.size() - 1] - 1); }

    std::size_t max_bytes_;
    std::uint64_t epoch_ = process_epoch();
    // One hash table per size of set: while a search tries sets of one size it adds tables of that size and looks up
    // smaller ones, so most of what threads read is not written to. Allocated when first needed.
    std::array<std::size_t, max_variables> bucket_counts_{};
    std::array<std::atomic<Head*>, max_variables> buckets_{};
    std::atomic<std::size_t> bytes_{0};
    std::mutex guard_; // of the members below
    std::vector<std::unique_ptr<Head[]>> heads_;
    std::vector<std::unique_ptr<std::byte[]>> blocks_;
    std::vector<std::pair<std::byte*, std::byte*>> unused_; // parts of blocks whose writers are destroyed
};

} // namespace bitsep
