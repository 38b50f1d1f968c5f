// Rows as sorted keys of (stratum, x, y): a walk over the occupied cells in canonical order.
#pragma once

#include <cstdint>
#include <span>

namespace bitsep {

struct SortedCells {
    std::span<const std::uint64_t> keys;    // ((stratum key) * kx + x) * ky + y, ascending
    std::span<const std::uint64_t> weights; // of the rows, in the same order; empty: one each
    std::span<const std::uint64_t> pairs; // where keys hold the rank of (stratum, x) instead: what each rank stands for
    std::uint64_t kx, ky;

    // take(stratum, x, y, count) for every cell; strata are numbered from 0.
    template <class Take>
    void each(Take&& take) const {
        std::int64_t stratum = -1;
        // The key ranges of the present stratum and row: divisions are needed only where one of them is left.
        std::uint64_t pair = 0, pair_begin = 1, pair_end = 0, stratum_begin = 1, stratum_end = 0;
        std::int64_t x = 0;
        for (std::size_t i = 0; i < keys.size();) {
            const std::uint64_t key = keys[i];
            std::uint64_t count = 0;
            const std::size_t begin = i;
            do
                ++i;
            while (i < keys.size() && keys[i] == key);
            if (weights.empty())
                count = i - begin;
            else
                for (std::size_t row = begin; row < i; ++row)
                    count += weights[row];
            if (key < pair_begin || key >= pair_end) {
                const std::uint64_t rank = key / ky;
                pair_begin = rank * ky;
                pair_end = pair_begin + ky;
                pair = pairs.empty() ? rank : pairs[rank];
                if (pair < stratum_begin || pair >= stratum_end) {
                    stratum_begin = pair / kx * kx;
                    stratum_end = stratum_begin + kx;
                    ++stratum;
                }
                x = static_cast<std::int64_t>(pair - stratum_begin);
            }
            take(stratum, x, static_cast<std::int64_t>(key - pair_begin), count);
        }
    }
};

} // namespace bitsep
