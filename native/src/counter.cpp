#include "bitsep/counter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "sorted_cells.hpp"
#include "strata_feed.hpp"

namespace bitsep {

namespace {

double domain_product(const Table& table, std::span<const std::int32_t> z) {
    double product = 1;
    for (const std::int32_t variable : z)
        product *= static_cast<double>(table.column(static_cast<std::size_t>(variable)).levels());
    return product;
}

// The cost model in nanoseconds, estimated on an Ice Lake core (see ARCHITECTURE.md).
constexpr double bitmap_ns_per_vector = 0.55; // AND + popcount + add of one vector
constexpr double mask_ns_per_vector = 0.9;    // one mask: AND, store, popcount
constexpr double stratum_overhead_ns = 12;    // calls and sums per stratum and block
constexpr double scan_ns_per_row = 0.9;       // row scan, per row
constexpr double scan_ns_per_row_per_column = 0.12;
constexpr double scan_ns_per_cell = 1.0; // clearing and reading the table
constexpr double max_bitmap_strata = 4096;
constexpr std::size_t cache_from_rows = 4096; // below, counting anew costs no more than looking up
constexpr double max_dense_cells = 1 << 22;   // beyond, the table of a row scan leaves the cache for good

// A few variables in ascending order, by insertion.
std::array<std::int32_t, CountCache::max_variables> ascending(std::span<const std::int32_t> order) {
    std::array<std::int32_t, CountCache::max_variables> sorted;
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::size_t place = i;
        for (; place > 0 && sorted[place - 1] > order[i]; --place)
            sorted[place] = sorted[place - 1];
        sorted[place] = order[i];
    }
    return sorted;
}

// Strata of a dense table, in order, into the statistic.
template <class Count>
void feed_tables(Accumulator& sums, const std::vector<Count>& cells, std::size_t kx, std::size_t ky) {
    thread_local std::vector<Count> margins;
    margins.resize(kx + ky);
    Count *rows = margins.data(), *columns = margins.data() + kx;
    for (std::size_t begin = 0; begin < cells.size(); begin += kx * ky) {
        const Count* table = cells.data() + begin;
        std::fill_n(columns, ky, Count{0});
        Count total = 0;
        for (std::size_t i = 0; i < kx; ++i) {
            Count row = 0;
            for (std::size_t j = 0; j < ky; ++j) {
                row += table[i * ky + j];
                columns[j] += table[i * ky + j];
            }
            rows[i] = row;
            total += row;
        }
        if (total != 0)
            sums.add_dense(table, rows, columns, total);
    }
}

} // namespace

Way Counter::choose(std::size_t x, std::size_t y, Variables z) const {
    const Column &cx = table_.column(x), &cy = table_.column(y);
    const double kx = static_cast<double>(cx.levels()), ky = static_cast<double>(cy.levels());
    const double strata = domain_product(table_, z), rows = static_cast<double>(table_.rows());
    const double cells = strata * kx * ky;

    bool bitmaps = !table_.weighted() && cx.can_have_bitmaps() && cy.can_have_bitmaps() &&
                   strata <= max_bitmap_strata && rows < 4e9;
    for (const std::int32_t variable : z)
        bitmaps = bitmaps && table_.column(static_cast<std::size_t>(variable)).can_have_bitmaps();
    const bool dense = cells <= max_dense_cells && cells <= std::max(65536.0, 8 * rows);

    const double vectors = rows / 512;
    const double counts = z.empty() ? (kx - 1) * (ky - 1) : kx * ky;
    const double bitmap_cost =
        strata * (vectors * (counts * bitmap_ns_per_vector + mask_ns_per_vector) + stratum_overhead_ns);
    const double scan_cost = rows * (scan_ns_per_row + scan_ns_per_row_per_column * static_cast<double>(z.size())) +
                             cells * scan_ns_per_cell;
    if (bitmaps && (!dense || bitmap_cost <= scan_cost))
        return Way::bitmaps;
    return dense ? Way::row_scan : Way::sparse;
}

Record Counter::test(const Test& test, std::size_t x, std::size_t y, Variables z, Way way) {
    const bool automatic = way == Way::automatic; // a way that is asked for is gone, whatever the cache knows
    if (automatic)
        way = choose(x, y, z);
    const std::int64_t kx = table_.column(x).levels(), ky = table_.column(y).levels();
    if (kx == 0 || ky == 0 || domain_product(table_, z) == 0) // a column without a single value: no row is left
        return Accumulator(test, 1, 1, 0).finish(0, regrets_);
    const bool needs_pairs = test.method == Method::sci_fs && test.observed_xy;
    Accumulator sums(test, kx, ky, needs_pairs ? count_observed_pairs(x, y, z) : 0);
    if (way != Way::sparse) {
        test_dense(sums, x, y, z, way, automatic && table_.rows() >= cache_from_rows);
    } else {
        StrataFeed feed(sums, static_cast<std::size_t>(ky));
        by_sorting(x, y, z).each([&](auto... cell) { feed.cell(cell...); });
        feed.finish();
    }
    return sums.finish(domain_product(table_, z), regrets_);
}

