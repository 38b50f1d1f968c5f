#include "bitsep/skeleton.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace bitsep {

SkeletonSearch::SkeletonSearch(std::size_t variables, const Matrix& untested, const Matrix& excluded, Matrix not_parent,
                               std::size_t max_given, std::size_t most, bool stop_at_first)
    : n_(variables), max_given_(max_given), most_(most), stop_at_first_(stop_at_first),
      not_parent_(std::move(not_parent)), adjacent_(n_ * n_, 1) {
    const std::size_t pairs = n_ < 2 ? 0 : n_ * (n_ - 1) / 2;
    separated_.resize(pairs);
    edges_.reserve(pairs);
    for (std::size_t x = 0; x < n_; ++x) {
        adjacent_[x * n_ + x] = 0;
        for (std::size_t y = x + 1; y < n_; ++y) {
            const bool settled = !untested.empty() && untested[x * n_ + y] != 0;
            if (settled && !excluded.empty() && excluded[x * n_ + y] != 0)
                adjacent_[x * n_ + y] = adjacent_[y * n_ + x] = 0;
            else
                edges_.push_back({static_cast<std::int32_t>(x), static_cast<std::int32_t>(y), settled});
        }
    }
}

bool SkeletonSearch::run(const Separate& separate) {
    for (std::size_t size = 0; size <= max_given_; ++size) {
        const Pools pools(*this, size); // frozen for this size
        std::size_t asked = 0;
        for (std::size_t place = 0; place < edges_.size();) {
            Pairs pairs = next_pairs(pools, size, place);
            if (pairs.numbers.empty())
                break;
            asked += pairs.numbers.size();
            pairs.numbers.shrink_to_fit(); // they stay, and there may be many batches
            Batch batch{size, std::move(pairs.numbers), {}};
            const auto sets = static_cast<std::int64_t>(size);
            const Tasks tasks{.x = pairs.x,
                              .y = pairs.y,
                              .first = {pools.offsets, pools.items},
                              .second = {},
                              .always = {},
                              .min_size = sets,
                              .max_size = sets,
                              .stop_at_first = stop_at_first_,
                              .pools_of_variables = true};
            if (!separate(tasks, batch.found))
                return false;
            settle(batch, pairs);
            batches_.push_back(std::move(batch));
        }
        if (asked == 0)
            break;
        drop_separated();
    }
    return true;
}

SkeletonSearch::Pools::Pools(const SkeletonSearch& search, std::size_t size) : offsets(search.n_ + 1) {
    if (size == 0)
        return; // nothing is drawn from them
    const auto each = [&](auto&& visit) {
        for (const Edge& edge : search.edges_) {
            if (search.may_be_given(edge.y, edge.x))
                visit(static_cast<std::size_t>(edge.x), edge.y);
            if (search.may_be_given(edge.x, edge.y))
                visit(static_cast<std::size_t>(edge.y), edge.x);
        }
    };
    each([this](std::size_t of, std::int32_t) { ++offsets[of + 1]; });
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    items.resize(static_cast<std::size_t>(offsets.back()));
    std::vector<std::int64_t> next(offsets.begin(), offsets.end() - 1);
    each([&](std::size_t of, std::int32_t member) { items[static_cast<std::size_t>(next[of]++)] = member; });
}

SkeletonSearch::Pairs SkeletonSearch::next_pairs(const Pools& pools, std::size_t size, std::size_t& place) {
    Pairs pairs;
    pairs.numbers.reserve(edges_.size() - place);
    pairs.x.reserve(edges_.size() - place);
    pairs.y.reserve(edges_.size() - place);
    const auto pool_without = [&](std::int32_t one, std::int32_t other) {
        const auto row = static_cast<std::size_t>(one);
        const auto all = static_cast<std::size_t>(pools.offsets[row + 1] - pools.offsets[row]);
        return all - (all != 0 && may_be_given(other, one));
    };
    for (std::size_t entries = 0; place < edges_.size(); ++place) {
        Edge& edge = edges_[place];
        if (edge.settled)
            continue;
        const std::size_t of_x = pool_without(edge.x, edge.y), of_y = pool_without(edge.y, edge.x);
        if (std::max(of_x, of_y) < size) {
            edge.settled = true; // neighbors only become fewer
            continue;
        }
        entries += of_x + of_y;
        if (!pairs.numbers.empty() && entries > most_)
            break;
        pairs.numbers.push_back(number_of(edge.x, edge.y));
        pairs.x.push_back(edge.x);
        pairs.y.push_back(edge.y);
    }
    return pairs;
}

// This function and the next one run while the other threads wait. About half of the pairs are removed, in no
// predictable order, so the loops have no branches.
void SkeletonSearch::settle(const Batch& batch, const Pairs& pairs) {
    tests_ += batch.found.tests();
    // Not through the members: a byte written may be any of theirs, and they would be read again for every pair.
    const std::int32_t *x = pairs.x.data(), *y = pairs.y.data();
    const std::size_t n = n_;
    std::uint8_t* adjacent = adjacent_.data();
    const auto number = static_cast<std::int32_t>(batches_.size());
    for (std::size_t row = 0; row < batch.pairs.size(); ++row) {
        const bool separated = batch.found.separated(row);
        separated_[static_cast<std::size_t>(batch.pairs[row])] = {separated ? number : -1,
                                                                  static_cast<std::int32_t>(row)};
        adjacent[static_cast<std::size_t>(x[row]) * n + static_cast<std::size_t>(y[row])] = !separated;
        adjacent[static_cast<std::size_t>(y[row]) * n + static_cast<std::size_t>(x[row])] = !separated;
    }
}

void SkeletonSearch::drop_separated() {
    std::size_t kept = 0;
    for (const Edge& edge : edges_) {
        edges_[kept] = edge;
        kept += joins(edge);
    }
    edges_.resize(kept);
}

std::vector<std::int32_t> SkeletonSearch::colliders() const {
    std::vector<std::vector<std::int32_t>> neighbors(n_);
    for (const Edge& edge : edges_) {
        if (!joins(edge))
            continue; // the search was stopped within a level
        neighbors[static_cast<std::size_t>(edge.x)].push_back(edge.y);
        neighbors[static_cast<std::size_t>(edge.y)].push_back(edge.x);
    }
    std::vector<std::int32_t> triples;
    std::vector<std::pair<std::int32_t, std::int32_t>> ends; // b and c
    for (std::size_t a = 0; a < n_; ++a) {
        ends.clear();
        for (const std::int32_t c : neighbors[a])
            for (const std::int32_t b : neighbors[static_cast<std::size_t>(c)])
                if (static_cast<std::size_t>(b) > a && adjacent_[a * n_ + static_cast<std::size_t>(b)] == 0)
                    ends.emplace_back(b, c);
        std::sort(ends.begin(), ends.end());
        for (const auto& [b, c] : ends) {
            const Place place = separated_[static_cast<std::size_t>(number_of(static_cast<std::int32_t>(a), b))];
            if (place.batch < 0)
                continue;
            const auto separator =
                batches_[static_cast<std::size_t>(place.batch)].found[static_cast<std::size_t>(place.row)].given;
            if (std::find(separator.begin(), separator.end(), c) == separator.end())
                triples.insert(triples.end(), {static_cast<std::int32_t>(a), c, b});
        }
    }
    return triples;
}

} // namespace bitsep
