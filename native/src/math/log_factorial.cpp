#include "bitsep/log_factorial.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace bitsep {

namespace {

constexpr std::size_t tabulated = 4096;

std::array<double, tabulated> make_table() {
    std::array<double, tabulated> table{};
    long double sum = 0;
    for (std::size_t k = 2; k < tabulated; ++k) {
        sum += std::log(static_cast<long double>(k));
        table[k] = static_cast<double>(sum);
    }
    return table;
}

const std::array<double, tabulated> table = make_table();

} // namespace

double log_factorial(std::uint64_t k) {
    if (k < tabulated)
        return table[k];
    const auto x = static_cast<double>(k); // Stirling's series; the next term is below 1e-16
    return (x + 0.5) * std::log(x) - x + 0.5 * std::log(2 * std::numbers::pi) + (1 - 1 / (30 * x * x)) / (12 * x);
}

} // namespace bitsep
