#include "variable_set.hpp"

#include <iterator>

namespace bitsep {

std::vector<std::int32_t> with(std::span<const std::int32_t> set, std::int32_t variable) {
    std::vector<std::int32_t> larger(set.begin(), set.end());
    larger.insert(std::ranges::lower_bound(larger, variable), variable);
    return larger;
}

std::vector<std::int32_t> without(std::span<const std::int32_t> set, std::int32_t variable) {
    std::vector<std::int32_t> smaller;
    std::ranges::remove_copy(set, std::back_inserter(smaller), variable);
    return smaller;
}

} // namespace bitsep