void Counter::test_dense(Accumulator& sums, std::size_t x, std::size_t y, Variables z, Way way, bool use_cache) {
    const auto kx = static_cast<std::size_t>(table_.column(x).levels());
    const auto ky = static_cast<std::size_t>(table_.column(y).levels());
    if (way == Way::row_scan && (table_.weighted() || table_.rows() >= 0xffffffffu)) {
        by_row_scan(weighted_cells_, x, y, z);
        return feed_tables(sums, weighted_cells_, kx, ky);
    }
    std::array<std::int32_t, CountCache::max_variables> order;
    use_cache = use_cache && z.size() + 2 <= order.size();
    if (use_cache) {
        std::copy(z.begin(), z.end(), order.begin());
        order[z.size()] = static_cast<std::int32_t>(x);
        order[z.size() + 1] = static_cast<std::int32_t>(y);
        if (recall({order.data(), z.size() + 2}, cells_))
            return feed_tables(sums, cells_, kx, ky);
    }
    if (way == Way::bitmaps) {
        by_bitmaps(x, y, z, use_cache, &sums);
    } else {
        by_row_scan(cells_, x, y, z);
        feed_tables(sums, cells_, kx, ky);
    }
    if (use_cache)
        remember({order.data(), z.size() + 2}, cells_);
}

void Counter::add_dense(std::size_t x, std::size_t y, Variables z, std::span<std::int64_t> cells) {
    if (cells.empty())
        return;
    const auto add = [&](const auto& counted) {
        for (std::size_t i = 0; i < cells.size(); ++i)
            cells[i] += static_cast<std::int64_t>(counted[i]);
    };
    if (choose(x, y, z) == Way::bitmaps) {
        by_bitmaps(x, y, z, false, nullptr);
        add(cells_);
    } else if (table_.weighted() || table_.rows() >= 0xffffffffu) {
        by_row_scan(weighted_cells_, x, y, z);
        add(weighted_cells_);
    } else {
        by_row_scan(cells_, x, y, z);
        add(cells_);
    }
}

void Counter::permute(const JointTable& table, Variables sorted, Variables order,
                      std::vector<std::uint32_t>& cells) const {
    // Strides of the variables in the cached table, arranged in the order wanted.
    std::array<std::size_t, CountCache::max_variables> size, stride, digit{};
    const std::size_t n = order.size();
    for (std::size_t i = 0; i < n; ++i) {
        std::size_t step = 1;
        for (std::size_t j = n; j-- > 0 && sorted[j] != order[i];)
            step *= static_cast<std::size_t>(table_.column(static_cast<std::size_t>(sorted[j])).levels());
        stride[i] = step;
        size[i] = static_cast<std::size_t>(table_.column(static_cast<std::size_t>(order[i])).levels());
    }
    cells.resize(table.size());
    std::size_t source = 0;
    for (std::uint32_t& cell : cells) {
        cell = table[source];
        for (std::size_t i = n; i-- > 0;) { // count up, the last variable fastest
            source += stride[i];
            if (++digit[i] < size[i])
                break;
            source -= stride[i] * size[i];
            digit[i] = 0;
        }
    }
}

bool Counter::recall(Variables order, std::vector<std::uint32_t>& cells) const {
    const auto sorted = ascending(order);
    const Variables set(sorted.data(), order.size());
    const auto key = CountCache::key(set);
    const auto table = key ? table_.cache().find(*key) : nullptr;
    if (table == nullptr)
        return false;
    permute(*table, set, order, cells);
    return true;
}

void Counter::remember(Variables order, const std::vector<std::uint32_t>& cells) const {
    if (cells.size() > CountCache::max_cells)
        return;
    const auto sorted = ascending(order);
    const Variables set(sorted.data(), order.size());
    const auto key = CountCache::key(set);
    if (!key)
        return;
    auto table = std::make_shared<JointTable>();
    permute(cells, order, set, *table); // from the order of the test to the ascending one
    table_.cache().insert(*key, std::move(table));
}

Counts Counter::counts(std::size_t x, std::size_t y, Variables z) {
    Counts result;
    by_sorting(x, y, z).each([&](std::int64_t stratum, std::int64_t i, std::int64_t j, std::uint64_t count) {
        result.stratum.push_back(stratum);
        result.x.push_back(i);
        result.y.push_back(j);
        result.count.push_back(static_cast<std::int64_t>(count));
        result.strata = stratum + 1;
    });
    return result;
}

std::int64_t Counter::count_observed_pairs(std::size_t x, std::size_t y, Variables z) {
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs; // only rows without a missing value in Z count
    by_sorting(x, y, z).each(
        [&](std::int64_t, std::int64_t i, std::int64_t j, std::uint64_t) { pairs.emplace_back(i, j); });
    std::sort(pairs.begin(), pairs.end());
    return std::unique(pairs.begin(), pairs.end()) - pairs.begin();
}

void accumulate_dense(Accumulator& sums, std::span<const std::int64_t> cells, std::size_t kx, std::size_t ky) {
    feed_tables(sums, std::vector<std::uint64_t>(cells.begin(), cells.end()), kx, ky);
}

void accumulate(Accumulator& sums, std::span<const std::int64_t> stratum, std::span<const std::int64_t> x,
                std::span<const std::int64_t> y, std::span<const std::int64_t> count) {
    const std::int64_t ky = y.empty() ? 1 : *std::max_element(y.begin(), y.end()) + 1;
    StrataFeed feed(sums, static_cast<std::size_t>(ky));
    for (std::size_t i = 0; i < count.size(); ++i)
        feed.cell(stratum[i], x[i], y[i], static_cast<std::uint64_t>(count[i]));
    feed.finish();
}

} // namespace bitsep
