#include "bitsep/families.hpp"

#include "bitsep/family_counter.hpp"
#include "threads/parallel.hpp"

namespace bitsep {

FamilyScorer::FamilyScorer(const Table& table, const Score& score, const Workers& workers)
    : table_(table), score_(score), workers_(workers), counters_(workers.threads()) {}

FamilyScorer::~FamilyScorer() = default;

bool FamilyScorer::score_all(const Families& families, const Tick& tick, std::span<Score::Length> lengths) {
    const std::vector<FamilyRun> runs = find_runs(families);
    const auto counter_of = [&](std::size_t thread) {
        auto& counter = counters_[thread];
        if (counter == nullptr)
            counter = std::make_unique<FamilyCounter>(table_);
        else
            counter->begin();
        return counter.get();
    };
    return for_each_item(workers_, runs.size(), 1, tick, counter_of, [&](auto& counter, std::size_t item, auto&&) {
        counter->score(score_, families, runs[item], lengths);
    });
}

} // namespace bitsep
