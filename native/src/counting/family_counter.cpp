#include "bitsep/family_counter.hpp"

#include <algorithm>
#include <iterator>

#include "cell_bitmaps.hpp"
#include "cost_model.hpp"

namespace bitsep {

namespace {

constexpr std::size_t max_rows = 1 << 22;         // beyond, the lists of rare rows would take much memory
constexpr double max_product = 0x1p53;            // of domain sizes: exact
constexpr std::size_t max_strata = 1 << 16;       // before those that do not occur are left out
constexpr std::size_t few_strata = 64;            // they need not be left out
constexpr std::size_t max_cells = 1 << 22;        // of a table while the strata are numbered
constexpr std::size_t max_bitmap_words = 1 << 16; // of the bitmaps of all cells: they stay in the second-level cache

bool is_missing(const Column& column, std::size_t row) {
    return std::visit([&](auto codes) { return codes[row] < 0; }, column.codes());
}

} // namespace

std::vector<FamilyRun> find_runs(const Families& families) {
    std::vector<FamilyRun> runs;
    const std::size_t size = families.variables.size();
    const auto same_shape = [&](std::size_t a, std::size_t b) {
        return families.variables[a] == families.variables[b] &&
               families.parents[a].size() == families.parents[b].size();
    };
    for (std::size_t begin = 0, end; begin < size; begin = end) {
        std::vector<std::int32_t> shared;
        end = begin + 1;
        if (end < size && same_shape(begin, end)) {
            std::ranges::set_intersection(families.parents[begin], families.parents[end], std::back_inserter(shared));
            if (shared.size() + 1 == families.parents[begin].size())
                while (end < size && same_shape(begin, end) && std::ranges::includes(families.parents[end], shared))
                    ++end;
        }
        runs.push_back({begin, end, std::move(shared)});
    }
    return runs;
}

FamilyCounter::FamilyCounter(const Table& table)
    : table_(table), counter_(std::in_place, table), bitmaps_(std::make_unique<CellBitmaps>(table)) {}

FamilyCounter::~FamilyCounter() = default;

void FamilyCounter::begin() {
    counter_.emplace(table_);
}

void FamilyCounter::find_added(const Families& families, const FamilyRun& run) {
    added_.clear();
    if (run.end - run.begin == 1) // shares nothing, and may have no parents
        return;
    for (std::size_t i = run.begin; i < run.end; ++i)
        added_.push_back(static_cast<std::size_t>(*std::ranges::mismatch(families.parents[i], run.shared).in1));
}

bool FamilyCounter::find_bitmaps(std::size_t y, Variables set) {
    const auto has_bitmaps = [&](std::size_t variable) { return table_.column(variable).can_have_bitmaps(); };
    if (!has_bitmaps(y) || !std::ranges::all_of(set, has_bitmaps) || !std::ranges::all_of(added_, has_bitmaps))
        return false;
    double levels = 0, rare = 0;
    for (const std::size_t x : added_) {
        const Column& column = table_.column(x);
        levels += static_cast<double>(column.domain()) - 1;
        rare += static_cast<double>(column.rare_rows().rows.size());
    }
    const auto rows = static_cast<double>(table_.rows());
    const double most = cost::most_bitmaps(rows, set.size(), levels, rare);
    return bitmaps_->find(y, set, std::min(static_cast<std::size_t>(most), max_bitmap_words / (table_.words() + 1)));
}

void FamilyCounter::number_strata() {
    number_.assign(strata_, UINT32_MAX);
    std::uint32_t next = 0;
    for (std::uint32_t& stratum : cell_) {
        std::uint32_t& number = number_[stratum];
        if (number == UINT32_MAX)
            number = next++;
        stratum = number;
    }
    strata_ = next;
}

void FamilyCounter::find_cells(std::size_t y, Variables set) {
    const std::size_t rows = table_.rows();
    const auto levels_y = static_cast<std::size_t>(table_.column(y).levels());
    cell_.assign(rows, 0);
    strata_ = 1;
    const auto extend = [&](const Column& column) {
        const auto levels = static_cast<std::uint32_t>(column.levels());
        std::visit(
            [&](auto codes) {
                for (std::size_t row = 0; row < rows; ++row) // a missing value counts as level 0 until the end
                    cell_[row] = cell_[row] * levels + static_cast<std::uint32_t>(codes[row] < 0 ? 0 : codes[row]);
            },
            column.codes());
    };
    for (const std::int32_t variable : set) {
        const Column& column = table_.column(static_cast<std::size_t>(variable));
        if (strata_ * static_cast<std::size_t>(column.levels()) > max_strata)
            number_strata();
        extend(column);
        strata_ *= static_cast<std::size_t>(column.levels());
    }
    if (strata_ > few_strata)
        number_strata();
    extend(table_.column(y));
    const auto miss = [&](const Column& column) {
        if (column.has_missing())
            for (std::size_t row = 0; row < rows; ++row)
                if (is_missing(column, row))
                    cell_[row] = static_cast<std::uint32_t>(strata_ * levels_y);
    };
    for (const std::int32_t variable : set)
        miss(table_.column(static_cast<std::size_t>(variable)));
    miss(table_.column(y));
    counts_.assign((strata_ + 1) * levels_y, 0);
    for (const std::uint32_t cell : cell_)
        ++counts_[cell];
}

// A table [stratum][y] of so many strata, as a score sees it.
Score::Length FamilyCounter::score_table(const Score& score, std::size_t y, double parents, std::size_t strata) const {
    if (strata == 0) // no row has values of y and of all shared parents
        return {};
    const std::int64_t levels = table_.column(y).levels();
    const DenseCounts<std::uint32_t>::Given given{strata, static_cast<std::size_t>(levels)};
    return score.length(DenseCounts<std::uint32_t>{cells_.data(), 0, 1, {&given, 1}},
                        Sizes{1, levels, parents, table_.total_weight()});
}

Score::Length FamilyCounter::score_one_more(const Score& score, std::size_t y, double shared, std::size_t x) {
    const Column& column = table_.column(x);
    const RareRows& rare = column.rare_rows();
    const auto levels_x = static_cast<std::size_t>(column.levels());
    const auto levels_y = static_cast<std::size_t>(table_.column(y).levels());
    const std::size_t plane = counts_.size();
    cells_.assign(plane * column.domain(), 0); // [x][stratum][y]
    std::uint32_t* frequent = cells_.data() + static_cast<std::size_t>(rare.frequent) * plane;
    std::ranges::copy(counts_, frequent);
    for (std::size_t level = 0, begin = 0; level < column.domain(); begin = rare.ends[level++]) {
        std::uint32_t* cells = cells_.data() + level * plane;
        if (cells == frequent)
            continue;
        for (std::size_t i = begin; i < rare.ends[level]; ++i)
            ++cells[cell_[rare.rows[i]]];
        for (std::size_t cell = 0; cell < plane; ++cell)
            frequent[cell] -= cells[cell];
    }
    for (std::size_t level = 0; level < levels_x; ++level) // the rows that miss another value
        cells_[level * plane + strata_ * levels_y] = 0;
    return score_table(score, y, shared * static_cast<double>(levels_x), levels_x * (strata_ + 1));
}

// Whether numbering the strata of a set needs no large table: of the strata so far, which are at most as many as the
// rows, times the levels of the next variable.
bool FamilyCounter::has_small_tables(Variables set, std::size_t levels_y) const {
    std::size_t strata = 1;
    for (const std::int32_t variable : set) {
        const auto levels = static_cast<std::size_t>(table_.column(static_cast<std::size_t>(variable)).levels());
        if (strata * levels > max_cells)
            return false;
        strata = std::min(strata * levels, table_.rows());
    }
    return strata * levels_y <= max_cells;
}

// With fewer shared parents the margins of single families are known and counting from them is faster.
bool FamilyCounter::may_share(const FamilyRun& run, std::size_t y, double shared) const {
    constexpr std::size_t fewest_parents = 2;
    if (run.end - run.begin == 1 || run.shared.size() < fewest_parents || table_.weighted() || table_.rows() > max_rows)
        return false;
    const auto fits = [&](std::size_t x) {
        const auto levels = static_cast<double>(table_.column(x).levels());
        return levels != 0 && shared * levels <= max_product;
    };
    const std::int64_t levels_y = table_.column(y).levels();
    return shared != 0 && levels_y != 0 && std::ranges::all_of(added_, fits) &&
           has_small_tables(run.shared, static_cast<std::size_t>(levels_y));
}

// Whether the table of a family is not so large that sorting the rows is faster.
bool FamilyCounter::has_few_cells(std::size_t x) const {
    const Column& column = table_.column(x);
    const auto cells = static_cast<double>(counts_.size() * column.domain());
    return cost::one_more(static_cast<double>(column.rare_rows().rows.size()), cells) <
           cost::sort(static_cast<double>(table_.rows()), 1);
}

void FamilyCounter::score(const Score& score, const Families& families, const FamilyRun& run,
                          std::span<Score::Length> lengths) {
    const auto y = static_cast<std::size_t>(families.variables[run.begin]);
    double shared = 1;
    for (const std::int32_t variable : run.shared)
        shared *= static_cast<double>(table_.column(static_cast<std::size_t>(variable)).levels());
    find_added(families, run);
    if (!may_share(run, y, shared)) {
        for (std::size_t i = run.begin; i < run.end; ++i)
            lengths[i] = counter_->score(score, y, families.parents[i]);
    } else if (find_bitmaps(y, run.shared)) {
        bitmaps_->count(added_);
        for (std::size_t i = run.begin; i < run.end; ++i) {
            const auto levels = static_cast<std::size_t>(table_.column(added_[i - run.begin]).levels());
            bitmaps_->next_table(cells_);
            lengths[i] = score_table(score, y, shared * static_cast<double>(levels), levels * bitmaps_->strata());
        }
    } else {
        find_cells(y, run.shared);
        for (std::size_t i = run.begin; i < run.end; ++i) {
            const std::size_t x = added_[i - run.begin];
            lengths[i] =
                has_few_cells(x) ? score_one_more(score, y, shared, x) : counter_->score(score, y, families.parents[i]);
        }
    }
}

} // namespace bitsep
