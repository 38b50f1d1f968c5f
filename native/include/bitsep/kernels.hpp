// AND and popcount over bitmaps, once per instruction set, chosen at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace bitsep {

// Where the counts of one stratum go: the cell of x = i and y = j lies at cells[i * row + j * column].
//
// Only xs[0..nx-1] and ys[0..ny-1] are counted: the last levels follow by subtraction. With `margins` the places of the
// last levels take what that needs: |mask & xs[i]| at j = ny, |mask & ys[j]| at i = nx, and |mask| at both.
struct StratumCounts {
    std::uint32_t* cells;
    std::size_t row, column;
    bool margins;

    std::uint32_t* at(int i, int j) const {
        return cells + static_cast<std::size_t>(i) * row + static_cast<std::size_t>(j) * column;
    }
};

// The most levels that `recode` knows: as many as a vector can look up at once.
inline constexpr std::size_t recode_levels = 16;

struct Kernel {
    std::string_view name;
    bool (*supported)();
    // How many of 64 * `words` codes are at each of the levels, and, after the last one, how many are missing (-1).
    void (*count_levels)(const std::int8_t* codes, std::size_t words, int levels, std::int64_t* counts);
    // Codes below 16 replaced by what `table` has for them; missing ones stay.
    void (*recode)(const std::int8_t* codes, std::size_t words, const std::int8_t* table, std::int8_t* target);
    // Bitmaps of 64 * `words` codes below `levels`, one after the other, `stride` words apart, and after the last one
    // that of the codes that have any level.
    void (*mark_levels)(const std::int8_t* codes, std::size_t words, int levels, std::uint64_t* bitmaps,
                        std::size_t stride);
    // target = a & b; returns its number of bits.
    std::uint64_t (*intersect)(std::uint64_t* target, const std::uint64_t* a, const std::uint64_t* b,
                               std::size_t words);
    // at(i, j) += |mask & xs[i] & ys[j]|, where mask = a & b, or just a with b = nullptr.
    void (*count_stratum)(const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* const* xs, int nx,
                          const std::uint64_t* const* ys, int ny, std::size_t words, StratumCounts out);
    // All rows, never with margins: at(i, j) += |xs[i] & ys[j]|.
    void (*count_pairs)(const std::uint64_t* const* xs, int nx, const std::uint64_t* const* ys, int ny,
                        std::size_t words, StratumCounts out);
};

// Those of this build that this machine can run, best first; the portable one is last and always there.
std::vector<const Kernel*> available_kernels();

// The name is not that of an available kernel.
struct UnknownKernel : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// The one in use: the best, or what BITSEP_FORCE_KERNEL names. Throws UnknownKernel where it names none of the
// available ones.
const Kernel& active_kernel();

// The same, or nullptr before the first use.
const Kernel* chosen_kernel() noexcept;

// Forces a kernel by name for the rest of the process ("" chooses anew); for tests.
void force_kernel(std::string_view name);

} // namespace bitsep
