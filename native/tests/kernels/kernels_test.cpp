#include "bitsep/kernels.hpp"

#include <bit>
#include <random>

#include <doctest/doctest.h>

#include "bitsep/table.hpp"

using namespace bitsep;

namespace {

constexpr std::size_t words = 64;

std::uint64_t common_bits(std::initializer_list<const std::uint64_t*> bitmaps) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < words; ++i) {
        std::uint64_t all = ~std::uint64_t{0};
        for (const std::uint64_t* bitmap : bitmaps)
            all &= bitmap[i];
        count += static_cast<std::uint64_t>(std::popcount(all));
    }
    return count;
}

} // namespace

TEST_CASE("every kernel counts the same bits") {
    std::mt19937_64 random(1);
    Words memory = allocate_words(12 * words);
    for (std::size_t i = 0; i < 12 * words; ++i)
        memory[i] = random();
    std::vector<const std::uint64_t*> at;
    for (std::size_t i = 0; i < 12; ++i)
        at.push_back(memory.get() + i * words);
    const std::uint64_t *a = at[10], *b = at[11];
    for (const Kernel* kernel : available_kernels()) {
        CAPTURE(kernel->name);
        for (int nx = 1; nx <= 5; ++nx)
            for (int ny = 1; ny <= 5; ++ny) {
                const std::uint64_t *const *xs = at.data(), *const *ys = at.data() + 5;
                const auto size = static_cast<std::size_t>((nx + 1) * (ny + 1));
                const auto row = static_cast<std::size_t>(ny + 1);
                std::vector<std::uint32_t> pairs(size), strata(size);
                kernel->count_pairs(xs, nx, ys, ny, words, {pairs.data(), row, 1, false});
                kernel->count_stratum(a, b, xs, nx, ys, ny, words, {strata.data(), row, 1, true});
                for (int i = 0; i < nx; ++i)
                    for (int j = 0; j < ny; ++j) {
                        const auto cell = static_cast<std::size_t>(i) * row + static_cast<std::size_t>(j);
                        CHECK(pairs[cell] == common_bits({xs[i], ys[j]}));
                        CHECK(strata[cell] == common_bits({a, b, xs[i], ys[j]}));
                    }
                CHECK(strata[static_cast<std::size_t>(ny)] == common_bits({a, b, xs[0]}));
                CHECK(strata[static_cast<std::size_t>(nx) * row] == common_bits({a, b, ys[0]}));
                CHECK(strata.back() == common_bits({a, b}));
            }
        Words target = allocate_words(words);
        CHECK(kernel->intersect(target.get(), a, b, words) == common_bits({a, b}));
        CHECK(common_bits({target.get()}) == common_bits({a, b}));
    }
}

TEST_CASE("a kernel can be forced by name") {
    for (const Kernel* kernel : available_kernels()) {
        force_kernel(kernel->name);
        CHECK(&active_kernel() == kernel);
    }
    CHECK_THROWS_AS(force_kernel("none"), UnknownKernel);
    force_kernel("");
    CHECK(&active_kernel() == available_kernels().front());
}
