#include "bitsep/d_separation.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace bitsep {

namespace {

bool has(const std::uint64_t* set, std::size_t i) {
    return (set[i / 64] >> (i % 64)) & 1;
}
void insert(std::uint64_t* set, std::size_t i) {
    set[i / 64] |= std::uint64_t{1} << (i % 64);
}

} // namespace

DagBitsets::DagBitsets(std::size_t nodes, std::span<const std::int32_t> from, std::span<const std::int32_t> to)
    : nodes_(nodes), words_((nodes + 63) / 64), parents_(nodes * words_), children_(nodes * words_),
      ancestors_(nodes * words_) {
    std::vector<std::size_t> waiting(nodes);
    for (std::size_t edge = 0; edge < from.size(); ++edge) {
        const auto parent = static_cast<std::size_t>(from[edge]), child = static_cast<std::size_t>(to[edge]);
        insert(parents_.data() + child * words_, parent);
        insert(children_.data() + parent * words_, child);
        ++waiting[child];
    }
    std::vector<std::size_t> ready;
    for (std::size_t node = 0; node < nodes; ++node) {
        insert(ancestors_.data() + node * words_, node);
        if (waiting[node] == 0)
            ready.push_back(node);
    }
    std::size_t finished = 0;
    for (; finished < ready.size(); ++finished) {
        const std::size_t node = ready[finished];
        for (std::size_t child = 0; child < nodes; ++child) {
            if (!has(children(node), child))
                continue;
            for (std::size_t word = 0; word < words_; ++word)
                ancestors_[child * words_ + word] |= ancestors_[node * words_ + word];
            if (--waiting[child] == 0)
                ready.push_back(child);
        }
    }
    if (finished != nodes)
        throw std::invalid_argument("edges: cannot form a directed cycle.");
}

SeparationTester::SeparationTester(const DagBitsets& dag)
    : dag_(dag), given_(dag.words()), opened_(dag.words()), up_(dag.words()), down_(dag.words()), open_up_(dag.words()),
      open_down_(dag.words()) {}

// Reachability along active trails (Koller & Friedman 2009, Alg. 3.1) with whole sets as the frontier: a trail arrives
// at a node going up (from a child) or down (from a parent).
bool SeparationTester::separated(std::size_t x, std::size_t y, std::span<const std::int32_t> given) {
    const std::size_t words = dag_.words();
    for (auto* set : {&given_, &opened_, &up_, &down_, &open_up_, &open_down_})
        std::fill(set->begin(), set->end(), 0);
    for (const std::int32_t variable : given) {
        insert(given_.data(), static_cast<std::size_t>(variable));
        const std::uint64_t* ancestors = dag_.ancestors(static_cast<std::size_t>(variable));
        for (std::size_t word = 0; word < words; ++word)
            opened_[word] |= ancestors[word]; // colliders here let a trail through
    }
    insert(open_up_.data(), x);
    const auto reach = [words](std::vector<std::uint64_t>& open, const std::vector<std::uint64_t>& seen,
                               const std::uint64_t* nodes) {
        for (std::size_t word = 0; word < words; ++word)
            open[word] |= nodes[word] & ~seen[word];
    };
    bool moved = true;
    while (moved) {
        moved = false;
        for (std::size_t word = 0; word < words; ++word) {
            while (open_up_[word] != 0) {
                const std::size_t node = word * 64 + static_cast<std::size_t>(std::countr_zero(open_up_[word]));
                open_up_[word] &= open_up_[word] - 1;
                insert(up_.data(), node);
                moved = true;
                if (has(given_.data(), node))
                    continue;
                reach(open_up_, up_, dag_.parents(node));
                reach(open_down_, down_, dag_.children(node));
            }
            while (open_down_[word] != 0) {
                const std::size_t node = word * 64 + static_cast<std::size_t>(std::countr_zero(open_down_[word]));
                open_down_[word] &= open_down_[word] - 1;
                insert(down_.data(), node);
                moved = true;
                if (!has(given_.data(), node))
                    reach(open_down_, down_, dag_.children(node));
                if (has(opened_.data(), node))
                    reach(open_up_, up_, dag_.parents(node));
            }
        }
        if (has(up_.data(), y) || has(down_.data(), y))
            return false;
    }
    return true;
}

Record SeparationTester::test(std::int32_t x, std::int32_t y, std::span<const std::int32_t> given) {
    Record record;
    record.independent = separated(static_cast<std::size_t>(x), static_cast<std::size_t>(y), given);
    record.score_bits = record.independent ? -1.0 : 1.0;
    return record;
}

} // namespace bitsep
