// The counts of X × Y in the strata of Z, as a test sees them: a dense table, or the occupied cells.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>

namespace bitsep {

// A dense table of counts in any layout: how far apart the cells of two neighboring levels are, for X, for Y and for
// each variable of Z, in order.
template <class Count>
struct DenseCounts {
    static constexpr std::size_t max_given = 8;
    struct Given {
        std::size_t levels, step;
    };
    const Count* cells;
    std::size_t step_x, step_y;
    std::span<const Given> given;

    // visit(first cell of the stratum) for every stratum, the last variable of Z running fastest.
    template <class Visit>
    void each_stratum(Visit&& visit) const {
        std::array<std::size_t, max_given> digit{};
        const Count* stratum = cells;
        while (true) {
            visit(stratum);
            std::size_t i = given.size();
            while (i > 0) {
                --i;
                stratum += given[i].step;
                if (++digit[i] < given[i].levels)
                    break;
                if (i == 0)
                    return;
                stratum -= given[i].step * given[i].levels;
                digit[i] = 0;
            }
            if (given.empty())
                return;
        }
    }
};

// A stratum as its occupied cells in row-major order, with its occupied margins, ascending.
struct OccupiedStratum {
    struct Cell {
        std::int64_t x, y;
        std::uint64_t count;
    };
    struct Margin {
        std::int64_t level;
        std::uint64_t count;
    };
    std::span<const Cell> cells;
    std::span<const Margin> rows, columns;
    std::uint64_t total;
};

// The occupied cells of all strata, for tables too large to be dense.
class OccupiedCells {
public:
    virtual ~OccupiedCells() = default;
    // visit(stratum) for every stratum in order; may be called more than once.
    virtual void each_stratum(const std::function<void(const OccupiedStratum&)>& visit) const = 0;
};

} // namespace bitsep
