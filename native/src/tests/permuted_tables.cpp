#include <algorithm>
#include <cmath>
#include <utility>

#include "../search/random.hpp"
#include "bitsep/log_factorial.hpp"
#include "bitsep/permutation.hpp"

namespace bitsep {

namespace {

using Margins = std::vector<PermutedTables::Margin>;

// To move a row of the data takes this share of the time of a hypergeometric number.
constexpr std::uint64_t moves_per_number = 8;

// By the counts alone.
std::strong_ordering compare(const Margins& a, const Margins& b) {
    return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end(),
                                                  [](const auto& l, const auto& r) { return l.count <=> r.count; });
}

} // namespace

void PermutedTables::add(Margins rows, Margins columns) {
    const auto larger = [](const Margin& a, const Margin& b) {
        return a.count != b.count ? a.count > b.count : a.level < b.level;
    };
    std::ranges::sort(rows, larger);
    std::ranges::sort(columns, larger);
    strata_.push_back({static_cast<std::int64_t>(strata_.size()), std::move(rows), std::move(columns), {}, {}});
}

void PermutedTables::start() {
    const auto ordered = [this](auto first, auto second) {
        std::vector<const Stratum*> order;
        for (const Stratum& stratum : strata_)
            order.push_back(&stratum);
        std::ranges::sort(order, [&](const Stratum* a, const Stratum* b) {
            const auto by_first = compare(a->*first, b->*first);
            const auto by_second = by_first != 0 ? by_first : compare(a->*second, b->*second);
            return by_second != 0 ? by_second < 0 : a->number < b->number;
        });
        return order;
    };
    const auto by_rows = ordered(&Stratum::rows, &Stratum::columns),
               by_columns = ordered(&Stratum::columns, &Stratum::rows);
    swapped_ = false;
    for (std::size_t i = 0; i < strata_.size(); ++i) {
        auto difference = compare(by_columns[i]->columns, by_rows[i]->rows);
        if (difference == 0)
            difference = compare(by_columns[i]->rows, by_rows[i]->columns);
        if (difference != 0) {
            swapped_ = difference < 0;
            break;
        }
    }
    std::vector<Stratum> sorted;
    for (const Stratum* stratum : swapped_ ? by_columns : by_rows) {
        sorted.push_back(*stratum);
        if (swapped_)
            std::swap(sorted.back().rows, sorted.back().columns);
    }
    strata_ = std::move(sorted);
    for (Stratum& stratum : strata_) {
        std::uint64_t moves = 0;
        for (std::size_t row = 1; row < stratum.rows.size(); ++row)
            moves += stratum.rows[row].count;
        if (moves > moves_per_number * (stratum.rows.size() - 1) * (stratum.columns.size() - 1))
            continue;
        for (std::size_t row = 0; row < stratum.rows.size(); ++row)
            stratum.row_places.push_back(static_cast<std::uint32_t>(row_place(stratum, row)));
        for (std::size_t column = 0; column < stratum.columns.size(); ++column)
            stratum.places.insert(stratum.places.end(), stratum.columns[column].count,
                                  static_cast<std::uint32_t>(column_place(stratum, column)));
    }
    state_ = seed_;
    for (const Stratum& stratum : strata_)
        for (const Margins* margins : {&stratum.rows, &stratum.columns})
            for (const Margin& margin : *margins)
                state_ = Random(state_, margin.count).next();
}

void PermutedTables::start(std::int64_t kx, std::int64_t ky) {
    kx_ = kx;
    ky_ = ky;
    start();
}

std::span<const PermutedTables::Cell> PermutedTables::draw() {
    cells_.clear();
    for (Stratum& stratum : strata_) {
        counts_.assign(stratum.rows.size() * stratum.columns.size(), 0);
        draw(stratum, counts_.data());
        keep(stratum, counts_.data());
    }
    return cells_;
}

void PermutedTables::draw(std::span<std::uint64_t> dense) {
    std::ranges::fill(dense, 0);
    for (Stratum& stratum : strata_)
        draw(stratum, dense.data() + stratum.number * kx_ * ky_);
}

void PermutedTables::draw(Stratum& stratum, std::uint64_t* counts) {
    if (stratum.places.empty())
        fill(stratum, counts);
    else
        shuffle(stratum, counts);
}

// A cell is at the sum of both among the counts of its stratum: by the levels of a dense table, or else by the order of
// the margins.
std::size_t PermutedTables::row_place(const Stratum& stratum, std::size_t row) const {
    if (ky_ == 0)
        return row * stratum.columns.size();
    return static_cast<std::size_t>(stratum.rows[row].level * (swapped_ ? 1 : ky_));
}
std::size_t PermutedTables::column_place(const Stratum& stratum, std::size_t column) const {
    if (ky_ == 0)
        return column;
    return static_cast<std::size_t>(stratum.columns[column].level * (swapped_ ? ky_ : 1));
}

