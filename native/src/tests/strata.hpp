// How a test is written: a rule, which says what is added up in each stratum and how the sums become a record.
//
//   struct MyRule : Rule {
//       explicit MyRule(const Settings&);                              // the options
//       MyTerms<Sum> terms<Sum>(const Sizes&, const Counts&) const;    // optional: sums over strata besides n·I(X;Y|Z)
//       double finish(Record&, const MyTerms<Sum>&, const Sizes&) const; // threshold, statistic, df; returns the
//   };                                                                 // evidence, in bits, that the threshold is for
//   entry<MyRule>("my_test", "a line about it", "family", {options})   // in the list of its family
//
// Sums are sums of integers (fixed_point.hpp): the order of strata and cells changes nothing, and equal terms cancel
// exactly (Y a function of Z, constant columns). Terms are templates, so that the loop over the cells of a stratum is
// compiled once for each of them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "bitsep/complexity.hpp"
#include "bitsep/test.hpp"

namespace bitsep {

// For rules that need no sum but n·I(X;Y|Z).
template <class Sum>
struct NoTerms {
    template <class Stratum>
    void add(const Stratum&) {}
};

// What a rule does unless it says otherwise.
struct Rule {
    std::optional<double> alpha; // in force

    template <class Sum, class Counts>
    NoTerms<Sum> terms(const Sizes&, const Counts&) const {
        return {};
    }
    // The most that a row adds to any sum.
    static std::int64_t bits_per_row(std::int64_t kx, std::int64_t ky) {
        const auto width = [](std::int64_t k) { return std::bit_width(static_cast<std::uint64_t>(k)); };
        return width(kx) + width(ky); // at least log2(kx ky)
    }
    double p_value(const Record&) const { return std::numeric_limits<double>::quiet_NaN(); }
    double hypercompression_bound(const Record&) const { return std::numeric_limits<double>::quiet_NaN(); }
};

// |Z|: the observed joint values, or the product of the domain sizes.
inline const Option z_size_option{"z_size", {"observed", "product"}};

class ZSize {
public:
    explicit ZSize(const Settings& settings) : product_(settings.choice(z_size_option.name) == "product") {}
    double of(const Record& record, const Sizes& sizes) const {
        return product_ ? sizes.product_z : static_cast<double>(record.strata);
    }

private:
    bool product_;
};

// A stratum of a dense table, copied with its margins. Numbers of levels known to the compiler (0: not) make straight
// code of the loops: with a few cells per stratum, the time goes into mispredicted ends of loops.
template <int KX, int KY, class Count>
class DenseStratum {
public:
    DenseStratum(const DenseCounts<Count>& table, const Sizes& sizes)
        : table_(table), kx_(KX != 0 ? KX : static_cast<int>(sizes.kx)), ky_(KY != 0 ? KY : static_cast<int>(sizes.ky)),
          cells_(small_.data()) {
        if constexpr (KX == 0) {
            thread_local std::vector<Count> large;
            large.resize(static_cast<std::size_t>(kx_) * static_cast<std::size_t>(ky_ + 1) +
                         static_cast<std::size_t>(ky_));
            cells_ = large.data();
        }
    }
    DenseStratum(const DenseStratum&) = delete;
    DenseStratum& operator=(const DenseStratum&) = delete;

    void load(const Count* stratum) {
        const int kx = levels_x(), ky = levels_y();
        Count *rows = cells_ + kx * ky, *columns = rows + kx;
        Count total = 0;
        for (int y = 0; y < ky; ++y)
            columns[y] = 0;
        for (int x = 0; x < kx; ++x) {
            const Count* source = stratum + static_cast<std::size_t>(x) * table_.step_x;
            Count row = 0;
            for (int y = 0; y < ky; ++y) {
                const Count count = source[static_cast<std::size_t>(y) * table_.step_y];
                cells_[x * ky + y] = count;
                columns[y] += count;
                row += count;
            }
            rows[x] = row;
            total += row;
        }
        total_ = total;
    }

