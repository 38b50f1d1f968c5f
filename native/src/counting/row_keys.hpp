// Keys that order rows by (Z, x, y), and the cells that sorted keys stand for.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bitsep/table.hpp"
#include "sort.hpp"

namespace bitsep {

// Bits of a code of this column.
inline int bits_of(const Column& column) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(column.levels(), 1) - 1)));
}

// The codes of the columns side by side, the first in the highest bits. When the next column would not fit into 64
// bits, the keys so far are replaced by their ranks: cost and memory are those of the rows, whatever the domain sizes.
class RowKeys {
public:
    // The rows to use; nullptr: all.
    RowKeys(const Table& table, const std::vector<std::size_t>* rows)
        : table_(table), rows_(rows), n_(rows == nullptr ? table.rows() : rows->size()) {}

    std::size_t rows() const { return n_; }
    int bits() const { return bits_; }

    bool fits(const Column& column) const { return bits_ + bits_of(column) <= 64; }
    void add(const Column& column) {
        columns_.push_back(&column);
        bits_ += bits_of(column);
    }

    int leading(std::size_t begin, std::span<std::uint64_t> keys, int wanted) const {
        if (ranks_.empty())
            std::fill(keys.begin(), keys.end(), 0);
        else
            std::copy_n(ranks_.begin() + static_cast<std::ptrdiff_t>(begin), keys.size(), keys.begin());
        int bits = rank_bits_;
        for (const Column* column : columns_) {
            if (bits >= wanted)
                break;
            const int width = bits_of(*column);
            extend(keys, column->codes(), begin, width);
            bits += width;
        }
        return bits;
    }

    void weights(std::size_t begin, std::span<std::uint64_t> weights) const {
        for (std::size_t i = 0; i < weights.size(); ++i)
            weights[i] =
                static_cast<std::uint64_t>(table_.weights()[rows_ == nullptr ? begin + i : (*rows_)[begin + i]]);
    }

    // Replaces every key by its rank among the distinct ones, which are returned in order.
    std::vector<std::uint64_t> replace_by_ranks(SortedRows& sorted) {
        std::vector<std::uint64_t> distinct, ranks(n_);
        sorted.assign(*this, false);
        sorted.each([&](std::uint64_t key, std::uint64_t) { distinct.push_back(key); });
        for (std::size_t begin = 0; begin < n_; begin += key_block) {
            const std::span block = std::span(ranks).subspan(begin, std::min(key_block, n_ - begin));
            leading(begin, block, bits_);
            for (std::uint64_t& key : block)
                key = static_cast<std::uint64_t>(std::lower_bound(distinct.begin(), distinct.end(), key) -
                                                 distinct.begin());
        }
        ranks_ = std::move(ranks);
        columns_.clear();
        bits_ = rank_bits_ = static_cast<int>(std::bit_width(std::max<std::size_t>(distinct.size(), 1) - 1));
        return distinct;
    }

private:
    void extend(std::span<std::uint64_t> keys, const Codes& all, std::size_t begin, int width) const {
        std::visit(
            [&](auto codes) {
                if (rows_ == nullptr)
                    for (std::size_t i = 0; i < keys.size(); ++i)
                        keys[i] = keys[i] << width | static_cast<std::uint64_t>(codes[begin + i]);
                else
                    for (std::size_t i = 0; i < keys.size(); ++i)
                        keys[i] = keys[i] << width | static_cast<std::uint64_t>(codes[(*rows_)[begin + i]]);
            },
            all);
    }

    const Table& table_;
    const std::vector<std::size_t>* rows_;
    std::size_t n_;
    std::vector<const Column*> columns_;
    std::vector<std::uint64_t> ranks_; // of the columns before columns_; empty: there are none
    int bits_ = 0, rank_bits_ = 0;
};

// A walk over the occupied cells in canonical order.
struct SortedCells {
    SortedRows& rows;                 // keys: stratum, x and y, side by side
    std::vector<std::uint64_t> pairs; // where keys hold the rank of (stratum, x): the pair of each rank
    int x_bits, y_bits;

    // take(stratum, x, y, count) for every cell; strata are numbered from 0.
    template <class Take>
    void each(Take&& take) const {
        const std::uint64_t x_mask = (std::uint64_t{1} << x_bits) - 1, y_mask = (std::uint64_t{1} << y_bits) - 1;
        std::int64_t stratum = -1;
        std::uint64_t stratum_key = 0;
        rows.each([&](std::uint64_t key, std::uint64_t count) {
            if (count == 0)
                return; // rows without weight
            const std::uint64_t pair = pairs.empty() ? key >> y_bits : pairs[key >> y_bits];
            if (stratum < 0 || pair >> x_bits != stratum_key) {
                stratum_key = pair >> x_bits;
                ++stratum;
            }
            take(stratum, static_cast<std::int64_t>(pair & x_mask), static_cast<std::int64_t>(key & y_mask), count);
        });
    }
};

} // namespace bitsep
