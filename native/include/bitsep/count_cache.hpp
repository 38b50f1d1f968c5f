// Remembers counts by the set of variables they are of.
//
// The test of x and y given z counts the same cells as that of x and z given y: only their roles differ. And the
// margins of a test given Z are tables that the search met one level earlier. A search therefore asks here first.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace bitsep {

// Counts of all combinations of a set of variables, ascending, the last one running fastest.
using JointTable = std::vector<std::uint32_t>;

class CountCache {
public:
    static constexpr std::size_t max_variables = 8;
    static constexpr std::size_t max_cells = 2048; // a larger table is cheap to count compared with its size
    static constexpr std::size_t max_bytes = std::size_t{96} << 20;

    // A set of at most max_variables variables; none where it is larger.
    using Key = std::array<std::uint16_t, max_variables>;
    static std::optional<Key> key(std::span<const std::int32_t> ascending);

    std::shared_ptr<const JointTable> find(const Key& key) const;
    void insert(const Key& key, std::shared_ptr<const JointTable> table);

private:
    struct Hash {
        std::size_t operator()(const Key& key) const;
    };
    struct Shard {
        mutable std::mutex guard;
        std::unordered_map<Key, std::shared_ptr<const JointTable>, Hash> tables;
        std::size_t bytes = 0;
    };
    static constexpr std::size_t shards = 32; // so that threads rarely wait for each other

    std::array<Shard, shards> shards_;
};

} // namespace bitsep
