#include "bitsep/families.hpp"

#include "bitsep/counter.hpp"
#include "threads/parallel.hpp"

namespace bitsep {

namespace {

constexpr std::size_t grain_of_scores = 16;

} // namespace

bool score_families(const Table& table, const Score& score, const Families& families, const Workers& workers,
                    const Tick& tick, std::span<Score::Length> lengths) {
    const auto make_counter = [&](std::size_t) { return std::make_unique<Counter>(table); };
    return for_each_item(workers, families.variables.size(), grain_of_scores, tick, make_counter,
                         [&](auto& counter, std::size_t item, auto&&) {
                             const auto variable = static_cast<std::size_t>(families.variables[item]);
                             lengths[item] = counter->score(score, variable, families.parents[item]);
                         });
}

} // namespace bitsep
