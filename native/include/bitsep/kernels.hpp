// AND and popcount over bitmaps, once per instruction set, chosen at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace bitsep {

// Cells of one stratum, without its last row and its last column: those follow by subtraction.
//
//   cells[i * ny + j] += |mask & xs[i] & ys[j]|      rows[i] += |mask & xs[i]|      columns[j] += |mask & ys[j]|
//   total += |mask|
//
// A margin or the total that is known already is a null pointer, and is not counted.
struct StratumCounts {
    std::uint32_t* cells;
    std::uint32_t* rows;
    std::uint32_t* columns;
    std::uint32_t* total;
};

struct Kernel {
    std::string_view name;
    bool (*supported)();
    // target = a & b; returns its number of bits.
    std::uint64_t (*intersect)(std::uint64_t* target, const std::uint64_t* a, const std::uint64_t* b,
                               std::size_t words);
    // mask = a & b; with b = nullptr just a.
    void (*count_stratum)(const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* const* xs, int nx,
                          const std::uint64_t* const* ys, int ny, std::size_t words, StratumCounts out);
    // Only the cells, of all rows: cells[i * ny + j] += |xs[i] & ys[j]|.
    void (*count_pairs)(const std::uint64_t* const* xs, int nx, const std::uint64_t* const* ys, int ny,
                        std::size_t words, std::uint32_t* cells);
};

// Those of this build that this machine can run, best first; the portable one is last and always there.
std::vector<const Kernel*> available_kernels();

// The one in use: the best, or what BITSEP_FORCE_KERNEL names. Throws std::invalid_argument where it names none of
// the available ones.
const Kernel& active_kernel();

// Forces a kernel by name for the rest of the process ("" chooses anew); for tests.
void force_kernel(std::string_view name);

} // namespace bitsep
