// An encoded table: columns of level codes, and their bitmaps.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <variant>
#include <vector>

#include "bitsep/count_cache.hpp"
#include "bitsep/process.hpp"

namespace bitsep {

// Codes of one column in the narrowest signed type that holds them; -1 is a missing value. The memory belongs to
// the caller and must outlive the table.
using Codes = std::variant<std::span<const std::int8_t>, std::span<const std::int16_t>, std::span<const std::int32_t>>;

// How often each level occurs; the last entry counts the missing values.
std::vector<std::int64_t> level_counts(const Codes& codes, std::int64_t levels);

// Every code, below the size of the table, replaced by what the table has for it; missing ones stay.
std::vector<std::int8_t> recoded(std::span<const std::int8_t> codes, std::span<const std::int8_t> table);

// Bitmaps are rows of 64-bit words, padded with zeros to a multiple of the widest vector and aligned to a cache line.
inline constexpr std::size_t words_per_vector = 8;
inline constexpr std::size_t alignment = 64;

struct AlignedDelete {
    void operator()(std::uint64_t* words) const;
};
using Words = std::unique_ptr<std::uint64_t[], AlignedDelete>;
Words allocate_words(std::size_t count); // zeroed

// A column has bitmaps where it has at most this many levels: beyond, a scan of the rows always wins.
inline constexpr std::int64_t max_bitmap_levels = 32;

// The rows that are not at the most frequent level of a column, by level; those with missing values are at the end.
struct RareRows {
    std::int64_t frequent = 0; // that level
    std::vector<std::uint32_t> rows;
    std::vector<std::size_t> ends; // of each level, and of the missing values
};

class Column {
public:
    Column(Codes codes, std::int64_t levels);

    const Codes& codes() const { return codes_; }
    std::int64_t levels() const { return levels_; }
    std::size_t rows() const { return rows_; }
    bool has_missing() const { return counts_.back() != 0; }
    std::int64_t count(std::int64_t level) const { return counts_[static_cast<std::size_t>(level)]; }
    // The levels, and one more for missing values where there are any.
    std::size_t domain() const { return static_cast<std::size_t>(levels_) + has_missing(); }
    // How often each of the domain occurs, where the rows are fewer than 2^32.
    const std::uint32_t* small_counts() const { return small_counts_.data(); }

    bool can_have_bitmaps() const { return levels_ <= max_bitmap_levels; }
    // Bitmap of the rows at `level`; the one after the last level holds the rows that are not missing. All are built
    // at the first call.
    const std::uint64_t* bitmap(std::int64_t level) const {
        const std::uint64_t* words = lazy_.any().words.load(std::memory_order_acquire);
        if (words == nullptr) [[unlikely]]
            words = build_bitmaps();
        return words + static_cast<std::size_t>(level) * words_;
    }
    const std::uint64_t* present() const { return bitmap(levels_); }

    // Found at the first call; for fewer than 2^32 rows.
    const RareRows& rare_rows() const {
        const RareRows* found = lazy_.any().rare_rows.load(std::memory_order_acquire);
        return found != nullptr ? *found : find_rare_rows();
    }

private:
    struct Lazy {
        std::atomic<const std::uint64_t*> words{nullptr};
        std::atomic<const RareRows*> rare_rows{nullptr};
        std::mutex building;
        Words owner;
        RareRows owned_rows;
    };

    const std::uint64_t* build_bitmaps() const;
    const RareRows& find_rare_rows() const;

    Codes codes_;
    std::int64_t levels_;
    std::vector<std::int64_t> counts_;
    std::vector<std::uint32_t> small_counts_;
    std::size_t rows_, words_;
    PerProcess<Lazy> lazy_;
};

class Table {
public:
    // weights: empty, or one non-negative count per row. Cached counts take up to `cache_bytes`.
    Table(std::vector<Column> columns, std::size_t rows, std::span<const std::int64_t> weights,
          std::size_t cache_bytes = CountCache::usual_bytes);

    std::size_t rows() const { return rows_; }
    std::size_t words() const { return words_; } // per bitmap
    std::size_t size() const { return columns_.size(); }
    const Column& column(std::size_t index) const { return columns_[index]; }
    bool weighted() const { return !weights_.empty(); }
    std::span<const std::int64_t> weights() const { return weights_; }
    std::uint64_t total_weight() const { return total_weight_; } // the number of rows where there are no weights
    // The cache of counts shared by the tests on this table; a new one where the last one is full.
    std::shared_ptr<CountCache> cache() const;

private:
    std::vector<Column> columns_;
    std::size_t rows_, words_, cache_bytes_;
    std::span<const std::int64_t> weights_;
    std::uint64_t total_weight_;
    struct CurrentCache {
        std::mutex guard;
        std::shared_ptr<CountCache> cache;
    };
    PerProcess<CurrentCache> current_cache_;
};

std::size_t bitmap_words(std::size_t rows);

} // namespace bitsep
