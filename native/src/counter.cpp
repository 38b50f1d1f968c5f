#include "bitsep/counter.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "strata_feed.hpp"

namespace bitsep {

namespace {

double domain_product(const Table& table, std::span<const std::int32_t> z) {
    double product = 1;
    for (const std::int32_t variable : z)
        product *= static_cast<double>(table.column(static_cast<std::size_t>(variable)).levels());
    return product;
}

// The cost model, in nanoseconds per row and its constants from `make bench` (see ARCHITECTURE.md).
constexpr double bitmap_ns_per_vector = 0.55; // AND + popcount + add of one vector
constexpr double mask_ns_per_vector = 0.9;    // one mask: AND, store, popcount
constexpr double stratum_overhead_ns = 12;    // calls and sums per stratum and block
constexpr double scan_ns_per_row = 0.9;       // row scan, per row
constexpr double scan_ns_per_row_per_column = 0.12;
constexpr double scan_ns_per_cell = 1.0; // clearing and reading the table
constexpr double max_bitmap_strata = 4096;
constexpr double max_dense_cells = 1 << 22; // beyond, the table of a row scan leaves the cache for good

} // namespace

Way Counter::choose(std::size_t x, std::size_t y, std::span<const std::int32_t> z) const {
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

Record Counter::test(const Test& test, std::size_t x, std::size_t y, std::span<const std::int32_t> z, Way way) {
    if (way == Way::automatic)
        way = choose(x, y, z);
    const std::int64_t kx = table_.column(x).levels(), ky = table_.column(y).levels();
    if (kx == 0 || ky == 0 || domain_product(table_, z) == 0) // a column without a single value: no row is left
        return Record{};
    const bool needs_pairs = test.method == Method::sci_fs && test.observed_xy;
    Accumulator sums(test, kx, ky, needs_pairs ? count_observed_pairs(x, y, z) : 0);
    switch (way) {
    case Way::bitmaps:
        by_bitmaps(sums, x, y, z);
        break;
    case Way::row_scan:
        if (table_.weighted() || table_.rows() >= 0xffffffffu)
            by_row_scan<std::uint64_t>(sums, x, y, z);
        else
            by_row_scan<std::uint32_t>(sums, x, y, z);
        break;
    default: {
        by_sorting(x, y, z);
        StrataFeed feed(sums);
        for (const SparseCell& cell : cells_)
            feed.cell(cell.stratum, cell.x, cell.y, cell.count);
        feed.finish();
    }
    }
    return sums.finish(domain_product(table_, z), regrets_);
}

Counts Counter::counts(std::size_t x, std::size_t y, std::span<const std::int32_t> z) {
    Counts result;
    by_sorting(x, y, z);
    for (const SparseCell& cell : cells_) {
        if (result.stratum.empty() || result.stratum.back() != cell.stratum)
            ++result.strata;
        result.stratum.push_back(cell.stratum);
        result.x.push_back(cell.x);
        result.y.push_back(cell.y);
        result.count.push_back(static_cast<std::int64_t>(cell.count));
    }
    return result;
}

std::int64_t Counter::count_observed_pairs(std::size_t x, std::size_t y, std::span<const std::int32_t> z) {
    by_sorting(x, y, z); // only rows without a missing value in Z count
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    for (const SparseCell& cell : cells_)
        pairs.emplace_back(cell.x, cell.y);
    std::sort(pairs.begin(), pairs.end());
    return std::unique(pairs.begin(), pairs.end()) - pairs.begin();
}

void accumulate(Accumulator& sums, std::span<const std::int64_t> stratum, std::span<const std::int64_t> x,
                std::span<const std::int64_t> y, std::span<const std::int64_t> count) {
    StrataFeed feed(sums);
    for (std::size_t i = 0; i < count.size(); ++i)
        feed.cell(stratum[i], x[i], y[i], static_cast<std::uint64_t>(count[i]));
    feed.finish();
}

} // namespace bitsep
