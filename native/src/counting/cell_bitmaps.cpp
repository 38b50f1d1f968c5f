#include "cell_bitmaps.hpp"

#include <algorithm>

namespace bitsep {

namespace {

// How many levels have to be counted: the last one follows from the others, unless rows miss a value.
std::size_t counted_levels(const Column& column) {
    return static_cast<std::size_t>(column.levels()) - (column.has_missing() ? 0 : 1);
}

} // namespace

bool CellBitmaps::find(std::size_t y, std::span<const std::int32_t> parents, std::size_t max_cells) {
    const std::size_t wanted = 2 * (max_cells + 1) * table_.words();
    if (wanted > capacity_) {
        words_ = allocate_words(wanted);
        capacity_ = wanted;
    }
    strata_.assign(1, nullptr);
    for (const std::int32_t parent : parents) {
        if (!split(static_cast<std::size_t>(parent), max_cells))
            return false;
        strata_.swap(split_);
    }
    if (!split(y, max_cells))
        return false;
    cells_.swap(split_);
    place_.swap(from_);
    levels_y_ = static_cast<std::size_t>(table_.column(y).levels());
    return true;
}

// Splits the strata by the levels of a variable.
bool CellBitmaps::split(std::size_t variable, std::size_t max_cells) {
    const Column& column = table_.column(variable);
    const auto levels = static_cast<std::size_t>(column.levels());
    std::uint64_t* target = words_.get() + (second_ ? capacity_ / 2 : 0);
    second_ = !second_;
    split_.clear();
    from_.clear();
    count_.clear();
    for (std::size_t stratum = 0; stratum < strata_.size(); ++stratum)
        for (std::size_t level = 0; level < levels; ++level) {
            const std::uint64_t* own = column.bitmap(static_cast<std::int64_t>(level));
            auto rows = static_cast<std::uint64_t>(column.count(static_cast<std::int64_t>(level)));
            if (strata_[stratum] != nullptr)
                rows = kernel_.intersect(target, strata_[stratum], own, table_.words());
            if (rows == 0)
                continue;
            if (split_.size() == max_cells)
                return false;
            split_.push_back(strata_[stratum] == nullptr ? own : target);
            from_.push_back(stratum * levels + level);
            count_.push_back(static_cast<std::uint32_t>(rows));
            if (strata_[stratum] != nullptr)
                target += table_.words();
        }
    return true;
}

void CellBitmaps::count(std::span<const std::size_t> more) {
    more_ = more;
    next_ = next_level_ = 0;
    levels_.clear();
    for (const std::size_t x : more) {
        const Column& column = table_.column(x);
        for (std::size_t level = 0; level < counted_levels(column); ++level)
            levels_.push_back(column.bitmap(static_cast<std::int64_t>(level)));
    }
    counted_.assign(levels_.size() * cells_.size(), 0);
    kernel_.count_pairs(cells_.data(), static_cast<int>(cells_.size()), levels_.data(),
                        static_cast<int>(levels_.size()), table_.words(), {counted_.data(), 1, cells_.size(), false});
}

void CellBitmaps::next_table(std::vector<std::uint32_t>& cells) {
    const Column& column = table_.column(more_[next_++]);
    const auto levels = static_cast<std::size_t>(column.levels());
    const std::size_t plane = strata_.size() * levels_y_, counted = counted_levels(column);
    cells.assign(levels * plane, 0);
    if (counted < levels)
        for (std::size_t cell = 0; cell < cells_.size(); ++cell)
            cells[counted * plane + place_[cell]] = count_[cell];
    for (std::size_t level = 0; level < counted; ++level) {
        const std::uint32_t* counts = counted_.data() + (next_level_ + level) * cells_.size();
        for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
            cells[level * plane + place_[cell]] = counts[cell];
            if (counted < levels)
                cells[counted * plane + place_[cell]] -= counts[cell];
        }
    }
    next_level_ += counted;
}

} // namespace bitsep
