// A score: the code length of a variable given its parents, as a function of counts; and the list of all scores.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "bitsep/counts.hpp"
#include "bitsep/options.hpp"
#include "bitsep/test.hpp"

namespace bitsep {

// One score with its options, ready to be used by many threads. How to write one: native/src/scores/rows.hpp.
//
// Counts are those of Y (the columns) in the strata of the parents: X is one of them, Z the others. Without parents X
// has one level and there is one stratum.
class Score {
public:
    struct Length {
        double bits = 0;
        std::int64_t n = 0; // the rows that it encodes
    };
    virtual ~Score() = default;

    virtual Length length(const DenseCounts<std::uint32_t>& counts, const Sizes& sizes) const = 0;
    virtual Length length(const DenseCounts<std::uint64_t>& counts, const Sizes& sizes) const = 0;
    virtual Length length(const OccupiedCells& counts, const Sizes& sizes) const = 0;
};

// A score in the list of all: everything that is known about it outside of its own file.
struct ScoreEntry {
    std::string_view name;
    std::string_view title;
    bool equivalent; // whether all DAGs of an equivalence class have the same total
    std::vector<Option> options;
    std::unique_ptr<const Score> (*make)(const Settings& settings);
};

std::span<const ScoreEntry> scores();

// Throws std::invalid_argument if the score is unknown or does not take the options.
std::unique_ptr<const Score> make_score(std::string_view name, const Settings::Values& options = {});

} // namespace bitsep
