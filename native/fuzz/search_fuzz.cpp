// Searches for the best DAG on any scores and rules of up to four variables: results obey the rules, add up, and are
// the best of all DAGs where the search is exact.
#include <cmath>

#include "../tests/search/score_tables.hpp"
#include "bytes.hpp"

using namespace bitsep;
using namespace bitsep::fuzz;

namespace {

GraphRules random_rules(Bytes& bytes, std::size_t variables) {
    GraphRules rules = free_rules(variables);
    rules.structure_bits.resize(1 + bytes.below(static_cast<unsigned>(variables)));
    for (double& bits : rules.structure_bits)
        bits = bytes.byte() % 16;
    const unsigned forbidden = bytes.flag() ? bytes.byte() * 257u : 0, required = bytes.flag() ? bytes.byte() : 0;
    if (forbidden != 0) {
        rules.forbidden.assign(variables * variables, 0);
        for (std::size_t i = 0; i < variables * variables; ++i)
            rules.forbidden[i] = (forbidden >> (i * 5 % 16) & 1) != 0;
    }
    for (std::size_t y = 1; y < variables; ++y) // from lower to higher numbers, so that there is no cycle
        for (std::size_t x = 0; x < y; ++x)
            if ((required >> (x + y) & 1) != 0 &&
                rules.allows(static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)))
                rules.required[y].push_back(static_cast<std::int32_t>(x));
    return rules;
}

double total(const DagFound& found) {
    double sum = 0;
    for (const double bits : found.bits)
        sum += bits;
    return sum;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    const std::size_t variables = 1 + bytes.below(bytes.one_in(16) ? 4 : 3);
    const unsigned settings = bytes.byte();
    const GraphRules rules = random_rules(bytes, variables);
    ScoreTable table{variables};
    for (std::size_t y = 0; y < variables; ++y) {
        auto& row = table.bits.emplace_back();
        for (std::uint32_t set = 0; set < std::uint32_t{1} << variables; ++set)
            row.push_back(static_cast<double>(bytes.byte()));
    }
    const auto check = [&](const DagFound& found) {
        require(legal(rules, found.parents), "a DAG that obeys the rules");
        for (std::size_t y = 0; y < variables; ++y) // required parents may be more than structure_bits has entries for
            require(found.parents[y].size() > rules.max_parents() ||
                        std::abs(found.bits[y] - table.cost(rules, static_cast<std::int32_t>(y), found.parents[y])) <
                            1e-6,
                    "bits are those of the families");
    };

    DagFound climbed;
    require(climb(rules, {settings % 4, rules.required}, ScoreTable::rows, table.score(), nullptr, climbed),
            "nothing stops the search");
    check(climbed);
    DagFound ordered;
    OrderSettings order{1 + settings / 4 % 8, settings};
    order.exact_variables = (settings & 64) != 0 ? 8 : 0;
    require(search_orders(rules, order, ScoreTable::rows, table.score(), 1, nullptr, ordered),
            "nothing stops the search");
    check(ordered);
    const bool few_required =
        std::ranges::all_of(rules.required, [&](const auto& set) { return set.size() <= rules.max_parents(); });
    if (order.exact_variables != 0) {
        require(total(ordered) <= total(climbed) + 1e-6, "no DAG is better than the best");
        require(!few_required || std::abs(total(ordered) - table.lowest_total(rules)) < 1e-6, "the best of all DAGs");
    }
    return 0;
}