    std::uint64_t total() const { return total_; }
    // Each calls take(...) for every count, cell with its margins, or margin, empty ones too.
    template <class Take>
    void each_count(Take&& take) const {
        for (int cell = 0; cell < levels_x() * levels_y(); ++cell)
            take(cells_[cell]);
    }
    template <class Take>
    void each_cell(Take&& take) const {
        const Count *rows = cells_ + levels_x() * levels_y(), *columns = rows + levels_x();
        for (int x = 0; x < levels_x(); ++x)
            for (int y = 0; y < levels_y(); ++y)
                take(cells_[x * levels_y() + y], rows[x], columns[y]);
    }
    template <class Take>
    void each_row(Take&& take) const {
        const Count* rows = cells_ + levels_x() * levels_y();
        for (int x = 0; x < levels_x(); ++x)
            take(rows[x]);
    }
    template <class Take>
    void each_column(Take&& take) const {
        const Count* columns = cells_ + levels_x() * levels_y() + levels_x();
        for (int y = 0; y < levels_y(); ++y)
            take(columns[y]);
    }

private:
    int levels_x() const { return KX != 0 ? KX : kx_; }
    int levels_y() const { return KY != 0 ? KY : ky_; }

    const DenseCounts<Count>& table_;
    int kx_, ky_;
    std::array<Count, KX * KY + KX + KY> small_;
    Count* cells_;
    Count total_ = 0;
};

// The same for the occupied cells of a stratum; empty ones are left out, because their terms are zero.
class SparseStratum {
public:
    explicit SparseStratum(const OccupiedStratum& stratum) : stratum_(stratum) {}

    std::uint64_t total() const { return stratum_.total; }
    template <class Take>
    void each_count(Take&& take) const {
        for (const auto& cell : stratum_.cells)
            take(cell.count);
    }
    template <class Take>
    void each_cell(Take&& take) const {
        auto row = stratum_.rows.begin();
        for (const auto& cell : stratum_.cells) {
            while (row->level != cell.x)
                ++row;
            take(cell.count, row->count,
                 std::ranges::lower_bound(stratum_.columns, cell.y, {}, &OccupiedStratum::Margin::level)->count);
        }
    }
    template <class Take>
    void each_row(Take&& take) const {
        for (const auto& row : stratum_.rows)
            take(row.count);
    }
    template <class Take>
    void each_column(Take&& take) const {
        for (const auto& column : stratum_.columns)
            take(column.count);
    }

private:
    const OccupiedStratum& stratum_;
};

// The sums over strata.
template <class Sum, class Terms>
struct StrataSums {
    Terms terms;
    Sum information{}; // n·I(X;Y|Z)
    std::uint64_t n = 0;
    std::int64_t strata = 0;

    template <class Stratum>
    void add(const Stratum& stratum) {
        const XLog2X& x_log2_x = XLog2X::table();
        const std::uint64_t total = stratum.total();
        ++strata;
        n += total;
        Sum cells, rows, columns;
        stratum.each_count([&](std::uint64_t count) { cells += x_log2_x.get<Sum>(count); });
        stratum.each_row([&](std::uint64_t count) { rows += x_log2_x.get<Sum>(count); });
        stratum.each_column([&](std::uint64_t count) { columns += x_log2_x.get<Sum>(count); });
        terms.add(stratum);
        // n_z I(X;Y|z): exactly zero where X or Y is constant in the stratum; rounding of the terms may make it
        // slightly negative elsewhere.
        information += ((cells - rows) + (x_log2_x.get<Sum>(total) - columns)).or_zero();
    }

    template <int KX, int KY, class Count>
    static void add_dense(StrataSums& sums, const DenseCounts<Count>& counts, const Sizes& sizes) {
        DenseStratum<KX, KY, Count> stratum(counts, sizes);
        counts.each_stratum([&](const Count* cells) {
            stratum.load(cells);
            if (stratum.total() != 0)
                sums.add(stratum);
        });
    }

    template <class Count>
    void add_all(const DenseCounts<Count>& counts, const Sizes& sizes) {
        using Add = void (*)(StrataSums&, const DenseCounts<Count>&, const Sizes&);
        static constexpr Add by_levels[3][3] = {{add_dense<2, 2>, add_dense<2, 3>, add_dense<2, 4>},
                                                {add_dense<3, 2>, add_dense<3, 3>, add_dense<3, 4>},
                                                {add_dense<4, 2>, add_dense<4, 3>, add_dense<4, 4>}};
        const auto x = static_cast<std::size_t>(sizes.kx) - 2, y = static_cast<std::size_t>(sizes.ky) - 2;
        if (std::is_same_v<Sum, NarrowSum> && x < 3 && y < 3)
            by_levels[x][y](*this, counts, sizes);
        else
            add_dense<0, 0>(*this, counts, sizes);
    }

