#include "bitsep/family_counter.hpp"

#include <algorithm>
#include <iterator>

#include "cost_model.hpp"

namespace bitsep {

namespace {

constexpr std::size_t max_rows = 1 << 18;   // beyond, the lists of rare rows would take much memory
constexpr double max_product = 0x1p53;      // of domain sizes: exact
constexpr std::size_t max_strata = 1 << 16; // before those that do not occur are left out
constexpr std::size_t few_strata = 64;      // they need not be left out
constexpr std::size_t max_cells = 1 << 22;  // of a table while the strata are numbered

std::size_t added_to(const FamilyRun& run, std::span<const std::int32_t> parents) {
    return static_cast<std::size_t>(*std::ranges::mismatch(parents, run.shared).in1);
}

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
bool FamilyCounter::may_share(const Families& families, const FamilyRun& run, double shared) const {
    constexpr std::size_t fewest_parents = 2;
    if (run.end - run.begin == 1 || run.shared.size() < fewest_parents || table_.weighted() || table_.rows() > max_rows)
        return false;
    for (std::size_t i = run.begin; i < run.end; ++i) {
        const auto levels = static_cast<double>(table_.column(added_to(run, families.parents[i])).levels());
        if (levels == 0 || shared * levels > max_product)
            return false;
    }
    const auto levels_y = table_.column(static_cast<std::size_t>(families.variables[run.begin])).levels();
    return shared != 0 && levels_y != 0 && has_small_tables(run.shared, static_cast<std::size_t>(levels_y));
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
    const bool sharing = may_share(families, run, shared);
    if (sharing)
        find_cells(y, run.shared);
    for (std::size_t i = run.begin; i < run.end; ++i) {
        const auto parents = families.parents[i];
        const std::size_t x = sharing ? added_to(run, parents) : 0;
        lengths[i] =
            sharing && has_few_cells(x) ? score_one_more(score, y, shared, x) : counter_.score(score, y, parents);
    }
}

} // namespace bitsep
