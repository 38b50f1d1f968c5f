#include "exact_search.hpp"

#include <algorithm>
#include <bit>

namespace bitsep {

namespace {

using Set = std::uint32_t; // of places in the order

constexpr Cost impossible = INT64_MAX;

class ExactSearch {
public:
    ExactSearch(const GraphRules& rules, std::span<const std::int32_t> order, FamilyCosts& costs)
        : rules_(rules), order_(order), costs_(costs), all_((Set{1} << order.size()) - 1) {}

    bool run(std::vector<std::vector<std::int32_t>>& parents) {
        choices_.assign(order_.size(), std::vector<Choice>(all_ + 1));
        for (int round = 0; round < 2; ++round) { // first all families are wanted, then their costs are known
            for (std::size_t place = 0; place < order_.size(); ++place)
                for (Set set = 0; set <= all_; ++set)
                    if ((set >> place & 1) == 0)
                        choices_[place][set] = choose(place, set);
            if (round == 0 && !costs_.compute())
                return false;
        }
        parents.assign(order_.size(), {});
        const std::vector<std::size_t> last = last_places();
        for (Set rest = all_; rest != 0;) {
            const std::size_t place = last[rest];
            rest &= ~(Set{1} << place);
            parents[static_cast<std::size_t>(order_[place])] = members(choices_[place][rest].set);
        }
        return true;
    }

private:
    struct Choice {
        Cost cost = impossible;
        Set set = 0;
    };

    // The best parents within a set, if those within its subsets are known.
    Choice choose(std::size_t place, Set set) {
        Choice best;
        for (Set rest = set; rest != 0; rest &= rest - 1)
            if (const Choice& smaller = choices_[place][set & ~(rest & -rest)]; smaller.cost < best.cost)
                best = smaller;
        const std::int32_t variable = order_[place];
        const std::vector<std::int32_t> parents = members(set);
        const auto& required = rules_.required[static_cast<std::size_t>(variable)];
        if (parents.size() <= std::max(rules_.max_parents(), required.size()) &&
            std::ranges::includes(parents, required) &&
            std::ranges::all_of(parents, [&](std::int32_t parent) { return rules_.allows(parent, variable); }))
            if (const Cost cost = costs_.get(variable, parents); cost < best.cost)
                best = {cost, set};
        return best;
    }

    // The place of the last variable of the best DAG over each set.
    std::vector<std::size_t> last_places() const {
        std::vector<Cost> totals(all_ + 1, impossible);
        std::vector<std::size_t> last(all_ + 1);
        totals[0] = 0;
        for (Set set = 1; set <= all_; ++set)
            for (Set left = set; left != 0; left &= left - 1) {
                const auto place = static_cast<std::size_t>(std::countr_zero(left));
                const Set rest = set & ~(Set{1} << place);
                const Cost cost = choices_[place][rest].cost;
                if (cost != impossible && totals[rest] != impossible && totals[rest] + cost < totals[set]) {
                    totals[set] = totals[rest] + cost;
                    last[set] = place;
                }
            }
        return last;
    }

    std::vector<std::int32_t> members(Set set) const {
        std::vector<std::int32_t> found;
        for (; set != 0; set &= set - 1)
            found.push_back(order_[static_cast<std::size_t>(std::countr_zero(set))]);
        std::ranges::sort(found);
        return found;
    }

    const GraphRules& rules_;
    std::span<const std::int32_t> order_;
    FamilyCosts& costs_;
    Set all_;
    std::vector<std::vector<Choice>> choices_; // by place of the variable and set of candidates
};

} // namespace

bool find_best_dag(const GraphRules& rules, std::span<const std::int32_t> order, FamilyCosts& costs,
                   std::vector<std::vector<std::int32_t>>& parents) {
    return ExactSearch(rules, order, costs).run(parents);
}

} // namespace bitsep
