#include "bitsep/table.hpp"

#include <array>
#include <cstring>
#include <new>
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

std::vector<std::int64_t> level_counts(const Codes& codes, std::int64_t levels) {
    if (levels < 0)
        throw std::invalid_argument("a column cannot have fewer than no levels");
    std::vector<std::int64_t> counts(static_cast<std::size_t>(levels) + 1);
    const auto beyond = [] { return std::invalid_argument("a code is not the number of any level"); };
    std::visit(
        [&](auto span) {
            using Code = typename decltype(span)::value_type;
            if constexpr (sizeof(Code) == 1) {
                // Four histograms side by side: equal codes in a row would otherwise wait for each other's store.
                std::array<std::array<std::int64_t, 256>, 4> parts{};
                std::size_t row = 0;
                for (; row + 4 <= span.size(); row += 4)
                    for (std::size_t lane = 0; lane < 4; ++lane)
                        ++parts[lane][static_cast<std::uint8_t>(span[row + lane])];
                for (; row < span.size(); ++row)
                    ++parts[0][static_cast<std::uint8_t>(span[row])];
                for (const auto& part : parts)
                    for (std::size_t code = 0; code < part.size(); ++code) {
                        if (part[code] == 0)
                            continue;
                        const bool missing = code == 255;
                        if (!missing && (code >= 128 || code + 1 >= counts.size()))
                            throw beyond();
                        counts[missing ? counts.size() - 1 : code] += part[code];
                    }
            } else {
                for (const Code code : span) {
                    if (code < -1 || code >= levels)
                        throw beyond();
                    ++counts[code < 0 ? counts.size() - 1 : static_cast<std::size_t>(code)];
                }
            }
        },
        codes);
    return counts;
}

Column::Column(Codes codes, std::int64_t levels)
    : codes_(codes), levels_(levels), counts_(level_counts(codes, levels)),
      small_counts_(counts_.begin(), counts_.end()), rows_(std::visit([](auto span) { return span.size(); }, codes)),
      words_(bitmap_words(rows_)), lazy_(std::make_unique<Lazy>()) {}

const std::uint64_t* Column::build_bitmaps() const {
    const std::lock_guard lock(lazy_->building);
    if (const std::uint64_t* words = lazy_->words.load(std::memory_order_acquire))
        return words; // another thread was faster
    const auto codes = std::get<std::span<const std::int8_t>>(codes_);
    lazy_->owner = allocate_words((static_cast<std::size_t>(levels_) + 1) * words_);
    std::uint64_t* bitmaps = lazy_->owner.get();
    const Kernel& kernel = active_kernel();
    const std::size_t whole = codes.size() / 64;
    kernel.mark_levels(codes.data(), whole, static_cast<int>(levels_), bitmaps, words_);
    if (codes.size() % 64 != 0) {
        std::array<std::int8_t, 64> rest;
        rest.fill(-1);
        std::memcpy(rest.data(), codes.data() + 64 * whole, codes.size() % 64);
        kernel.mark_levels(rest.data(), 1, static_cast<int>(levels_), bitmaps + whole, words_);
    }
    lazy_->words.store(bitmaps, std::memory_order_release);
    return bitmaps;
}

Table::Table(std::vector<Column> columns, std::size_t rows, std::span<const std::int64_t> weights)
    : columns_(std::move(columns)), rows_(rows), words_(bitmap_words(rows)), weights_(weights),
      remembered_(std::make_unique<Remembered>()) {
    for (const Column& column : columns_)
        if (column.rows() != rows)
            throw std::invalid_argument("columns of different lengths");
    if (!weights.empty() && weights.size() != rows)
        throw std::invalid_argument("weights and rows differ in number");
}

std::shared_ptr<CountCache> Table::cache() const {
    const std::lock_guard lock(remembered_->guard);
    if (!remembered_->cache || remembered_->cache->full())
        remembered_->cache = std::make_shared<CountCache>(columns_.size());
    return remembered_->cache;
}

} // namespace bitsep
