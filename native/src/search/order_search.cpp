#include <algorithm>
#include <memory>
#include <numeric>

#include "bitsep/graph_search.hpp"
#include "cost_order.hpp"
#include "exact_search.hpp"
#include "grow_shrink.hpp"
#include "hill_climbing.hpp"
#include "random.hpp"
#include "threads/parallel.hpp"

namespace bitsep {

namespace {

using Order = std::vector<std::int32_t>;
using Parents = std::vector<std::vector<std::int32_t>>;
using Trees = std::vector<std::unique_ptr<GrowShrink>>;

constexpr std::size_t starts_at_once = 4;          // of one generation: they ask for scores together
constexpr std::size_t reversals_per_variable = 20; // attempts, for a random DAG of an equivalence class
constexpr std::size_t moved_variables = 4;         // in the order of a start, but for the last one of a generation
constexpr std::size_t patience = 12;               // starts without a better DAG after which the search ends
constexpr double most_rows_per_variable = 8e7;     // that are counted in large tables
constexpr Cost far_parts =
    40; // how much longer than the present code a code may be: so many parts of a variable's code

// The order with variables moved back where a required parent would come after its child.
Order with_required_first(const GraphRules& rules, Order wanted) {
    Order order;
    VariableSet placed(rules.variables);
    while (!wanted.empty()) {
        const auto next = std::ranges::find_if(wanted, [&](std::int32_t v) {
            return std::ranges::all_of(rules.required[static_cast<std::size_t>(v)],
                                       [&](std::int32_t parent) { return placed.has(parent); });
        });
        order.push_back(*next);
        placed.add(*next);
        wanted.erase(next);
    }
    return order;
}

// A local search: single variables move to their best place in the order, until no move lowers the cost. Places beyond
// one that costs much more than the present place are not looked at.
class Start {
public:
    struct Missing {
        std::int32_t variable;
        GrowShrink::Place place;
    };

    Start(const GraphRules& rules, const Trees& trees, Order order, Random random)
        : rules_(rules), trees_(trees), order_(with_required_first(rules, std::move(order))), visit_(order_),
          random_(random), before_(rules.variables), costs_(rules.variables), placed_(rules.variables),
          finished_(order_.empty()) {
        random_.shuffle(visit_);
    }

    bool finished() const { return finished_; }
    const Order& order() const { return order_; }
    std::span<const Missing> missing() const { return missing_; } // nodes that must be made ready before it goes on

    void run() {
        missing_.clear();
        if (!prepared_) {
            if (!(prepared_ = find_costs()))
                return;
            limit_ =
                std::accumulate(costs_.begin(), costs_.end(), Cost{0}) / (far_parts * static_cast<Cost>(costs_.size()));
        }
        while (!finished_ && (is_placed(visit_[next_]) || move(visit_[next_])))
            if (++next_ == visit_.size()) {
                next_ = 0;
                finished_ = !improved_;
                improved_ = false;
                random_.shuffle(visit_);
            }
    }

private:
    // Whether a variable was at its best place already in the present order.
    bool is_placed(std::int32_t v) const { return placed_[static_cast<std::size_t>(v)] == changes_; }

    // Moves a variable to its best place among the others; false if nodes are missing.
    bool move(std::int32_t v) {
        others_.clear();
        std::ranges::remove_copy(order_, std::back_inserter(others_), v);
        const auto present = static_cast<std::size_t>(std::ranges::find(order_, v) - order_.begin());
        const auto [first, last] = places(v);
        best_ = {0, present};
        look_ahead(v, present, last);
        look_back(v, present, first);
        if (!missing_.empty())
            return false;
        if (best_.first < 0) {
            order_ = others_;
            order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(best_.second), v);
            find_costs();
            improved_ = true;
            ++changes_;
        }
        placed_[static_cast<std::size_t>(v)] = changes_;
        return true;
    }

    // Places after others that come after v now: v gains predecessors, the others lose one.
    void look_ahead(std::int32_t v, std::size_t present, std::size_t last) {
        set_before(present);
        Cost own = costs_[static_cast<std::size_t>(v)], change = -own;
        for (std::size_t i = present; i < last; ++i) {
            const std::int32_t u = others_[i];
            if (tree(u).uses(v))
                change += cost(u) - costs_[static_cast<std::size_t>(u)];
            before_.add(u);
            if (tree(v).uses(u))
                own = cost(v);
            if (change + own > limit_)
                break;
            best_ = std::min(best_, {change + own, i + 1});
        }
    }

