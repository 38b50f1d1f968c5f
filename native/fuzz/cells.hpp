// Small tables of counts [strata][x][y] from bytes: dense, and as occupied cells.
#pragma once

#include <algorithm>
#include <vector>

#include "bitsep/counter.hpp"
#include "bytes.hpp"

namespace bitsep::fuzz {

struct RandomCells {
    Sizes sizes{};
    std::vector<std::int64_t> dense;
    std::vector<std::int64_t> stratum, x, y, count; // the cells that are occupied; strata are numbered in turn

    RandomCells(Bytes& bytes, unsigned most_levels) {
        sizes.kx = 1 + bytes.below(most_levels);
        sizes.ky = 1 + bytes.below(most_levels);
        const std::int64_t strata = 1 + bytes.below(4);
        const unsigned shape = bytes.byte(), bits = (shape & 1) != 0 ? 50 : (shape & 2) != 0 ? 20 : 5;
        sizes.product_z = static_cast<double>(strata);
        dense.assign(static_cast<std::size_t>(strata * sizes.kx * sizes.ky), 0);
        for (std::size_t i = 0; i < dense.size() && !bytes.empty(); ++i)
            dense[i] = static_cast<std::int64_t>(bytes.count(bits));
        std::int64_t number = -1, last = -1;
        for (std::size_t i = 0; i < dense.size(); ++i)
            if (dense[i] != 0) {
                const auto cell = static_cast<std::int64_t>(i);
                if (cell / (sizes.kx * sizes.ky) != last)
                    ++number;
                last = cell / (sizes.kx * sizes.ky);
                stratum.push_back(number);
                x.push_back(cell / sizes.ky % sizes.kx);
                y.push_back(cell % sizes.ky);
                count.push_back(dense[i]);
                sizes.rows += static_cast<std::uint64_t>(dense[i]);
            }
    }

    Sizes swapped_sizes() const { return {sizes.ky, sizes.kx, sizes.product_z, sizes.rows}; }
    // The table with X and Y in each other's place.
    std::vector<std::int64_t> swapped() const {
        std::vector<std::int64_t> cells(dense.size());
        for (std::size_t i = 0; i < dense.size(); ++i) {
            const auto kx = static_cast<std::size_t>(sizes.kx), ky = static_cast<std::size_t>(sizes.ky);
            cells[i / (kx * ky) * kx * ky + i % ky * kx + i / ky % kx] = dense[i];
        }
        return cells;
    }
};

} // namespace bitsep::fuzz