void PermutedTables::keep(const Stratum& stratum, const std::uint64_t* counts) {
    for (std::size_t row = 0; row < stratum.rows.size(); ++row)
        for (std::size_t column = 0; column < stratum.columns.size(); ++column)
            if (const std::uint64_t count = *counts++; count != 0) {
                const std::int64_t first = stratum.rows[row].level, second = stratum.columns[column].level;
                cells_.push_back({stratum.number, swapped_ ? second : first, swapped_ ? first : second, count});
            }
}

// Each row but the first takes places from all that are left (Fisher & Yates); the first takes the rest. The order that
// the last draw has left does not matter.
void PermutedTables::shuffle(Stratum& stratum, std::uint64_t* counts) {
    std::uint32_t* places = stratum.places.data();
    std::size_t left = stratum.places.size();
    for (std::size_t row = stratum.rows.size() - 1; row > 0; --row) {
        std::uint64_t* of_row = counts + stratum.row_places[row];
        for (std::uint64_t i = 0; i < stratum.rows[row].count; ++i) {
            const auto from =
                static_cast<std::size_t>(uniform() * static_cast<double>(left)); // faster than a remainder
            --left;
            const std::uint32_t taken = places[from];
            places[from] = places[left];
            places[left] = taken;
            ++of_row[taken];
        }
    }
    std::uint64_t* of_first = counts + stratum.row_places[0];
    for (std::size_t i = 0; i < left; ++i)
        ++of_first[places[i]];
}

void PermutedTables::fill(const Stratum& stratum, std::uint64_t* counts) {
    rest_.clear();
    std::uint64_t total = 0; // of the rows still to be filled
    for (const Margin& column : stratum.columns) {
        rest_.push_back(column.count);
        total += column.count;
    }
    for (std::size_t row = 0; row + 1 < stratum.rows.size(); ++row) {
        std::uint64_t* of_row = counts + row_place(stratum, row);
        std::uint64_t row_rest = stratum.rows[row].count, later = total; // of this column and those after it
        for (std::size_t column = 0; column < rest_.size(); ++column) {
            const std::uint64_t count = hypergeometric(later, row_rest, rest_[column]);
            of_row[column_place(stratum, column)] = count;
            later -= rest_[column];
            rest_[column] -= count;
            row_rest -= count;
        }
        total -= stratum.rows[row].count;
    }
    std::uint64_t* last_row = counts + row_place(stratum, stratum.rows.size() - 1);
    for (std::size_t column = 0; column < rest_.size(); ++column)
        last_row[column_place(stratum, column)] = rest_[column];
}

// How many of the marked are among those drawn: by inversion, from the mode outward.
std::uint64_t PermutedTables::hypergeometric(std::uint64_t total, std::uint64_t marked, std::uint64_t drawn) {
    const std::uint64_t least = marked + drawn > total ? marked + drawn - total : 0, most = std::min(marked, drawn);
    if (least == most)
        return least;
    const double n = static_cast<double>(total), k = static_cast<double>(marked), m = static_cast<double>(drawn);
    const auto mode = std::clamp(static_cast<std::uint64_t>((k + 1) * (m + 1) / (n + 2)), least, most);
    const double log_probability = log_factorial(marked) + log_factorial(total - marked) + log_factorial(drawn) +
                                   log_factorial(total - drawn) - log_factorial(total) - log_factorial(mode) -
                                   log_factorial(marked - mode) - log_factorial(drawn - mode) -
                                   log_factorial(total + mode - marked - drawn);
    double up = std::exp(log_probability), down = up, left = uniform() - up;
    if (left < 0)
        return mode;
    const double others = n - k - m;
    for (std::uint64_t above = mode, below = mode; above < most || below > least;) {
        if (above < most) {
            const auto x = static_cast<double>(above);
            up *= (k - x) * (m - x) / ((x + 1) * (others + x + 1));
            ++above;
            if ((left -= up) < 0)
                return above;
        }
        if (below > least) {
            const auto x = static_cast<double>(below);
            down *= x * (others + x) / ((k - x + 1) * (m - x + 1));
            --below;
            if ((left -= down) < 0)
                return below;
        }
        if (up + down < 1e-300)
            break;
    }
    return mode; // rounding has left nothing
}

std::uint64_t PermutedTables::next() {
    Random random(seed_, state_++);
    return random.next();
}

} // namespace bitsep