    // Places before others that come before v now: v loses predecessors, the others gain one.
    void look_back(std::int32_t v, std::size_t present, std::size_t first) {
        set_before(present);
        Cost own = costs_[static_cast<std::size_t>(v)], change = -own;
        for (std::size_t i = present; i-- > first;) {
            const std::int32_t u = others_[i];
            before_.remove(u);
            if (tree(v).uses(u))
                own = cost(v);
            if (tree(u).uses(v)) {
                before_.add(v);
                change += cost(u) - costs_[static_cast<std::size_t>(u)];
                before_.remove(v);
            }
            if (change + own > limit_)
                break;
            best_ = std::min(best_, {change + own, i});
        }
    }

    void set_before(std::size_t place) {
        before_.clear();
        for (std::size_t i = 0; i < place; ++i)
            before_.add(others_[i]);
    }

    const GrowShrink& tree(std::int32_t v) const { return *trees_[static_cast<std::size_t>(v)]; }

    // Finds the costs of all variables in the order; false if nodes are missing.
    bool find_costs() {
        before_.clear();
        for (const std::int32_t v : order_) {
            costs_[static_cast<std::size_t>(v)] = cost(v);
            before_.add(v);
        }
        return missing_.empty();
    }

    Cost cost(std::int32_t v) {
        const GrowShrink::Place place = tree(v).find(before_);
        if (!place.ready())
            missing_.push_back({v, place});
        return place.cost();
    }

    // Where a variable may stand among the others: after its required parents, before its required children.
    std::pair<std::size_t, std::size_t> places(std::int32_t v) const {
        const auto requires_of = [&](std::int32_t child, std::int32_t parent) {
            return std::ranges::binary_search(rules_.required[static_cast<std::size_t>(child)], parent);
        };
        std::size_t first = 0, last = others_.size();
        for (std::size_t i = others_.size(); i-- > 0;) {
            if (first == 0 && requires_of(v, others_[i]))
                first = i + 1;
            if (requires_of(others_[i], v))
                last = i;
        }
        return {first, last};
    }

    const GraphRules& rules_;
    const Trees& trees_;
    Order order_, visit_, others_;
    Random random_;
    VariableSet before_;
    std::vector<Cost> costs_;             // by variable, in the order
    std::pair<Cost, std::size_t> best_{}; // how a move changes the cost, and the place
    Cost limit_ = 0;                      // of what a move may change before the search looks no further
    std::vector<Missing> missing_;
    std::size_t changes_ = 1;         // of the order, with the first order as one
    std::vector<std::size_t> placed_; // by variable: the number of changes when it last was moved to its best place
    std::size_t next_ = 0;
    bool prepared_ = false, improved_ = false, finished_;
};

// Makes all nodes ready that any start waits for.
bool make_ready(std::span<Start> starts, const Trees& trees, FamilyCosts& costs) {
    std::vector<std::pair<GrowShrink*, GrowShrink::Node*>> wanted;
    for (const Start& start : starts)
        for (const auto& [variable, place] : start.missing()) {
            GrowShrink& tree = *trees[static_cast<std::size_t>(variable)];
            if (GrowShrink::Node& node = tree.node_at(place); !std::exchange(node.wanted, true))
                wanted.emplace_back(&tree, &node);
        }
    while (true) {
        std::erase_if(wanted, [&](const auto& each) { return each.first->advance(*each.second, costs); });
        if (wanted.empty())
            return true;
        if (!costs.compute())
            return false;
    }
}

Cost total_cost(const Order& order, const Trees& trees) {
    VariableSet before(order.size());
    Cost total = 0;
    for (const std::int32_t v : order) {
        total += trees[static_cast<std::size_t>(v)]->find(before).node->kept_cost;
        before.add(v);
    }
    return total;
}

// An order of a DAG: in the order wanted, but for parents that come first.
Order order_of(const Parents& parents, const Order& wanted) {
    Order order;
    VariableSet placed(wanted.size());
    while (order.size() < wanted.size())
        for (const std::int32_t v : wanted)
            if (!placed.has(v) && std::ranges::all_of(parents[static_cast<std::size_t>(v)],
                                                      [&](std::int32_t parent) { return placed.has(parent); })) {
                order.push_back(v);
                placed.add(v);
            }
    return order;
}

Parents parents_in(const Order& order, const Trees& trees) {
    Parents parents(order.size());
    VariableSet before(order.size());
    for (const std::int32_t v : order) {
        parents[static_cast<std::size_t>(v)] = trees[static_cast<std::size_t>(v)]->find(before).node->kept;
        before.add(v);
    }
    return parents;
}

// A random order of a random DAG that is equivalent to the DAG of an order: covered edges, whose ends have the same
// other parents, are reversed at random. Variables count by their places, so that their numbers do not matter.
Order equivalent_order(const Order& order, const Parents& by_variable, Random& random) {
    const std::size_t size = order.size();
    const std::vector<std::int32_t> place = ranks_of(order);
    Parents parents(size);
    for (std::size_t i = 0; i < size; ++i) {
        for (const std::int32_t parent : by_variable[static_cast<std::size_t>(order[i])])
            parents[i].push_back(place[static_cast<std::size_t>(parent)]);
        std::ranges::sort(parents[i]);
    }
    for (std::size_t attempt = 0; attempt < reversals_per_variable * size; ++attempt) {
        const std::size_t child = random.below(size);
        if (parents[child].empty())
            continue;
        const std::int32_t parent = parents[child][random.below(parents[child].size())];
        auto& others = parents[static_cast<std::size_t>(parent)];
        if (without(parents[child], parent) == others) {
            parents[child] = others;
            others = with(others, static_cast<std::int32_t>(child));
        }
    }
    Order found, rest(size);
    std::iota(rest.begin(), rest.end(), 0);
    VariableSet placed(size);
    while (!rest.empty()) {
        Order ready;
        std::ranges::copy_if(rest, std::back_inserter(ready), [&](std::int32_t i) {
            return std::ranges::all_of(parents[static_cast<std::size_t>(i)],
                                       [&](std::int32_t parent) { return placed.has(parent); });
        });
        const std::int32_t next = ready[random.below(ready.size())];
        found.push_back(order[static_cast<std::size_t>(next)]);
        placed.add(next);
        std::erase(rest, next);
    }
    return found;
}

} // namespace

