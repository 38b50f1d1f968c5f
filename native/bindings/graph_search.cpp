#include "bitsep/graph_search.hpp"

#include <algorithm>
#include <cmath>

#include "answers.hpp"
#include "handles.hpp"
#include "interruptible.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace bitsep::bindings {

namespace {

using Lists = std::vector<std::vector<std::int32_t>>;
using Found = std::tuple<Lists, std::vector<double>, std::size_t>; // parents, bits, number of scores

// Lists of parents, one for each variable, must be a DAG.
void check_dag(const Lists& parents, std::size_t variables, const std::string& argument) {
    if (parents.size() != variables)
        throw std::invalid_argument(argument + ": must have a list for each variable.");
    std::vector<std::int32_t> from, to;
    for (std::size_t y = 0; y < variables; ++y)
        for (std::size_t i = 0; i < parents[y].size(); ++i) {
            const std::int32_t parent = parents[y][i];
            if (parent < 0 || static_cast<std::size_t>(parent) >= variables || static_cast<std::size_t>(parent) == y ||
                (i > 0 && parent <= parents[y][i - 1]))
                throw std::invalid_argument(argument + ": parents must ascend, without the variable itself.");
            from.push_back(parent);
            to.push_back(static_cast<std::int32_t>(y));
        }
    const DagBitsets acyclic(variables, from, to); // throws otherwise
}

// The rules of a search, checked; arrays are copied.
GraphRules rules_of(std::size_t variables, const In<double>& structure_bits,
                    const std::optional<In<std::uint8_t>>& forbidden, const Lists& required, double min_effect) {
    GraphRules rules{
        variables, {structure_bits.data(), structure_bits.data() + structure_bits.shape(0)}, {}, required, min_effect};
    if (!std::isfinite(min_effect) || min_effect < 0)
        throw std::invalid_argument("min_effect: must be a finite number of at least 0.");
    if (variables > UINT16_MAX)
        throw std::invalid_argument("variables: must be at most 65,535.");
    if (rules.structure_bits.empty() || rules.structure_bits.size() > std::max<std::size_t>(variables, 1))
        throw std::invalid_argument("structure_bits: must have an entry for each number of parents.");
    if (forbidden) {
        if (forbidden->shape(0) != variables * variables)
            throw std::invalid_argument("forbidden: must be a matrix of all pairs.");
        rules.forbidden.assign(forbidden->data(), forbidden->data() + forbidden->shape(0));
    }
    check_dag(required, variables, "required");
    return rules;
}

OrderSettings order_settings(std::size_t starts, std::uint64_t seed, const std::optional<In<double>>& domain_sizes,
                             std::size_t variables) {
    if (starts == 0)
        throw std::invalid_argument("starts: must be at least 1.");
    OrderSettings settings{starts, seed};
    if (domain_sizes) {
        if (domain_sizes->shape(0) != variables)
            throw std::invalid_argument("domain_sizes: must have an entry for each variable.");
        settings.domain_sizes.assign(domain_sizes->data(), domain_sizes->data() + variables);
    }
    return settings;
}

// The graph that hill climbing begins with must obey the rules.
void check_start(const Lists& start, const GraphRules& rules) {
    check_dag(start, rules.variables, "start");
    for (std::size_t y = 0; y < rules.variables; ++y) {
        if (!std::ranges::includes(start[y], rules.required[y]))
            throw std::invalid_argument("start: must have all required edges.");
        if (start[y].size() > std::max(rules.max_parents(), rules.required[y].size()))
            throw std::invalid_argument("start: must have no more parents than allowed.");
        for (const std::int32_t parent : start[y])
            if (!rules.allows(parent, static_cast<std::int32_t>(y)))
                throw std::invalid_argument("start: must have no forbidden edges.");
    }
}

// Runs search(score, workers, tick, found) with the scores of a table; Ctrl-C is answered also during a batch.
template <class Search>
Found search_table(const TableHandle& self, const Score& score, int threads, const nb::object& progress,
                   Search&& search) {
    DagFound found;
    run_interruptible(progress, [&](const Tick& tick) {
        const Workers workers(threads);
        std::size_t finished = 0, total = 0; // as the search last reported
        const Tick outer = [&](std::size_t done, std::size_t all) { return tick(finished = done, total = all); };
        const Tick inner = [&](std::size_t, std::size_t) { return tick(finished, total); };
        FamilyScorer scorer(*self.table, score, workers);
        const ScoreFamilies score_table = [&](const Families& families, std::span<Score::Length> lengths) {
            return scorer.score_all(families, inner, lengths);
        };
        search(score_table, workers, outer, found);
    });
    return {std::move(found.parents), std::move(found.bits), found.scores};
}

// The same with scores from Python: score(variables, offsets, parents) -> (bits, rows).
template <class Search>
Found search_scores(const nb::object& score, const nb::object& progress, Search&& search) {
    DagFound found;
    std::optional<nb::python_error> raised;
    const ScoreFamilies call = [&](const Families& families, std::span<Score::Length> lengths) {
        const BorrowedGil gil;
        try {
            const auto copy = [](auto span) { return array_of(std::vector(span.begin(), span.end())); };
            const auto answer = nb::cast<std::pair<In<double>, In<std::int64_t>>>(
                score(copy(families.variables), copy(families.parents.offsets), copy(families.parents.items)));
            if (answer.first.shape(0) != lengths.size() || answer.second.shape(0) != lengths.size())
                throw std::invalid_argument("score: must answer every family.");
            for (std::size_t i = 0; i < lengths.size(); ++i)
                lengths[i] = {answer.first.data()[i], answer.second.data()[i]};
            return true;
        } catch (nb::python_error& error) {
            raised.emplace(std::move(error));
            return false;
        }
    };
    run_interruptible(progress, [&](const Tick& tick) { search(call, Workers(1), tick, found); });
    if (raised)
        throw std::move(*raised);
    return {std::move(found.parents), std::move(found.bits), found.scores};
}

} // namespace

