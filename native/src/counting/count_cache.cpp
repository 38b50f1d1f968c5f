#include "bitsep/count_cache.hpp"

#include <algorithm>
#include <bit>
#include <mutex>
#include <new>
#include <tuple>

namespace bitsep {

namespace {

constexpr std::size_t first_block = std::size_t{16} << 10, largest_block = std::size_t{1} << 20;

} // namespace

CountCache::CountCache(std::size_t variables, std::size_t max_bytes) : max_bytes_(max_bytes) {
    // A search meets all pairs, and most of its sets are triples; later graphs are sparse, and clearing buckets for a
    // few sets would take longer than counting them.
    const double squared = static_cast<double>(variables) * static_cast<double>(variables);
    for (std::size_t size = 1; size <= max_variables; ++size) {
        const double share = size <= 2 ? 1 : size == 3 ? 2 : size == 4 ? 0.5 : 0.25;
        bucket_counts_[size - 1] = std::bit_ceil(static_cast<std::size_t>(std::clamp(share * squared, 256.0, 0x1p18)));
    }
}

CountCache::Head* CountCache::buckets_for(std::size_t size) {
    std::atomic<Head*>& buckets = buckets_[size - 1];
    if (Head* known = buckets.load(std::memory_order_acquire))
        return known;
    const std::lock_guard lock(guard_);
    if (buckets.load(std::memory_order_relaxed) == nullptr) {
        heads_.push_back(std::make_unique<Head[]>(bucket_counts_[size - 1]));
        buckets.store(heads_.back().get(), std::memory_order_release);
    }
    return buckets.load(std::memory_order_relaxed);
}

CountCache::Writer::~Writer() {
    if (free_ == end_ || cache_.of_another_process())
        return;
    const std::lock_guard lock(cache_.guard_);
    cache_.unused_.emplace_back(free_, end_);
}

std::uint32_t* CountCache::Writer::reserve(std::size_t cells) {
    const std::size_t bytes =
        (sizeof(Node) + cells * sizeof(std::uint32_t) + alignof(Node) - 1) / alignof(Node) * alignof(Node);
    if (static_cast<std::size_t>(end_ - free_) < bytes) {
        if (cache_.full())
            return nullptr;
        const std::lock_guard lock(cache_.guard_);
        free_ = end_ = nullptr;
        if (!cache_.unused_.empty()) {
            std::tie(free_, end_) = cache_.unused_.back();
            cache_.unused_.pop_back();
        }
        if (static_cast<std::size_t>(end_ - free_) < bytes) {
            const std::size_t grown = first_block << std::min<std::size_t>(cache_.blocks_.size(), 6);
            const std::size_t size = std::max(bytes, std::min(grown, largest_block));
            cache_.blocks_.push_back(std::unique_ptr<std::byte[]>(new std::byte[size]));
            cache_.bytes_.fetch_add(size, std::memory_order_relaxed);
            free_ = cache_.blocks_.back().get();
            end_ = free_ + size;
        }
    }
    reserved_ = reinterpret_cast<Node*>(free_);
    free_ += bytes;
    return reinterpret_cast<std::uint32_t*>(reserved_ + 1);
}

void CountCache::Writer::publish(const Key& key) {
    // Another thread may have added the same table meanwhile: two equal tables do no harm.
    Head& head = cache_.buckets_for(key.size())[cache_.bucket_of(key)];
    Node* node = new (reserved_) Node{key.words(), head.load(std::memory_order_relaxed)};
    while (!head.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {
    }
}

} // namespace bitsep
