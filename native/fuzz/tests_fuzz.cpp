// Every test on small tables of counts of any magnitude: dense and occupied cells agree, X and Y can change places, and
// what a record says fits together.
#include <cmath>

#include "bitsep/permutation.hpp"
#include "cells.hpp"

using namespace bitsep;
using namespace bitsep::fuzz;

namespace {

struct Tests {
    std::vector<std::unique_ptr<const Test>> all;
    std::vector<bool> may_refuse; // too few rows for a verdict
    std::vector<bool> centered;   // the mean of the statistic is 0

    Tests() {
        for (const TestEntry& entry : tests()) {
            const std::size_t first = all.size();
            add(make_test(entry.name));
            add(make_test(entry.name, 0.001));
            add(make_test(entry.name, 0.5, {}, 0.01));
            for (const Option& option : entry.options) {
                for (const std::string_view choice : option.choices)
                    add(make_test(entry.name, {}, {{std::string(option.name), std::string(choice)}}));
                if (option.choices.empty())
                    add(make_test(entry.name, {}, {{std::string(option.name), 0.5}}), true);
            }
            centered.insert(centered.end(), all.size() - first, entry.name == "u_calibrated");
        }
    }
    void add(std::unique_ptr<const Test> test, bool refuses = false) {
        all.push_back(std::move(test));
        may_refuse.push_back(refuses);
    }
};

bool probability(double p) {
    return std::isnan(p) || (p >= 0 && p <= 1);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Tests known;
    Bytes bytes(data, size);
    const std::size_t number = bytes.below(static_cast<unsigned>(known.all.size()));
    const Test& test = *known.all[number];
    const unsigned permuted = bytes.byte();
    const RandomCells table(bytes, 6);
    const Record record = test_table(test, table.sizes, table.dense);
    require(identical(record, test_cells(test, table.sizes, table.stratum, table.x, table.y, table.count)),
            "dense and occupied cells give the same record");
    require(identical(record, test_table(test, table.swapped_sizes(), table.swapped())), "X and Y can change places");

    const auto n = static_cast<double>(table.sizes.rows);
    const double most = n * std::log2(static_cast<double>(std::min(table.sizes.kx, table.sizes.ky)));
    require(record.n == static_cast<std::int64_t>(table.sizes.rows), "n is the sum of the counts");
    require(record.information_bits >= 0 && record.information_bits <= most * (1 + 1e-9) + 1e-6,
            "the information is at most n log2 of the smaller domain size");
    require(!std::isnan(record.threshold_bits) && !std::isnan(record.score_bits), "there is a score");
    require(std::isfinite(record.score_bits) || known.may_refuse[number], "the score is finite");
    require(record.independent == (record.score_bits <= zero_bits(record.n)), "the verdict is the sign of the score");
    require(known.centered[number] || std::isnan(record.statistic) || record.statistic >= -1e-6 * (1 + n),
            "no other statistic is negative");
    require(probability(test.p_value(record)) && probability(test.hypercompression_bound(record)),
            "p-values and bounds are probabilities");

    if (permuted % 16 == 1 && table.sizes.rows < 5000) {
        const auto by_permutation = permutation_test(make_test("g2"), 0.05, {9, permuted, (permuted & 32) != 0});
        const Record drawn = test_table(*by_permutation, table.sizes, table.dense);
        require(drawn.draws <= 9 && probability(by_permutation->p_value(drawn)), "a permutation test has a p-value");
        require(
            identical(drawn, test_cells(*by_permutation, table.sizes, table.stratum, table.x, table.y, table.count)),
            "permutation tests of dense and occupied cells are the same");
    }
    return 0;
}
