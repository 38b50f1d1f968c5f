#include <algorithm>
#include <deque>
#include <tuple>

#include "bitsep/graph_search.hpp"
#include "cost_order.hpp"
#include "hill_climbing.hpp"
#include "random.hpp"
#include "variable_set.hpp"

namespace bitsep {

namespace {

using Parents = std::vector<std::vector<std::int32_t>>;

enum class Kind { remove, reverse, add };

// Of an edge from `parent` to `child`; where it is reversed, they are those before.
struct Move {
    Kind kind;
    std::int32_t parent, child;
};

std::size_t index(std::int32_t v) {
    return static_cast<std::size_t>(v);
}

// A DAG, the moves that the rules allow in it, and what each changes in the cost.
class Climber {
public:
    Climber(const GraphRules& rules, const Parents& start, std::span<const std::int32_t> rank)
        : rules_(rules), rank_(rank), parents_(start), family_(rules.variables, 0),
          toggled_(rules.variables * rules.variables, FamilyCosts::unknown),
          descendants_(rules.variables, VariableSet(rules.variables)) {
        for (std::int32_t y = 0; y < size(); ++y)
            for (const std::int32_t x : parents_[index(y)])
                hash_ ^= hash_of(x, y);
        find_descendants();
    }

    const Parents& parents() const { return parents_; }
    Cost total() const { return total_; }
    std::uint64_t hash() const { return hash_; }

    // Computes the costs that the moves of this graph need and that are not known from earlier graphs. Returns false if
    // the search must stop.
    bool find_costs(FamilyCosts& costs) {
        want(costs);
        if (!costs.compute())
            return false;
        want(costs);
        total_ = 0;
        for (const Cost cost : family_)
            total_ += cost;
        return true;
    }

    // The move that changes the cost by the lowest amount, of those that do not lead to a tabu graph. Returns false if
    // there is none.
    bool find_best(const std::deque<std::uint64_t>& tabu, Move& best, Cost& change) const {
        using Key = std::tuple<Cost, Kind, std::int32_t, std::int32_t>;
        Key lowest{};
        bool found = false;
        for_each_move([&](const Move& move) {
            const Key key(change_of(move), move.kind, rank_[index(move.parent)], rank_[index(move.child)]);
            if ((found && key >= lowest) || std::ranges::find(tabu, hash_after(move)) != tabu.end())
                return;
            found = true;
            lowest = key;
            best = move;
        });
        change = std::get<0>(lowest);
        return found;
    }

    void make(const Move& move) {
        hash_ = hash_after(move);
        toggle(move.parent, move.child);
        if (move.kind == Kind::reverse)
            toggle(move.child, move.parent);
        find_descendants();
    }

private:
    std::int32_t size() const { return static_cast<std::int32_t>(rules_.variables); }
    bool has_edge(std::int32_t x, std::int32_t y) const { return std::ranges::binary_search(parents_[index(y)], x); }
    bool may_add(std::int32_t x, std::int32_t y) const {
        return parents_[index(y)].size() < rules_.max_parents() && rules_.allows(x, y);
    }
    // Whether a path leads from x to y besides the edge.
    bool has_other_path(std::int32_t x, std::int32_t y) const {
        return std::ranges::any_of(parents_[index(y)], [&](std::int32_t z) { return descendants_[index(x)].has(z); });
    }

    template <class Use>
    void for_each_move(Use&& use) const {
        for (std::int32_t y = 0; y < size(); ++y) {
            for (const std::int32_t x : parents_[index(y)]) {
                if (std::ranges::binary_search(rules_.required[index(y)], x))
                    continue;
                use({Kind::remove, x, y});
                if (may_add(y, x) && !has_other_path(x, y))
                    use({Kind::reverse, x, y});
            }
            if (parents_[index(y)].size() < rules_.max_parents())
                for (std::int32_t x = 0; x < size(); ++x)
                    if (rules_.allows(x, y) && !descendants_[index(y)].has(x) && !has_edge(x, y))
                        use({Kind::add, x, y});
        }
    }

    // The cost of y with the edge from x added, or removed if it is there.
    Cost& toggled(std::int32_t x, std::int32_t y) { return toggled_[index(y) * rules_.variables + index(x)]; }
    Cost change_of_toggle(std::int32_t x, std::int32_t y) const {
        return toggled_[index(y) * rules_.variables + index(x)] - family_[index(y)];
    }
    Cost change_of(const Move& move) const {
        const Cost change = change_of_toggle(move.parent, move.child);
        return move.kind == Kind::reverse ? change + change_of_toggle(move.child, move.parent) : change;
    }