bool search_orders(const GraphRules& rules, const OrderSettings& settings, std::uint64_t rows,
                   const ScoreFamilies& score, const Workers& workers, const Tick& tick, DagFound& found) {
    FamilyCosts costs(rules, rows, score);
    costs.watch(settings.domain_sizes);
    Order by_cost;
    if ((tick && !tick(0, settings.starts)) || !order_by_cost(rules, costs, by_cost))
        return false;
    if (rules.variables <= settings.exact_variables) {
        Parents parents;
        if (!find_best_dag(rules, by_cost, costs, parents))
            return false;
        found = costs.found(std::move(parents));
        return !tick || tick(settings.starts, settings.starts);
    }
    const std::vector<std::int32_t> rank = ranks_of(by_cost);
    Trees trees;
    for (std::int32_t v = 0; v < static_cast<std::int32_t>(rules.variables); ++v)
        trees.push_back(std::make_unique<GrowShrink>(v, rules, rank));

    // All starts are near the best DAG so far. The first is that of hill climbing, which needs few scores: random
    // orders need many, because the last variables of an order have many parents.
    Parents parents;
    const Tick climbing = [&](std::size_t, std::size_t) { return !tick || tick(0, settings.starts); };
    if (!climb(rules, {0, rules.required}, rank, costs, climbing, parents))
        return false;
    Order best = order_of(parents, by_cost);
    Cost best_cost = 0;
    for (std::size_t y = 0; y < parents.size(); ++y)
        best_cost += costs.get(static_cast<std::int32_t>(y), parents[y]);
    const auto goes_on = [&](std::size_t begun, std::size_t last_better) {
        return begun < settings.starts && begun - last_better < patience &&
               (begun == 0 ||
                costs.rows_of_large_tables() < most_rows_per_variable * static_cast<double>(rules.variables));
    };
    for (std::size_t begun = 0, last_better = 0; goes_on(begun, last_better);) {
        std::vector<Start> starts;
        for (std::size_t i = std::min(starts_at_once, settings.starts - begun); i > 0; --i) {
            Random random(settings.seed, begun++);
            Order order = equivalent_order(best, parents, random);
            const std::size_t moves = begun % starts_at_once == 0 ? order.size() : moved_variables;
            for (std::size_t move = 0; move < moves; ++move)
                random.move_one(order);
            starts.emplace_back(rules, trees, std::move(order), random);
        }
        const std::size_t before = begun - starts.size();
        while (true) {
            for_each_item(
                workers, starts.size(), 1, nullptr, [](std::size_t) { return 0; },
                [&](auto&, std::size_t item, auto&&) { starts[item].run(); });
            const auto finished = static_cast<std::size_t>(std::ranges::count_if(starts, &Start::finished));
            if (tick && !tick(before + finished, settings.starts))
                return false;
            if (finished == starts.size())
                break;
            if (!make_ready(starts, trees, costs))
                return false;
        }
        for (const Start& start : starts)
            if (const Cost cost = total_cost(start.order(), trees); cost < best_cost) {
                best = start.order();
                best_cost = cost;
                parents = parents_in(best, trees);
                last_better = begun;
            }
    }
    found = costs.found(std::move(parents));
    return !tick || tick(settings.starts, settings.starts);
}

} // namespace bitsep
