#include "cost_order.hpp"

#include <algorithm>
#include <tuple>

namespace bitsep {

bool order_by_cost(const GraphRules& rules, FamilyCosts& costs, std::vector<std::int32_t>& order) {
    struct Entry {
        Cost alone = 0, as_child = 0, as_parent = 0;
        std::int32_t variable = 0;
    };
    const auto variables = static_cast<std::int32_t>(rules.variables);
    const auto for_each_family = [&](auto&& use) {
        for (std::int32_t y = 0; y < variables; ++y) {
            use(y, -1, costs.get(y, {}));
            for (std::int32_t x = 0; x < variables; ++x)
                if (x != y)
                    use(y, x, costs.get(y, {&x, 1}));
        }
    };
    for_each_family([](auto...) {});
    if (!costs.compute())
        return false;
    std::vector<Entry> entries(rules.variables);
    for_each_family([&](std::int32_t y, std::int32_t x, Cost cost) {
        Entry& entry = entries[static_cast<std::size_t>(y)];
        entry.variable = y;
        if (x < 0) {
            entry.alone = cost;
            return;
        }
        entry.as_child += cost;
        entries[static_cast<std::size_t>(x)].as_parent += cost;
    });
    std::ranges::sort(entries, {}, [](const Entry& entry) {
        return std::tuple(entry.alone, entry.as_child, entry.as_parent, entry.variable);
    });
    order.clear();
    for (const Entry& entry : entries)
        order.push_back(entry.variable);
    return true;
}

std::vector<std::int32_t> ranks_of(const std::vector<std::int32_t>& order) {
    std::vector<std::int32_t> ranks(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        ranks[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
    return ranks;
}

} // namespace bitsep
