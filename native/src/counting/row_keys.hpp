// Keys that order rows by some of their columns, made block by block.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "bitsep/table.hpp"
#include "sorted_rows.hpp"

namespace bitsep {

// Of the codes of a column.
inline int bits_of(const Column& column) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(column.levels(), 1) - 1)));
}

// The codes of the columns one beside the other, the first in the highest bits. When the next column would not fit, the
// keys so far are replaced by their rank: cost and memory are those of the rows, whatever the domain sizes.
class RowKeys {
public:
    // Of these rows; nullptr: of all.
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

    // Every key by its rank among the distinct ones, which are returned in order.
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
    std::vector<std::uint64_t> ranks_; // of what came before the columns; empty: nothing did
    int bits_ = 0, rank_bits_ = 0;
};

} // namespace bitsep
