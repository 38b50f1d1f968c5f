// Sets of variables.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace bitsep {

class VariableSet {
public:
    explicit VariableSet(std::size_t variables) : words_((variables + 63) / 64) {}
    bool has(std::int32_t v) const { return (words_[static_cast<std::size_t>(v) / 64] >> (v % 64) & 1) != 0; }
    void add(std::int32_t v) { words_[static_cast<std::size_t>(v) / 64] |= std::uint64_t{1} << (v % 64); }
    void add(const VariableSet& others) {
        for (std::size_t i = 0; i < words_.size(); ++i)
            words_[i] |= others.words_[i];
    }
    void remove(std::int32_t v) { words_[static_cast<std::size_t>(v) / 64] &= ~(std::uint64_t{1} << (v % 64)); }
    void clear() { std::ranges::fill(words_, 0); }

private:
    std::vector<std::uint64_t> words_;
};

// The same for sets of few variables, as ascending lists.
std::vector<std::int32_t> with(std::span<const std::int32_t> set, std::int32_t variable);
std::vector<std::int32_t> without(std::span<const std::int32_t> set, std::int32_t variable);

} // namespace bitsep
