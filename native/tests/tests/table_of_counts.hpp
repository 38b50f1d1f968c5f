// A test on a dense table [strata][x][y] given cell by cell.
#pragma once

#include <doctest/doctest.h>

#include "bitsep/counter.hpp"

namespace bitsep {

inline Record judge(const Test& test, std::int64_t kx, std::int64_t ky, const std::vector<std::int64_t>& cells) {
    std::uint64_t rows = 0;
    for (const std::int64_t count : cells)
        rows += static_cast<std::uint64_t>(count);
    return test_table(test, {kx, ky, static_cast<double>(cells.size()) / static_cast<double>(kx * ky), rows}, cells);
}

} // namespace bitsep
