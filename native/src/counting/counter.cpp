#include "bitsep/counter.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "bitsep/complexity.hpp"
#include "cost_model.hpp"
#include "row_keys.hpp"
#include "stratum_builder.hpp"

namespace bitsep {

namespace {

double product_of_domains(const Table& table, std::span<const std::int32_t> z) {
    double product = 1;
    for (const std::int32_t variable : z)
        product *= static_cast<double>(table.column(static_cast<std::size_t>(variable)).levels());
    if (product < 0x1p53) // exact
        return product;
    std::vector<std::int64_t> sizes;
    for (const std::int32_t variable : z)
        sizes.push_back(table.column(static_cast<std::size_t>(variable)).levels());
    return domain_product(sizes);
}

constexpr double max_bitmap_strata = 4096;
constexpr double max_dense_cells = 1 << 22; // beyond, the table of a row scan leaves the cache for good

// A test's variables in ascending order; z is.
class AscendingSet {
public:
    AscendingSet(std::size_t x, std::size_t y, std::span<const std::int32_t> z) {
        if (z.size() + 2 > CountCache::max_variables)
            return;
        std::copy(z.begin(), z.end(), items_.begin());
        size_ = z.size();
        insert(static_cast<std::int32_t>(x));
        insert(static_cast<std::int32_t>(y));
    }
    // Empty where they are too many for the cache.
    std::span<const std::int32_t> get() const { return {items_.data(), size_}; }

private:
    void insert(std::int32_t variable) {
        std::size_t place = size_++;
        for (; place > 0 && items_[place - 1] > variable; --place)
            items_[place] = items_[place - 1];
        items_[place] = variable;
    }
    std::array<std::int32_t, CountCache::max_variables> items_;
    std::size_t size_ = 0;
};

// use(counts, sizes) with a table [strata of Z][x][y].
template <class Count, class Use>
auto with_table(const Sizes& sizes, std::span<const Count> cells, Use&& use) {
    const auto ky = static_cast<std::size_t>(sizes.ky), stratum = static_cast<std::size_t>(sizes.kx) * ky;
    const typename DenseCounts<Count>::Given strata{cells.size() / stratum, stratum};
    return use(DenseCounts<Count>{cells.data(), ky, 1, {&strata, 1}}, sizes);
}

} // namespace

Counter::Counter(const Table& table)
    : table_(table), kernel_(active_kernel()), cache_(table.cache()), writer_(*cache_),
      sorted_(std::make_unique<SortedRows>()), builder_(std::make_unique<StratumBuilder>()) {}

Counter::~Counter() = default;

Way Counter::choose(std::size_t x, std::size_t y, Variables z, bool margins_if_possible) const {
    double strata = 1, cells = 1; // without missing values
    double inner = 1, domain = 1; // with them: the cells that counting from margins has to count, and all
    bool bitmaps = !table_.weighted() && table_.rows() < 0xffffffffu;
    const auto take = [&](std::size_t variable) {
        const Column& column = table_.column(variable);
        bitmaps = bitmaps && column.can_have_bitmaps();
        inner *= static_cast<double>(column.domain()) - 1;
        domain *= static_cast<double>(column.domain());
        cells *= static_cast<double>(column.levels());
    };
    for (const std::int32_t variable : z)
        take(static_cast<std::size_t>(variable));
    strata = cells;
    take(x);
    take(y);
    const auto rows = static_cast<double>(table_.rows());
    const bool dense = cells <= max_dense_cells && cells <= std::max(65536.0, 8 * rows);
    const double scan = dense ? cost::row_scan(rows, z.size(), cells) : std::numeric_limits<double>::infinity();
    const double sort = cost::sort(rows, z.size()), by_rows = std::min(scan, sort);
    if (bitmaps && z.size() + 2 <= CountCache::max_variables && domain <= static_cast<double>(CountCache::max_cells) &&
        (margins_if_possible || cost::margins(rows, inner, domain) <= by_rows))
        return Way::margins;
    if (bitmaps && strata <= max_bitmap_strata && cost::bitmaps(rows, strata, cells) <= by_rows)
        return Way::bitmaps;
    return scan <= sort ? Way::row_scan : Way::sort;
}

template <class Use>
auto Counter::with_dense(std::size_t x, std::size_t y, Variables z, Way way, Use&& use) {
    if (way == Way::bitmaps || way == Way::margins) {
        by_bitmaps(x, y, z);
    } else if (table_.weighted() || table_.rows() >= 0xffffffffu) {
        by_row_scan(weighted_cells_, x, y, z);
        return use(std::span<const std::uint64_t>(weighted_cells_));
    } else {
        by_row_scan(cells_, x, y, z);
    }
    return use(std::span<const std::uint32_t>(cells_));
}

template <class Use>
auto Counter::with_counts(std::size_t x, std::size_t y, Variables z, Way way, Use&& use) {
    const Sizes sizes{table_.column(x).levels(), table_.column(y).levels(), product_of_domains(table_, z),
                      table_.total_weight()};
    if (sizes.kx == 0 || sizes.ky == 0 || sizes.product_z == 0) // a column without a value: no row is complete
        return use(CellsFrom(*builder_, 1, [](auto&&) {}), Sizes{1, 1, 0, 0});
    const AscendingSet ascending(x, y, z);
    if (const std::uint32_t* known = cached_or_count(ascending.get(), x, y, z, way))
        return use(CachedCounts(table_, known, ascending.get(), x, y).counts, sizes);
    if (way == Way::automatic || way == Way::margins)
        way = choose(x, y, z); // margins: the cache is full, so count the strata themselves
    if (way != Way::sort)
        return with_dense(x, y, z, way, [&](auto cells) { return with_table(sizes, cells, use); });
    const SortedCells sorted = by_sorting(x, y, z);
    return use(CellsFrom(*builder_, sizes.ky, [&](auto&& take) { sorted.each(take); }), sizes);
}

const std::uint32_t* Counter::cached_or_count(Variables set, std::size_t x, std::size_t y, Variables z, Way way) {
    if ((way != Way::automatic && way != Way::margins) || table_.weighted() || table_.rows() >= 0xffffffffu ||
        set.empty() || !CountCache::Key::fits(set))
        return nullptr;
    const CountCache::Key key(set);
    if (const std::uint32_t* known = cache_->find(key))
        return known;
    const Way chosen = choose(x, y, z, way == Way::margins);
    if (chosen == Way::margins)
        return count_joint(set, key);
    return chosen == Way::row_scan ? scan_joint(set) : nullptr;
}

const std::uint32_t* Counter::scan_joint(Variables set) {
    std::size_t size = 1;
    for (const std::int32_t variable : set) {
        const Column& column = table_.column(static_cast<std::size_t>(variable));
        if (column.has_missing() || (size *= column.domain()) > CountCache::max_cells)
            return nullptr;
    }
    std::uint32_t* cells = writer_.reserve(size);
    if (cells == nullptr)
        return nullptr;
    const std::size_t last = set.size() - 1;
    by_row_scan(cells_, static_cast<std::size_t>(set[last - 1]), static_cast<std::size_t>(set[last]),
                set.first(last - 1));
    std::copy(cells_.begin(), cells_.end(), cells);
    writer_.publish(CountCache::Key(set));
    return cells;
}

Counter::CachedCounts::CachedCounts(const Table& table, const std::uint32_t* cells, Variables set, std::size_t x,
                                    std::size_t y) {
    counts.cells = cells;
    std::size_t first = given.size(), step = 1;
    for (std::size_t i = set.size(); i-- > 0;) {
        const auto variable = static_cast<std::size_t>(set[i]);
        const Column& column = table.column(variable);
        if (variable == x)
            counts.step_x = step;
        else if (variable == y)
            counts.step_y = step;
        else
            given[--first] = {static_cast<std::size_t>(column.levels()), step};
        step *= column.domain();
    }
    counts.given = std::span(given).subspan(first);
}

void Counter::add_dense(std::size_t x, std::size_t y, Variables z, std::span<std::int64_t> cells) {
    if (cells.empty())
        return;
    const AscendingSet ascending(x, y, z);
    if (const std::uint32_t* known = cached_or_count(ascending.get(), x, y, z, Way::automatic)) {
        const auto kx = static_cast<std::size_t>(table_.column(x).levels());
        const auto ky = static_cast<std::size_t>(table_.column(y).levels());
        const CachedCounts joint(table_, known, ascending.get(), x, y);
        std::int64_t* target = cells.data();
        joint.counts.each_stratum([&](const std::uint32_t* stratum) {
            for (std::size_t i = 0; i < kx; ++i)
                for (std::size_t j = 0; j < ky; ++j)
                    *target++ += stratum[i * joint.counts.step_x + j * joint.counts.step_y];
        });
        return;
    }
    with_dense(x, y, z, choose(x, y, z), [&](auto counted) {
        for (std::size_t i = 0; i < cells.size(); ++i)
            cells[i] += static_cast<std::int64_t>(counted[i]);
    });
}

Counts Counter::counts(std::size_t x, std::size_t y, Variables z) {
    Counts result;
    by_sorting(x, y, z).each([&](std::int64_t stratum, std::int64_t i, std::int64_t j, std::uint64_t count) {
        result.stratum.push_back(stratum);
        result.x.push_back(i);
        result.y.push_back(j);
        result.count.push_back(static_cast<std::int64_t>(count));
    });
    return result;
}

namespace {

// use(counts, sizes) with occupied cells in canonical order.
template <class Use>
auto with_cells(const Sizes& sizes, std::span<const std::int64_t> stratum, std::span<const std::int64_t> x,
                std::span<const std::int64_t> y, std::span<const std::int64_t> count, Use&& use) {
    StratumBuilder builder;
    const std::int64_t ky = y.empty() ? 1 : *std::max_element(y.begin(), y.end()) + 1; // memory follows the cells
    return use(CellsFrom(builder, ky,
                         [&](auto&& take) {
                             for (std::size_t i = 0; i < count.size(); ++i)
                                 take(stratum[i], x[i], y[i], static_cast<std::uint64_t>(count[i]));
                         }),
               sizes);
}

// Counts are not negative, and the signed and the unsigned type may share memory.
std::span<const std::uint64_t> as_unsigned(std::span<const std::int64_t> cells) {
    return {reinterpret_cast<const std::uint64_t*>(cells.data()), cells.size()};
}

auto judging(const Test& test) {
    return [&](const auto& counts, const Sizes& sizes) { return test.judge(counts, sizes); };
}

auto measuring(const Score& score) {
    return [&](const auto& counts, const Sizes& sizes) { return score.length(counts, sizes); };
}

} // namespace

Record Counter::test(const Test& test, std::size_t x, std::size_t y, Variables z, Way way) {
    return with_counts(x, y, z, way, judging(test));
}

Score::Length Counter::score(const Score& score, std::size_t y, Variables parents) {
    if (!parents.empty())
        return with_counts(static_cast<std::size_t>(parents[0]), y, parents.subspan(1), Way::automatic,
                           measuring(score));
    const Column& column = table_.column(y);
    weighted_cells_.assign(static_cast<std::size_t>(column.levels()) + 1, 0); // the last for missing values
    if (table_.weighted())
        std::visit(
            [&](auto codes) {
                for (std::size_t row = 0; row < codes.size(); ++row)
                    weighted_cells_[static_cast<std::size_t>(codes[row] < 0 ? column.levels() : codes[row])] +=
                        static_cast<std::uint64_t>(table_.weights()[row]);
            },
            column.codes());
    else
        for (std::int64_t level = 0; level < column.levels(); ++level)
            weighted_cells_[static_cast<std::size_t>(level)] = static_cast<std::uint64_t>(column.count(level));
    const Sizes sizes{1, column.levels(), 1, table_.total_weight()};
    return score.length(DenseCounts<std::uint64_t>{weighted_cells_.data(), 0, 1, {}}, sizes);
}

Record test_cells(const Test& test, const Sizes& sizes, std::span<const std::int64_t> stratum,
                  std::span<const std::int64_t> x, std::span<const std::int64_t> y,
                  std::span<const std::int64_t> count) {
    return with_cells(sizes, stratum, x, y, count, judging(test));
}

Record test_table(const Test& test, const Sizes& sizes, std::span<const std::int64_t> cells) {
    return with_table(sizes, as_unsigned(cells), judging(test));
}

Score::Length score_cells(const Score& score, const Sizes& sizes, std::span<const std::int64_t> stratum,
                          std::span<const std::int64_t> x, std::span<const std::int64_t> y,
                          std::span<const std::int64_t> count) {
    return with_cells(sizes, stratum, x, y, count, measuring(score));
}

Score::Length score_table(const Score& score, const Sizes& sizes, std::span<const std::int64_t> cells) {
    return with_table(sizes, as_unsigned(cells), measuring(score));
}

} // namespace bitsep
