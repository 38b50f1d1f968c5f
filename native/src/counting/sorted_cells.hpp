// Rows as sorted keys of (stratum, x, y): a walk over the occupied cells in canonical order.
#pragma once

#include <cstdint>
#include <vector>

#include "sorted_rows.hpp"

namespace bitsep {

struct SortedCells {
    SortedRows& rows;                 // by stratum, x and y, one beside the other
    std::vector<std::uint64_t> pairs; // where keys hold the rank of (stratum, x) instead: what each rank stands for
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