void register_graph_search(nb::module_& m) {
    auto table = nb::borrow<nb::class_<TableHandle>>(m.attr("Table"));
    table.def(
        "search_orders",
        [](const TableHandle& self, const Score& score, const In<double>& structure_bits,
           const std::optional<In<std::uint8_t>>& forbidden, const Lists& required, double min_effect,
           std::size_t starts, std::uint64_t seed, const std::optional<In<double>>& domain_sizes, int threads,
           const nb::object& progress) {
            const GraphRules rules = rules_of(self.table->size(), structure_bits, forbidden, required, min_effect);
            const OrderSettings settings = order_settings(starts, seed, domain_sizes, rules.variables);
            return search_table(
                self, score, threads, progress,
                [&](const ScoreFamilies& scores, const Workers& workers, const Tick& tick, DagFound& found) {
                    search_orders(rules, settings, self.table->total_weight(), scores, workers, tick, found);
                });
        },
        nb::arg("score"), nb::arg("structure_bits"), nb::arg("forbidden").none(), nb::arg("required"),
        nb::arg("min_effect"), nb::arg("starts"), nb::arg("seed"), nb::arg("domain_sizes").none(), nb::arg("threads"),
        nb::arg("progress").none(),
        "The best DAG found over orders: parents and bits of each variable, and the number of scores computed.");
    table.def(
        "climb",
        [](const TableHandle& self, const Score& score, const In<double>& structure_bits,
           const std::optional<In<std::uint8_t>>& forbidden, const Lists& required, double min_effect,
           const Lists& start, std::size_t tabu, int threads, const nb::object& progress) {
            const GraphRules rules = rules_of(self.table->size(), structure_bits, forbidden, required, min_effect);
            check_start(start, rules);
            return search_table(self, score, threads, progress,
                                [&](const ScoreFamilies& scores, const Workers&, const Tick& tick, DagFound& found) {
                                    climb(rules, {tabu, start}, self.table->total_weight(), scores, tick, found);
                                });
        },
        nb::arg("score"), nb::arg("structure_bits"), nb::arg("forbidden").none(), nb::arg("required"),
        nb::arg("min_effect"), nb::arg("start"), nb::arg("tabu"), nb::arg("threads"), nb::arg("progress").none(),
        "The best DAG found by hill climbing: parents and bits of each variable, and the number of scores computed.");
    m.def(
        "search_orders",
        [](std::size_t variables, std::uint64_t rows, const nb::object& score, const In<double>& structure_bits,
           const std::optional<In<std::uint8_t>>& forbidden, const Lists& required, double min_effect,
           std::size_t starts, std::uint64_t seed, const std::optional<In<double>>& domain_sizes,
           const nb::object& progress) {
            const GraphRules rules = rules_of(variables, structure_bits, forbidden, required, min_effect);
            const OrderSettings settings = order_settings(starts, seed, domain_sizes, rules.variables);
            return search_scores(
                score, progress,
                [&](const ScoreFamilies& scores, const Workers& workers, const Tick& tick, DagFound& found) {
                    search_orders(rules, settings, rows, scores, workers, tick, found);
                });
        },
        nb::arg("variables"), nb::arg("rows"), nb::arg("score"), nb::arg("structure_bits"), nb::arg("forbidden").none(),
        nb::arg("required"), nb::arg("min_effect"), nb::arg("starts"), nb::arg("seed"), nb::arg("domain_sizes").none(),
        nb::arg("progress").none(),
        "The same as Table.search_orders with scores from score(variables, offsets, parents) -> (bits, rows).");
    m.def(
        "climb",
        [](std::size_t variables, std::uint64_t rows, const nb::object& score, const In<double>& structure_bits,
           const std::optional<In<std::uint8_t>>& forbidden, const Lists& required, double min_effect,
           const Lists& start, std::size_t tabu, const nb::object& progress) {
            const GraphRules rules = rules_of(variables, structure_bits, forbidden, required, min_effect);
            check_start(start, rules);
            return search_scores(score, progress,
                                 [&](const ScoreFamilies& scores, const Workers&, const Tick& tick, DagFound& found) {
                                     climb(rules, {tabu, start}, rows, scores, tick, found);
                                 });
        },
        nb::arg("variables"), nb::arg("rows"), nb::arg("score"), nb::arg("structure_bits"), nb::arg("forbidden").none(),
        nb::arg("required"), nb::arg("min_effect"), nb::arg("start"), nb::arg("tabu"), nb::arg("progress").none(),
        "The same as Table.climb with scores from score(variables, offsets, parents) -> (bits, rows).");
}

} // namespace bitsep::bindings