    void add_all(const OccupiedCells& counts, const Sizes&) {
        counts.each_stratum([this](const OccupiedStratum& stratum) { add(SparseStratum(stratum)); });
    }
};

// The number of distinct pairs (x, y) that occur in any stratum.
template <class Count>
std::int64_t observed_pairs(const DenseCounts<Count>& counts, const Sizes& sizes) {
    const auto kx = static_cast<std::size_t>(sizes.kx), ky = static_cast<std::size_t>(sizes.ky);
    std::vector<bool> seen(kx * ky);
    counts.each_stratum([&](const Count* stratum) {
        for (std::size_t x = 0; x < kx; ++x)
            for (std::size_t y = 0; y < ky; ++y)
                if (stratum[x * counts.step_x + y * counts.step_y] != 0)
                    seen[x * ky + y] = true;
    });
    return std::count(seen.begin(), seen.end(), true);
}

inline std::int64_t observed_pairs(const OccupiedCells& counts, const Sizes&) {
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    counts.each_stratum([&](const OccupiedStratum& stratum) {
        for (const auto& cell : stratum.cells)
            pairs.emplace_back(cell.x, cell.y);
    });
    std::sort(pairs.begin(), pairs.end());
    return std::unique(pairs.begin(), pairs.end()) - pairs.begin();
}

// The test that a rule makes.
template <class R>
class RuleTest final : public Test {
public:
    explicit RuleTest(const Settings& settings) : rule_(settings), min_effect_(settings.min_effect()) {}

    Record judge(const DenseCounts<std::uint32_t>& counts, const Sizes& sizes) const override {
        return judge_any(counts, sizes);
    }
    Record judge(const DenseCounts<std::uint64_t>& counts, const Sizes& sizes) const override {
        return judge_any(counts, sizes);
    }
    Record judge(const OccupiedCells& counts, const Sizes& sizes) const override { return judge_any(counts, sizes); }

    std::optional<double> alpha() const override { return rule_.alpha; }
    double p_value(const Record& record) const override { return rule_.p_value(as_by_rule(record)); }
    double hypercompression_bound(const Record& record) const override {
        return rule_.hypercompression_bound(as_by_rule(record));
    }

private:
    double demanded_bits(const Record& record) const { return min_effect_ * static_cast<double>(record.n); }

    // The record before its threshold was raised.
    Record as_by_rule(Record record) const {
        record.threshold_bits -= demanded_bits(record);
        record.score_bits += demanded_bits(record);
        return record;
    }

    template <class Counts>
    Record judge_any(const Counts& counts, const Sizes& sizes) const {
        const double largest_sum =
            static_cast<double>(sizes.rows) * static_cast<double>(R::bits_per_row(sizes.kx, sizes.ky));
        return largest_sum < max_unit_bits ? judge_with<NarrowSum>(counts, sizes) : judge_with<WideSum>(counts, sizes);
    }

    template <class Sum, class Counts>
    Record judge_with(const Counts& counts, const Sizes& sizes) const {
        using Terms = decltype(rule_.template terms<Sum>(sizes, counts));
        StrataSums<Sum, Terms> sums{rule_.template terms<Sum>(sizes, counts)};
        sums.add_all(counts, sizes);
        Record record;
        record.n = static_cast<std::int64_t>(sums.n);
        record.strata = sums.strata;
        record.information_bits = sums.information.bits();
        record.statistic = record.df = std::numeric_limits<double>::quiet_NaN();
        const double evidence = rule_.finish(record, sums.terms, sizes);
        record.threshold_bits += demanded_bits(record);
        record.score_bits = rounded_score(evidence - record.threshold_bits, record.n);
        record.independent = record.score_bits <= zero_bits(record.n);
        return record;
    }

    R rule_;
    double min_effect_;
};

template <class R>
TestEntry entry(std::string_view name, std::string_view title, std::string_view family,
                std::vector<Option> options = {}) {
    return {name, title, family, std::move(options), [](const Settings& settings) -> std::unique_ptr<const Test> {
                return std::make_unique<RuleTest<R>>(settings);
            }};
}

} // namespace bitsep
