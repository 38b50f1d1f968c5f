#include "bitsep/table.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <new>
#include <numeric>
#include <stdexcept>

#include "bitsep/kernels.hpp"

namespace bitsep {

void AlignedDelete::operator()(std::uint64_t* words) const {
    ::operator delete[](words, std::align_val_t{alignment});
}

Words allocate_words(std::size_t count) {
    auto* words =
        static_cast<std::uint64_t*>(::operator new[](count * sizeof(std::uint64_t), std::align_val_t{alignment}));
    std::memset(words, 0, count * sizeof(std::uint64_t));
    return Words(words);
}

std::size_t bitmap_words(std::size_t rows) {
    return (rows + 64 * words_per_vector - 1) / (64 * words_per_vector) * words_per_vector;
}

namespace {

// The last, incomplete word of codes, filled up with missing ones.
std::array<std::int8_t, 64> rest_of(std::span<const std::int8_t> codes) {
    std::array<std::int8_t, 64> rest;
    rest.fill(-1);
    const std::size_t whole = codes.size() / 64 * 64;
    std::copy(codes.begin() + static_cast<std::ptrdiff_t>(whole), codes.end(), rest.begin());
    return rest;
}

// Few levels are counted by comparing codes with each of them, 64 at a time.
constexpr std::int64_t compared_levels = 16;

bool count_by_comparing(std::span<const std::int8_t> codes, std::vector<std::int64_t>& counts) {
    const int levels = static_cast<int>(counts.size()) - 1;
    active_kernel().count_levels(codes.data(), codes.size() / 64, levels, counts.data());
    if (const std::size_t rest = codes.size() % 64; rest != 0) {
        active_kernel().count_levels(rest_of(codes).data(), 1, levels, counts.data());
        counts.back() -= static_cast<std::int64_t>(64 - rest);
    }
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) == static_cast<std::int64_t>(codes.size());
}

} // namespace

std::vector<std::int64_t> level_counts(const Codes& codes, std::int64_t levels) {
    if (levels < 0)
        throw std::invalid_argument("levels: must be at least 0.");
    std::vector<std::int64_t> counts(static_cast<std::size_t>(levels) + 1);
    const auto out_of_range = [] { return std::invalid_argument("codes: must be -1 or the number of a level."); };
    if (const auto* narrow = std::get_if<std::span<const std::int8_t>>(&codes); narrow && levels <= compared_levels) {
        if (!count_by_comparing(*narrow, counts))
            throw out_of_range();
        return counts;
    }
    std::visit(
        [&](auto span) {
            for (const auto code : span) {
                if (code < -1 || code >= levels)
                    throw out_of_range();
                ++counts[code < 0 ? counts.size() - 1 : static_cast<std::size_t>(code)];
            }
        },
        codes);
    return counts;
}

std::vector<std::int8_t> recoded(std::span<const std::int8_t> codes, std::span<const std::int8_t> table) {
    if (table.size() > 128)
        throw std::invalid_argument("table: must have at most 128 entries.");
    std::vector<std::int8_t> result(codes.size());
    std::array<std::int8_t, 128> lookup;
    lookup.fill(-1);
    std::copy(table.begin(), table.end(), lookup.begin());
    if (table.size() > recode_levels) {
        std::transform(codes.begin(), codes.end(), result.begin(),
                       [&](std::int8_t code) { return code < 0 ? code : lookup[static_cast<std::size_t>(code)]; });
        return result;
    }
    const Kernel& kernel = active_kernel();
    const std::size_t whole = codes.size() / 64;
    kernel.recode(codes.data(), whole, lookup.data(), result.data());
    if (const std::size_t rest = codes.size() % 64; rest != 0) {
        std::array<std::int8_t, 64> last;
        kernel.recode(rest_of(codes).data(), 1, lookup.data(), last.data());
        std::copy_n(last.begin(), rest, result.begin() + static_cast<std::ptrdiff_t>(64 * whole));
    }
    return result;
}

Column::Column(Codes codes, std::int64_t levels)
    : codes_(codes), levels_(levels), counts_(level_counts(codes, levels)),
      small_counts_(counts_.begin(), counts_.end()), rows_(std::visit([](auto span) { return span.size(); }, codes)),
      words_(bitmap_words(rows_)) {}

const std::uint64_t* Column::build_bitmaps() const {
    Lazy& lazy = lazy_.own();
    const std::lock_guard lock(lazy.building);
    if (const std::uint64_t* words = lazy.words.load(std::memory_order_acquire))
        return words; // another thread was faster
    const auto codes = std::get<std::span<const std::int8_t>>(codes_);
    lazy.owner = allocate_words((static_cast<std::size_t>(levels_) + 1) * words_);
    std::uint64_t* bitmaps = lazy.owner.get();
    const Kernel& kernel = active_kernel();
    const std::size_t whole = codes.size() / 64;
    kernel.mark_levels(codes.data(), whole, static_cast<int>(levels_), bitmaps, words_);
    if (codes.size() % 64 != 0)
        kernel.mark_levels(rest_of(codes).data(), 1, static_cast<int>(levels_), bitmaps + whole, words_);
    lazy.words.store(bitmaps, std::memory_order_release);
    return bitmaps;
}

const RareRows& Column::find_rare_rows() const {
    Lazy& lazy = lazy_.own();
    const std::lock_guard lock(lazy.building);
    if (const RareRows* found = lazy.rare_rows.load(std::memory_order_acquire))
        return *found; // another thread was faster
    RareRows& rare = lazy.owned_rows;
    rare.frequent = std::max_element(counts_.begin(), counts_.end() - 1) - counts_.begin();
    std::vector<std::size_t> next; // by level
    std::size_t size = 0;
    for (std::size_t level = 0; level < counts_.size(); ++level) {
        next.push_back(size);
        if (static_cast<std::int64_t>(level) != rare.frequent)
            size += static_cast<std::size_t>(counts_[level]);
    }
    rare.rows.resize(size);
    std::visit(
        [&](auto codes) {
            for (std::size_t row = 0; row < codes.size(); ++row)
                if (codes[row] != rare.frequent)
                    rare.rows[next[codes[row] < 0 ? counts_.size() - 1 : static_cast<std::size_t>(codes[row])]++] =
                        static_cast<std::uint32_t>(row);
        },
        codes_);
    rare.ends = std::move(next);
    lazy.rare_rows.store(&rare, std::memory_order_release);
    return rare;
}

Table::Table(std::vector<Column> columns, std::size_t rows, std::span<const std::int64_t> weights,
             std::size_t cache_bytes)
    : columns_(std::move(columns)), rows_(rows), words_(bitmap_words(rows)), cache_bytes_(cache_bytes),
      weights_(weights) {
    for (const Column& column : columns_)
        if (column.rows() != rows)
            throw std::invalid_argument("columns: must all have the same number of rows.");
    if (!weights.empty() && weights.size() != rows)
        throw std::invalid_argument("weights: must be as many as the rows.");
    total_weight_ = std::accumulate(
        weights.begin(), weights.end(), weights.empty() ? std::uint64_t{rows} : 0,
        [](std::uint64_t sum, std::int64_t weight) { return sum + static_cast<std::uint64_t>(weight); });
}

std::shared_ptr<CountCache> Table::cache() const {
    CurrentCache& current = current_cache_.own();
    const std::lock_guard lock(current.guard);
    if (!current.cache || current.cache->full())
        current.cache = std::make_shared<CountCache>(columns_.size(), cache_bytes_);
    return current.cache;
}

} // namespace bitsep
