// The cells of a variable in the strata of some parents as bitmaps, and their counts with one parent more.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bitsep/kernels.hpp"
#include "bitsep/table.hpp"

namespace bitsep {

// Holds the buffers, so each thread has its own.
class CellBitmaps {
public:
    explicit CellBitmaps(const Table& table) : table_(table), kernel_(active_kernel()) {}

    // Finds the cells (stratum, level of y) that occur; columns must be such that can have bitmaps. False where they,
    // or the strata of some of the parents, are more than `max_cells`.
    bool find(std::size_t y, std::span<const std::int32_t> parents, std::size_t max_cells);

    // Counts the cells with each of these parents more.
    void count(std::span<const std::size_t> more);
    // The table [level of the parent][stratum][y] with the next of these parents.
    void next_table(std::vector<std::uint32_t>& cells);
    std::size_t strata() const { return strata_.size(); } // that occur

private:
    bool split(std::size_t variable, std::size_t max_cells);

    const Table& table_;
    const Kernel& kernel_;
    Words words_; // two buffers for bitmaps: those before and those after a variable
    std::size_t capacity_ = 0;
    bool second_ = false;
    std::vector<const std::uint64_t*> strata_, cells_, split_; // bitmaps
    std::vector<std::size_t> from_;                            // for each of `split_`: its number before and its level
    std::vector<std::size_t> place_;                           // of each cell in a table [stratum][y]
    std::vector<std::uint32_t> count_;                         // of each cell
    std::size_t levels_y_ = 0;
    std::span<const std::size_t> more_;
    std::vector<const std::uint64_t*> levels_; // bitmaps of the parents that are added
    std::vector<std::uint32_t> counted_;       // [level][cell]
    std::size_t next_ = 0, next_level_ = 0;
};

} // namespace bitsep