    void want(FamilyCosts& costs) {
        const auto get_toggled = [&](std::int32_t x, std::int32_t y) {
            Cost& cost = toggled(x, y);
            if (cost == FamilyCosts::unknown)
                cost = costs.get(y, has_edge(x, y) ? without(parents_[index(y)], x) : with(parents_[index(y)], x));
        };
        for (std::int32_t y = 0; y < size(); ++y)
            family_[index(y)] = costs.get(y, parents_[index(y)]);
        for_each_move([&](const Move& move) {
            get_toggled(move.parent, move.child);
            if (move.kind == Kind::reverse)
                get_toggled(move.child, move.parent);
        });
    }

    void toggle(std::int32_t x, std::int32_t y) {
        parents_[index(y)] = has_edge(x, y) ? without(parents_[index(y)], x) : with(parents_[index(y)], x);
        for (std::int32_t other = 0; other < size(); ++other)
            toggled(other, y) = FamilyCosts::unknown;
    }

    // Graphs are recognized by the exclusive or of a random number for each edge.
    std::uint64_t hash_of(std::int32_t x, std::int32_t y) const {
        return Random(index(x) * rules_.variables + index(y), 0).next();
    }
    std::uint64_t hash_after(const Move& move) const {
        const std::uint64_t after = hash_ ^ hash_of(move.parent, move.child);
        return move.kind == Kind::reverse ? after ^ hash_of(move.child, move.parent) : after;
    }

    void find_descendants() {
        std::vector<std::size_t> children(rules_.variables, 0); // whose descendants are not complete yet
        for (const auto& set : parents_)
            for (const std::int32_t x : set)
                ++children[index(x)];
        std::vector<std::int32_t> complete;
        for (std::int32_t v = 0; v < size(); ++v) {
            descendants_[index(v)].clear();
            if (children[index(v)] == 0)
                complete.push_back(v);
        }
        while (!complete.empty()) {
            const std::int32_t y = complete.back();
            complete.pop_back();
            for (const std::int32_t x : parents_[index(y)]) {
                descendants_[index(x)].add(y);
                descendants_[index(x)].add(descendants_[index(y)]);
                if (--children[index(x)] == 0)
                    complete.push_back(x);
            }
        }
    }

    const GraphRules& rules_;
    std::span<const std::int32_t> rank_;
    Parents parents_;
    std::vector<Cost> family_; // by variable
    Cost total_ = 0;
    std::vector<Cost> toggled_; // [child, parent]
    std::vector<VariableSet> descendants_;
    std::uint64_t hash_ = 0;
};

} // namespace

bool climb(const GraphRules& rules, const ClimbSettings& settings, std::span<const std::int32_t> rank,
           FamilyCosts& costs, const Tick& tick, Parents& best) {
    Climber climber(rules, settings.start, rank);
    std::deque<std::uint64_t> tabu; // the last graphs, without the present one
    Cost lowest = 0;
    for (std::size_t moves = 0, since_best = 0;; ++moves, ++since_best) {
        if ((tick && !tick(moves, moves)) || !climber.find_costs(costs))
            return false;
        if (moves == 0 || climber.total() < lowest) {
            lowest = climber.total();
            since_best = 0;
            best = climber.parents();
        }
        Move move{};
        Cost change = 0;
        if (!climber.find_best(tabu, move, change) || (change >= 0 && since_best >= settings.tabu))
            return true;
        tabu.push_back(climber.hash());
        if (tabu.size() > settings.tabu)
            tabu.pop_front();
        climber.make(move);
    }
}

bool climb(const GraphRules& rules, const ClimbSettings& settings, std::uint64_t rows, const ScoreFamilies& score,
           const Tick& tick, DagFound& found) {
    FamilyCosts costs(rules, rows, score);
    std::vector<std::int32_t> by_cost;
    Parents best;
    if (!order_by_cost(rules, costs, by_cost) || !climb(rules, settings, ranks_of(by_cost), costs, tick, best))
        return false;
    found = costs.found(std::move(best));
    return true;
}

} // namespace bitsep
