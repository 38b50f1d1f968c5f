#include "bitsep/skeleton.hpp"

#include <algorithm>
#include <utility>

namespace bitsep {

namespace {

// From the number of a pair to its variables; quick where numbers come in ascending order.
class PairOf {
public:
    explicit PairOf(std::size_t n) : n_(static_cast<std::int64_t>(n)) {}
    void find(std::int64_t pair) {
        while (pair >= row_begin_ + n_ - 1 - x_)
            row_begin_ += n_ - 1 - x_++;
        y_ = x_ + 1 + pair - row_begin_;
    }
    std::size_t x() const { return static_cast<std::size_t>(x_); }
    std::size_t y() const { return static_cast<std::size_t>(y_); }

private:
    std::int64_t n_, x_ = 0, y_ = 0, row_begin_ = 0; // row_begin_: the number of the pair (x, x + 1)
};

// For each row of a square matrix, where it is not zero.
struct Members {
    std::vector<std::int64_t> offsets{0};
    std::vector<std::int32_t> items;

    Members(std::span<const std::uint8_t> matrix, std::size_t n) {
        offsets.reserve(n + 1);
        items.reserve(matrix.size());
        for (std::size_t v = 0; v < n; ++v) {
            for (std::size_t u = 0; u < n; ++u)
                if (matrix[v * n + u] != 0)
                    items.push_back(static_cast<std::int32_t>(u));
            offsets.push_back(static_cast<std::int64_t>(items.size()));
        }
    }
    Ragged rows() const { return {offsets, items}; }
};

} // namespace

SkeletonSearch::SkeletonSearch(std::size_t variables, const Matrix& untested, const Matrix& excluded, Matrix not_parent,
                               std::size_t max_given, std::size_t most)
    : n_(variables), max_given_(max_given), most_(most), not_parent_(std::move(not_parent)), adjacent_(n_ * n_, 1) {
    const std::size_t pairs = n_ < 2 ? 0 : n_ * (n_ - 1) / 2;
    separated_.resize(pairs);
    open_.reserve(pairs);
    std::int64_t pair = 0;
    for (std::size_t x = 0; x < n_; ++x) {
        adjacent_[x * n_ + x] = 0;
        for (std::size_t y = x + 1; y < n_; ++y, ++pair) {
            if (untested.empty() || untested[x * n_ + y] == 0)
                open_.push_back(pair);
            else if (!excluded.empty() && excluded[x * n_ + y] != 0)
                adjacent_[x * n_ + y] = adjacent_[y * n_ + x] = 0;
        }
    }
}

bool SkeletonSearch::run(const Separate& separate) {
    for (std::size_t size = 0; size <= max_given_ && !open_.empty(); ++size) {
        const Matrix pool = size == 0 ? Matrix(n_ * n_) : pool_matrix(); // frozen for this size
        const Members members(pool, n_);
        std::vector<std::int64_t> joined;
        joined.reserve(open_.size());
        for (std::size_t place = 0; place < open_.size();) {
            Pairs pairs = next_pairs(pool, members.offsets, size, place);
            if (pairs.numbers.empty())
                break;
            Batch batch{size, std::move(pairs.numbers), {0, 0}};
            const auto sets = static_cast<std::int64_t>(size);
            const Tasks tasks{.x = pairs.x,
                              .y = pairs.y,
                              .first = members.rows(),
                              .second = {},
                              .always = {},
                              .min_size = sets,
                              .max_size = sets,
                              .pools_of_variables = true};
            if (!separate(tasks, batch.found))
                return false;
            settle(batch, joined);
            batches_.push_back(std::move(batch));
        }
        // A pair with too few neighbours for this size has too few for the next one as well.
        open_ = std::move(joined);
    }
    return true;
}

// pool[x][z] != 0: z may be in the sets drawn from the neighbours of x.
SkeletonSearch::Matrix SkeletonSearch::pool_matrix() const {
    Matrix pool = adjacent_;
    if (!not_parent_.empty())
        for (std::size_t x = 0; x < n_; ++x)
            for (std::size_t z = 0; z < n_; ++z)
                if (not_parent_[z * n_ + x] != 0)
                    pool[x * n_ + z] = 0;
    return pool;
}

SkeletonSearch::Pairs SkeletonSearch::next_pairs(const Matrix& pool, std::span<const std::int64_t> offsets,
                                                 std::size_t size, std::size_t& place) const {
    Pairs pairs;
    pairs.numbers.reserve(open_.size() - place);
    pairs.x.reserve(open_.size() - place);
    pairs.y.reserve(open_.size() - place);
    PairOf pair(n_);
    const auto without = [&](std::size_t one, std::size_t other) {
        return static_cast<std::size_t>(offsets[one + 1] - offsets[one]) - (pool[one * n_ + other] != 0);
    };
    for (std::size_t entries = 0; place < open_.size(); ++place) {
        pair.find(open_[place]);
        const std::size_t x = pair.x(), y = pair.y(), of_x = without(x, y), of_y = without(y, x);
        if (std::max(of_x, of_y) < size)
            continue;
        entries += of_x + of_y;
        if (!pairs.numbers.empty() && entries > most_)
            break;
        pairs.numbers.push_back(open_[place]);
        pairs.x.push_back(static_cast<std::int32_t>(x));
        pairs.y.push_back(static_cast<std::int32_t>(y));
    }
    return pairs;
}

// Counts the tests of a batch and notes which pairs it separated; the others are added to those still joined.
void SkeletonSearch::settle(const Batch& batch, std::vector<std::int64_t>& joined) {
    PairOf pair(n_);
    tests_ += batch.found.tests();
    for (std::size_t row = 0; row < batch.pairs.size(); ++row) {
        if (!batch.found.separated(row)) {
            joined.push_back(batch.pairs[row]);
            continue;
        }
        pair.find(batch.pairs[row]);
        separated_[static_cast<std::size_t>(batch.pairs[row])] = {static_cast<std::int32_t>(batches_.size()),
                                                                  static_cast<std::int32_t>(row)};
        adjacent_[pair.x() * n_ + pair.y()] = adjacent_[pair.y() * n_ + pair.x()] = 0;
    }
}

std::vector<std::int32_t> SkeletonSearch::colliders() const {
    const Members members(adjacent_, n_);
    const Ragged neighbours = members.rows();
    std::vector<std::int32_t> triples;
    std::vector<std::pair<std::int32_t, std::int32_t>> ends; // b and c
    for (std::size_t a = 0; a < n_; ++a) {
        ends.clear();
        for (const std::int32_t c : neighbours[a])
            for (const std::int32_t b : neighbours[static_cast<std::size_t>(c)])
                if (static_cast<std::size_t>(b) > a && adjacent_[a * n_ + static_cast<std::size_t>(b)] == 0)
                    ends.emplace_back(b, c);
        std::sort(ends.begin(), ends.end());
        for (const auto& [b, c] : ends) {
            const Place place = separated_[a * (2 * n_ - a - 1) / 2 + static_cast<std::size_t>(b) - a - 1];
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
