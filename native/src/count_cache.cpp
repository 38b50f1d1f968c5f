#include "bitsep/count_cache.hpp"

#include <cstring>
#include <limits>

namespace bitsep {

std::optional<CountCache::Key> CountCache::key(std::span<const std::int32_t> ascending) {
    constexpr auto none = std::numeric_limits<std::uint16_t>::max();
    if (ascending.size() > max_variables || (!ascending.empty() && ascending.back() >= none))
        return std::nullopt;
    Key key;
    key.fill(none);
    for (std::size_t i = 0; i < ascending.size(); ++i)
        key[i] = static_cast<std::uint16_t>(ascending[i]);
    return key;
}

std::size_t CountCache::Hash::operator()(const Key& key) const {
    std::uint64_t low, high;
    std::memcpy(&low, key.data(), 8);
    std::memcpy(&high, key.data() + 4, 8);
    std::uint64_t mixed = (low ^ (high * 0x9e3779b97f4a7c15u)) * 0xbf58476d1ce4e5b9u;
    return static_cast<std::size_t>(mixed ^ (mixed >> 32));
}

std::shared_ptr<const JointTable> CountCache::find(const Key& key) const {
    const Shard& shard = shards_[(Hash{}(key) >> 8) % shards];
    const std::lock_guard lock(shard.guard);
    const auto found = shard.tables.find(key);
    return found == shard.tables.end() ? nullptr : found->second;
}

void CountCache::insert(const Key& key, std::shared_ptr<const JointTable> table) {
    Shard& shard = shards_[(Hash{}(key) >> 8) % shards];
    const std::size_t bytes = table->size() * sizeof(std::uint32_t) + 128; // and what the map itself takes
    const std::lock_guard lock(shard.guard);
    if (shard.bytes + bytes > max_bytes / shards) {
        shard.tables.clear(); // start afresh: what a search needs next it has met lately
        shard.bytes = 0;
    }
    if (shard.tables.emplace(key, std::move(table)).second)
        shard.bytes += bytes;
}

} // namespace bitsep
