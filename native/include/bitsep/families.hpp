// Families, a variable with its parents, and their scores, across threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bitsep/engine.hpp"
#include "bitsep/score.hpp"

namespace bitsep {

// Families whose scores are wanted; parents ascending.
struct Families {
    std::span<const std::int32_t> variables;
    Ragged parents;
};

class FamilyCounter;

// Scores batches of families of one table. Keeps the buffers of the threads from batch to batch.
class FamilyScorer {
public:
    FamilyScorer(const Table& table, const Score& score, const Workers& workers);
    ~FamilyScorer();

    // Returns false if the tick asked to stop; results do not depend on the number of threads.
    bool score_all(const Families& families, const Tick& tick, std::span<Score::Length> lengths);

private:
    const Table& table_;
    const Score& score_;
    const Workers& workers_;
    std::vector<std::unique_ptr<FamilyCounter>> counters_; // by thread
};

} // namespace bitsep
