// A score of a dense table [strata][x][y] given cell by cell.
#pragma once

#include <doctest/doctest.h>

#include "bitsep/counter.hpp"

namespace bitsep {

inline Score::Length length(const Score& score, std::int64_t kx, std::int64_t ky,
                            const std::vector<std::int64_t>& cells) {
    std::uint64_t rows = 0;
    for (const std::int64_t count : cells)
        rows += static_cast<std::uint64_t>(count);
    return score_table(score, {kx, ky, static_cast<double>(cells.size()) / static_cast<double>(kx * ky), rows}, cells);
}

} // namespace bitsep
