// Rows in the order of their keys, equal ones together.
//
// Rows go into buckets by the highest bits of their keys, straight from where keys are made; a bucket is sorted when
// the walk comes to it, in the cache. What the keys of a bucket share is not written down, and the rest mostly fits 32
// bits: memory that is fresh from the system takes longer to get than rows to sort.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "radix_sort.hpp"

namespace bitsep {

inline constexpr std::size_t key_block = 1024; // rows

class SortedRows {
public:
    // Keys are made block by block:
    //   rows(), bits()
    //   leading(begin, keys, wanted): of the rows from `begin` on, the first bits of the keys, at least as many as
    //     wanted (all where there are fewer); returns how many
    //   weights(begin, weights), where rows are weighted
    template <class Keys>
    void assign(const Keys& keys, bool weighted) {
        const std::size_t n = keys.rows();
        // Buckets that fit the cache, if keys are spread evenly.
        const int wanted = n <= cached_rows ? 0 : static_cast<int>(std::bit_width(2 * n / cached_rows));
        const int digit = std::min({wanted, most_digit, keys.bits()});
        bits_ = keys.bits() - digit;
        weighted_ = weighted;
        count_buckets(keys, digit);
        if (weighted_)
            weights_.resize(n);
        if (bits_ <= 32)
            fill(keys, narrow_);
        else
            fill(keys, wide_);
    }

    // take(key, count) for the distinct keys, ascending; count: how many rows have it, or what they weigh together.
    template <class Take>
    void each(Take&& take) {
        if (bits_ <= 32)
            weighted_ ? walk<true>(narrow_, take) : walk<false>(narrow_, take);
        else
            weighted_ ? walk<true>(wide_, take) : walk<false>(wide_, take);
    }

private:
    static constexpr int most_digit = 10;

    // Memory that grows and is not cleared.
    template <class T>
    struct Buffer {
        std::unique_ptr<T[]> owner;
        std::size_t size = 0;

        void resize(std::size_t wanted) {
            if (wanted <= size)
                return;
            size = 0;
            owner.reset();
            owner.reset(new T[wanted]);
            size = wanted;
        }
        T* data() { return owner.get(); }
    };
    template <class Key>
    struct Store {
        Buffer<Key> keys, scratch;
    };

    std::size_t bucket_of(std::uint64_t key) const { return bits_ == 64 ? 0 : key >> bits_; }

    template <class Keys, class Visit>
    static void each_block(const Keys& keys, Visit&& visit) {
        for (std::size_t begin = 0; begin < keys.rows(); begin += key_block)
            visit(begin, std::min(key_block, keys.rows() - begin));
    }

    // Where every bucket begins, one place late: while rows are put into it, that becomes where it ends.
    template <class Keys>
    void count_buckets(const Keys& keys, int digit) {
        if (digit == 0) {
            ends_ = {0, keys.rows()};
            return;
        }
        ends_.assign((std::size_t{1} << digit) + 1, 0);
        std::array<std::uint64_t, key_block> block;
        each_block(keys, [&](std::size_t begin, std::size_t rows) {
            const int shift = keys.leading(begin, std::span(block.data(), rows), digit) - digit;
            for (std::size_t i = 0; i < rows; ++i)
                ++ends_[(block[i] >> shift) + 1];
        });
        for (std::size_t bucket = 1; bucket < ends_.size(); ++bucket)
            ends_[bucket] += ends_[bucket - 1];
    }

    template <class Keys, class Key>
    void fill(const Keys& keys, Store<Key>& store) {
        store.keys.resize(keys.rows());
        std::size_t largest = 0;
        for (std::size_t bucket = 1; bucket < ends_.size(); ++bucket)
            largest = std::max(largest, ends_[bucket] - ends_[bucket - 1]);
        store.scratch.resize(largest);
        const std::uint64_t mask = bits_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits_) - 1;
        std::array<std::uint64_t, key_block> block, weights;
        if (weighted_)
            weight_scratch_.resize(largest);
        each_block(keys, [&](std::size_t begin, std::size_t rows) {
            keys.leading(begin, std::span(block.data(), rows), keys.bits());
            if (weighted_)
                keys.weights(begin, std::span(weights.data(), rows));
            for (std::size_t i = 0; i < rows; ++i) {
                const std::size_t slot = ends_[bucket_of(block[i])]++;
                store.keys.data()[slot] = static_cast<Key>(block[i] & mask);
                if (weighted_)
                    weights_.data()[slot] = weights[i];
            }
        });
    }

    template <bool Weighted, class Key, class Take>
    void walk(Store<Key>& store, Take&& take) {
        using Sort = RadixSort<Key, Weighted>;
        for (std::size_t bucket = 0, begin = 0; bucket + 1 < ends_.size(); begin = ends_[bucket++]) {
            const std::size_t rows = ends_[bucket] - begin;
            const typename Sort::Rows here{store.keys.data(), weights_.data()},
                scratch{store.scratch.data(), weight_scratch_.data()},
                sorted = Sort::sorted(here.from(begin), scratch, rows, bits_);
            const std::uint64_t shared = bits_ == 64 ? 0 : static_cast<std::uint64_t>(bucket) << bits_;
            for (std::size_t row = 0; row < rows;) {
                const Key key = sorted.keys[row];
                std::uint64_t count = 0;
                do
                    count += Weighted ? sorted.weights[row] : 1;
                while (++row < rows && sorted.keys[row] == key);
                take(shared | key, count);
            }
        }
    }

    int bits_ = 0; // of what is left of a key in its bucket
    bool weighted_ = false;
    std::vector<std::size_t> ends_; // of the buckets
    Store<std::uint32_t> narrow_;
    Store<std::uint64_t> wide_;
    Buffer<std::uint64_t> weights_, weight_scratch_;
};

} // namespace bitsep
