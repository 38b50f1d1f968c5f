#include "bitsep/pools.hpp"

#include <algorithm>
#include <cmath>

namespace bitsep {

namespace {

std::size_t side_of(std::size_t cells) {
    return static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(cells))));
}

// For each row of a square matrix, where it is not zero.
std::vector<std::vector<std::int32_t>> members_of(std::span<const std::uint8_t> matrix, std::size_t n) {
    std::vector<std::vector<std::int32_t>> members(n);
    for (std::size_t v = 0; v < n; ++v)
        for (std::size_t u = 0; u < n; ++u)
            if (matrix[v * n + u] != 0)
                members[v].push_back(static_cast<std::int32_t>(u));
    return members;
}

// From the number of a pair to its variables; quick where numbers come in ascending order.
class PairOf {
public:
    explicit PairOf(std::size_t n) : n_(static_cast<std::int64_t>(n)) {}
    void find(std::int64_t pair) {
        if (pair < row_begin_)
            x_ = row_begin_ = 0;
        while (pair >= row_begin_ + n_ - 1 - x_)
            row_begin_ += n_ - 1 - x_++;
        y_ = x_ + 1 + pair - row_begin_;
    }
    std::size_t x() const { return static_cast<std::size_t>(x_); }
    std::size_t y() const { return static_cast<std::size_t>(y_); }

private:
    std::int64_t n_, x_ = 0, y_ = 0, row_begin_ = 0; // row_begin_: the number of the pair (x, x + 1)
};

// All members but one, which is there or not.
void append_without(std::vector<std::int32_t>& into, const std::vector<std::int32_t>& members, std::size_t one) {
    const auto place = std::lower_bound(members.begin(), members.end(), static_cast<std::int32_t>(one));
    into.insert(into.end(), members.begin(), place);
    const bool there = place != members.end() && *place == static_cast<std::int32_t>(one);
    into.insert(into.end(), place + there, members.end());
}

} // namespace

Pools pools_of_pairs(std::span<const std::uint8_t> pool, std::span<const std::int64_t> pairs, std::size_t size,
                     std::size_t begin, std::size_t most) {
    const std::size_t n = side_of(pool.size());
    const auto members = members_of(pool, n);
    Pools pools;
    PairOf pair(n);
    for (pools.end = begin; pools.end < pairs.size(); ++pools.end) {
        pair.find(pairs[pools.end]);
        const std::size_t x = pair.x(), y = pair.y();
        const std::size_t of_x = members[x].size() - (pool[x * n + y] != 0),
                          of_y = members[y].size() - (pool[y * n + x] != 0);
        if (std::max(of_x, of_y) < size)
            continue;
        if (!pools.pair.empty() && pools.first.size() + pools.second.size() + of_x + of_y > most)
            break;
        pools.pair.push_back(pairs[pools.end]);
        pools.x.push_back(static_cast<std::int32_t>(x));
        pools.y.push_back(static_cast<std::int32_t>(y));
        append_without(pools.first, members[x], y);
        append_without(pools.second, members[y], x);
        pools.first_offsets.push_back(static_cast<std::int64_t>(pools.first.size()));
        pools.second_offsets.push_back(static_cast<std::int64_t>(pools.second.size()));
    }
    return pools;
}

std::vector<std::int64_t> settle_pairs(const PairBook& book, std::int32_t batch, std::span<const std::int64_t> pairs,
                                       std::span<const std::uint8_t> separated) {
    const std::size_t n = side_of(book.adjacent.size());
    std::vector<std::int64_t> survived;
    PairOf pair(n);
    for (std::size_t row = 0; row < pairs.size(); ++row) {
        if (separated[row] == 0) {
            survived.push_back(pairs[row]);
            continue;
        }
        const auto number = static_cast<std::size_t>(pairs[row]);
        book.separated_in[number] = batch;
        book.separated_row[number] = static_cast<std::int32_t>(row);
        pair.find(pairs[row]);
        book.adjacent[pair.x() * n + pair.y()] = book.adjacent[pair.y() * n + pair.x()] = 0;
    }
    return survived;
}

std::vector<std::int32_t> unshielded_colliders(const PairBook& book, std::span<const Ragged> separators) {
    const std::size_t n = side_of(book.adjacent.size());
    const auto neighbours = members_of(book.adjacent, n);
    std::vector<std::int32_t> colliders;
    std::vector<std::pair<std::int32_t, std::int32_t>> ends; // b and c
    for (std::size_t a = 0; a < n; ++a) {
        ends.clear();
        for (const std::int32_t c : neighbours[a])
            for (const std::int32_t b : neighbours[static_cast<std::size_t>(c)])
                if (static_cast<std::size_t>(b) > a && book.adjacent[a * n + static_cast<std::size_t>(b)] == 0)
                    ends.emplace_back(b, c);
        std::sort(ends.begin(), ends.end());
        for (const auto& [b, c] : ends) {
            const std::size_t pair = a * (2 * n - a - 1) / 2 + static_cast<std::size_t>(b) - a - 1;
            if (book.separated_in[pair] < 0)
                continue;
            const auto separator = separators[static_cast<std::size_t>(book.separated_in[pair])]
                                             [static_cast<std::size_t>(book.separated_row[pair])];
            if (std::find(separator.begin(), separator.end(), c) == separator.end())
                colliders.insert(colliders.end(), {static_cast<std::int32_t>(a), c, b});
        }
    }
    return colliders;
}

} // namespace bitsep
