// Scores of many families in one batch, which share counting, against the score of each family alone.
#include "bitsep/families.hpp"
#include "tables.hpp"

using namespace bitsep;
using namespace bitsep::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto score = make_score("sparse_qnml");
    Bytes bytes(data, size);
    constexpr std::size_t variables = 5;
    std::vector<std::int32_t> of, parents;
    std::vector<std::int64_t> offsets{0};
    for (unsigned i = 0, families = 1 + bytes.below(12); i < families; ++i) {
        const unsigned set = bytes.byte();
        of.push_back(static_cast<std::int32_t>(bytes.below(variables)));
        for (std::int32_t parent = 0; parent < static_cast<std::int32_t>(variables); ++parent)
            if (parent != of.back() && (set >> parent & 1) != 0)
                parents.push_back(parent);
        offsets.push_back(static_cast<std::int64_t>(parents.size()));
    }
    const RandomTable random(bytes, variables, 60, true);
    const Table table = random.table();
    const Families families{of, {offsets, parents}};
    std::vector<Score::Length> lengths(of.size());
    const Workers workers(1);
    require(FamilyScorer(table, *score, workers).score_all(families, nullptr, lengths), "nothing stops the scorer");
    const Table fresh = random.table();
    Counter counter(fresh);
    for (std::size_t i = 0; i < of.size(); ++i) {
        const auto alone = counter.score(*score, static_cast<std::size_t>(of[i]), families.parents[i]);
        require(identical(alone, lengths[i]), "a family has the same score in a batch");
    }
    return 0;
}
