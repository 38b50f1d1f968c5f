// Rows in the order of their keys, equal ones together: how tests with very many cells are counted.
//
//     columns            keys                buckets by the         a bucket is sorted         distinct keys
//                                            highest bits           when the walk reaches it   with their counts
//   Z  X  Y
//   2  0  3    ──▶    10|0|11   ──┐     00: 1|01  0|10  1|01   ──▶   0|10  1|01  1|01   ──▶   00|0|10: 1
//   0  1  1    ──▶    00|1|01     ├──▶  01:                                                  00|1|01: 2
//   0  0  2    ──▶    00|0|10     │     10: 0|11               ──▶   0|11                ──▶   10|0|11: 1
//   0  1  1    ──▶    00|1|01   ──┘
//                  (row_keys.hpp)       SortedRows::assign           RadixSort                SortedRows::each
//
// Keys are made block by block and never stored whole: a bucket keeps what its keys do not share, mostly 32 bits. There
// are so many buckets that one fits into the first-level cache, and it is sorted there. Where keys are spread unevenly
// a bucket may be larger; RadixSort then divides it again.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace bitsep {

inline constexpr std::size_t cached_rows = 2048; // as many rows as stay in the cache while they are sorted
inline constexpr int max_bucket_bits = 10;

// How many of the highest bits of a key choose its bucket, so that a bucket fits into the cache if keys are spread
// evenly.
inline int bucket_bits(std::size_t rows, int key_bits) {
    return std::min({static_cast<int>(std::bit_width(2 * rows / cached_rows)), max_bucket_bits, key_bits});
}

// Radix sort of keys, with or without a weight that moves along.
template <class Key, bool Weighted>
class RadixSort {
public:
    struct Rows {
        Key* keys;
        std::uint64_t* weights; // nullptr where there are none

        Rows from(std::size_t row) const { return {keys + row, Weighted ? weights + row : nullptr}; }
    };

    // Sorts n rows whose keys differ in the lowest `bits` only. The result is in `rows` or in `scratch`, as returned;
    // `rows` holds all rows afterwards in any case.
    static Rows sorted(Rows rows, Rows scratch, std::size_t n, int bits) {
        if (!is_large(n, bits))
            return sort_small(rows, scratch, n, bits);
        sort_large(rows, scratch, rows, n, bits);
        return rows;
    }

private:
    static constexpr std::size_t few = 64; // rows
    static constexpr int digit_bits = 8;

    static bool is_large(std::size_t n, int bits) {
        return n > cached_rows && bits > 0 && (bits > 2 * digit_bits || n > 0xffffffffu);
    }

    static void move(Rows from, std::size_t row, Rows to, std::size_t slot) {
        to.keys[slot] = from.keys[row];
        if constexpr (Weighted)
            to.weights[slot] = from.weights[row];
    }

    static void copy(Rows from, Rows to, std::size_t n) {
        std::copy_n(from.keys, n, to.keys);
        if constexpr (Weighted)
            std::copy_n(from.weights, n, to.weights);
    }

    // From the highest bits down, into smaller buckets; the result goes to `target`, which is `rows` or `scratch`.
    static void sort_large(Rows rows, Rows scratch, Rows target, std::size_t n, int bits) {
        const int shift = bits - bucket_bits(n, bits);
        const std::uint64_t mask = (std::uint64_t{1} << (bits - shift)) - 1;
        // Where each bucket begins, and once it is filled, where it ends.
        std::array<std::size_t, (std::size_t{1} << max_bucket_bits) + 1> end{};
        for (std::size_t row = 0; row < n; ++row)
            ++end[((rows.keys[row] >> shift) & mask) + 1];
        for (std::size_t bucket = 0; bucket < mask; ++bucket)
            end[bucket + 1] += end[bucket];
        for (std::size_t row = 0; row < n; ++row)
            move(rows, row, scratch, end[(rows.keys[row] >> shift) & mask]++);
        for (std::size_t bucket = 0, begin = 0; bucket <= mask; begin = end[bucket++]) {
            const std::size_t size = end[bucket] - begin;
            const Rows here = scratch.from(begin), there = rows.from(begin), wanted = target.from(begin);
            if (is_large(size, shift))
                sort_large(here, there, wanted, size, shift);
            else if (const Rows found = sort_small(here, there, size, shift); found.keys != wanted.keys)
                copy(found, wanted, size);
        }
    }

    static Rows sort_small(Rows rows, Rows scratch, std::size_t n, int bits) {
        if (n <= few && !Weighted)
            std::sort(rows.keys, rows.keys + n);
        else if (n > 1)
            return sort_by_digits(rows, scratch, n, bits);
        return rows;
    }

    // From the lowest digit up, all rows in every pass.
    static Rows sort_by_digits(Rows rows, Rows scratch, std::size_t n, int bits) {
        constexpr std::size_t buckets = std::size_t{1} << digit_bits;
        const auto passes = static_cast<std::size_t>((bits + digit_bits - 1) / digit_bits);
        std::array<std::array<std::uint32_t, buckets>, 8 * sizeof(Key) / digit_bits> counts; // of all digits at once
        std::fill_n(counts.begin(), passes, std::array<std::uint32_t, buckets>{});
        for (std::size_t row = 0; row < n; ++row)
            for (std::size_t pass = 0; pass < passes; ++pass)
                ++counts[pass][(rows.keys[row] >> (pass * digit_bits)) & (buckets - 1)];
        for (std::size_t pass = 0; pass < passes; ++pass) {
            auto& next = counts[pass];
            const std::size_t shift = pass * digit_bits;
            if (next[(rows.keys[0] >> shift) & (buckets - 1)] == n)
                continue; // all keys have the same digit
            std::uint32_t sum = 0;
            for (std::uint32_t& count : next)
                sum += std::exchange(count, sum);
            for (std::size_t row = 0; row < n; ++row)
                move(rows, row, scratch, next[(rows.keys[row] >> shift) & (buckets - 1)]++);
            std::swap(rows, scratch);
        }
        return rows;
    }
};

inline constexpr std::size_t key_block = 1024; // rows whose keys are made at once

class SortedRows {
public:
    // `keys` makes keys block by block:
    //   rows(), bits()
    //   leading(begin, keys, wanted): of the rows from `begin` on, the first bits of the keys, at least as many as
    //     wanted (all where there are fewer); returns how many
    //   weights(begin, weights), where rows are weighted
    template <class Keys>
    void assign(const Keys& keys, bool weighted) {
        const std::size_t n = keys.rows();
        const int digit = n <= cached_rows ? 0 : bucket_bits(n, keys.bits());
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

    // take(key, count) for the distinct keys, ascending; count: how many rows have it, or the sum of their weights. May
    // be called more than once.
    template <class Take>
    void each(Take&& take) {
        if (bits_ <= 32)
            weighted_ ? walk<true>(narrow_, take) : walk<false>(narrow_, take);
        else
            weighted_ ? walk<true>(wide_, take) : walk<false>(wide_, take);
    }

private:
    // Memory that grows and is not cleared: getting it from the system takes longer than sorting.
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

    // Sets ends_ to where every bucket begins, which `fill` advances to where it ends.
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
