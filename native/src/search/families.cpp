#include "bitsep/families.hpp"

#include "bitsep/family_counter.hpp"
#include "threads/parallel.hpp"

namespace bitsep {

bool score_families(const Table& table, const Score& score, const Families& families, const Workers& workers,
                    const Tick& tick, std::span<Score::Length> lengths) {
    const std::vector<FamilyRun> runs = find_runs(families);
    const auto make_counter = [&](std::size_t) { return std::make_unique<FamilyCounter>(table); };
    return for_each_item(workers, runs.size(), 1, tick, make_counter, [&](auto& counter, std::size_t item, auto&&) {
        counter->score(score, families, runs[item], lengths);
    });
}

} // namespace bitsep
