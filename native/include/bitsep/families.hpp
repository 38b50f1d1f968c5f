// Families, a variable with its parents, and their scores, across threads.
#pragma once

#include <cstdint>
#include <span>

#include "bitsep/engine.hpp"
#include "bitsep/score.hpp"

namespace bitsep {

// Families whose scores are wanted; parents ascending.
struct Families {
    std::span<const std::int32_t> variables;
    Ragged parents;
};

// Returns false if the tick asked to stop; results do not depend on the number of threads.
bool score_families(const Table& table, const Score& score, const Families& families, const Workers& workers,
                    const Tick& tick, std::span<Score::Length> lengths);

} // namespace bitsep
