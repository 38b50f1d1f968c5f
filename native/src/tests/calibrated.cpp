// Pearson's X², and a U-statistic, against their distributions given the margins of every stratum.
#include <numbers>

#include "exact_tables.hpp"
#include "families.hpp"
#include "p_values.hpp"
#include "pearson.hpp"
#include "u_moments.hpp"
#include "x2_law.hpp"

namespace bitsep {

namespace {

// Takes counts one by one and leaves the occupied ones in a list.
auto copy_to(std::vector<std::uint64_t>& list) {
    list.clear();
    return [&list](std::uint64_t count) {
        if (count != 0)
            list.push_back(count);
    };
}

// What is kept of the strata besides sums; one per thread, used again from test to test.
struct Workspace {
    void clear() {
        exact.clear();
        jumps.clear();
    }
    // Keeps the largest jumps, whatever their order.
    void keep(const Jump& jump) {
        if (jumps.size() == 2 * most_jumps) {
            std::ranges::nth_element(jumps, jumps.begin() + most_jumps, std::greater());
            jumps.resize(most_jumps);
        }
        jumps.push_back(jump);
    }

    static constexpr std::ptrdiff_t most_jumps = X2Law::most_jumps;
    ExactTables<X2Cells> exact;
    std::vector<Jump> jumps;
    std::vector<std::uint64_t> rows, columns;
};

Workspace& workspace() {
    thread_local Workspace one;
    return one;
}

// Cells that expect at least a tenth of a row make no jumps.
constexpr double smallest_jump = 10;
constexpr double most_hits_of_a_cell = 4;

template <class Sum>
struct CalibratedTerms {
    CalibratedTerms() : kept(workspace()) { kept.clear(); }

    template <class Stratum>
    void add(const Stratum& stratum) {
        const std::uint64_t total = stratum.total();
        const Margin rows(total, [&](auto&& take) { stratum.each_row(take); });
        const Margin columns(total, [&](auto&& take) { stratum.each_column(take); });
        if (rows.levels < 2 || columns.levels < 2)
            return;
        x2 += x2_of<Sum>(stratum);
        df += static_cast<double>(rows.levels - 1) * static_cast<double>(columns.levels - 1);
        const Cumulants k = x2_cumulants(total, rows, columns);
        mean += WideSum::of(k.mean);
        add_limited(variance, k.variance);
        add_limited(k.third < 0 ? negative_third : third, std::abs(k.third));
        const auto n = static_cast<double>(total);
        if (n > smallest_jump * static_cast<double>(rows.smallest) * static_cast<double>(columns.smallest))
            add_jumps(stratum, n, rows.levels, columns.levels);
        // The two largest rows and columns alone leave one more table than the smaller of the second largest.
        if (kept.exact.feasible_with(std::min(rows.second, columns.second) + 1, total, rows.levels * columns.levels))
            add_exact(stratum);
    }

    // Sums of numbers of one sign do not depend on their order, also where they reach the limit.
    static void add_limited(WideSum& sum, double more) {
        sum = (sum + WideSum::of(std::min(more, limit))).at_most(static_cast<std::int64_t>(limit));
    }

    template <class Stratum>
    void add_exact(const Stratum& stratum) {
        stratum.each_row(copy_to(kept.rows));
        stratum.each_column(copy_to(kept.columns));
        kept.exact.add(kept.rows, kept.columns);
    }

    // Cells whose margins are equal have the same jumps, so large domains do not need a look at every cell.
    template <class Stratum>
    void add_jumps(const Stratum& stratum, double n, double r, double c) {
        stratum.each_row(copy_to(kept.rows));
        stratum.each_column(copy_to(kept.columns));
        std::ranges::sort(kept.rows);
        std::ranges::sort(kept.columns);
        for_each_count(kept.rows, [&](double row, std::size_t rows) {
            return for_each_count(kept.columns, [&](double column, std::size_t columns) {
                return add_jumps_of_cells(rows * columns, n, row, column, r, c);
            });
        });
    }

    // Calls use(count, how often it occurs) for ascending counts while it returns true; whether it did for the first.
    template <class Use>
    static bool for_each_count(const std::vector<std::uint64_t>& ascending, Use&& use) {
        for (auto first = ascending.begin(); first != ascending.end();) {
            const auto last = std::upper_bound(first, ascending.end(), *first);
            if (!use(static_cast<double>(*first), static_cast<std::size_t>(last - first)))
                return first != ascending.begin();
            first = last;
        }
        return true;
    }

    // Of so many cells with these margins, each of which is hit once, twice, and so on. Returns whether they make any.
    bool add_jumps_of_cells(std::size_t cells, double n, double row, double column, double r, double c) {
        const double size = n / (row * column);
        if (size <= smallest_jump)
            return false;
        const double lost = (c - 1) / row + (r - 1) / column - 1 / (row * column); // by each hit
        double rate = 1;
        for (double hits = 1; hits <= std::min({row, column, most_hits_of_a_cell}); ++hits) {
            rate *= (row - hits + 1) * (column - hits + 1) / (hits * (n - hits + 1));
            const Jump jump{size * hits * hits - lost * hits, rate, lost * hits};
            for (std::size_t cell = 0; cell < std::min<std::size_t>(cells, Workspace::most_jumps); ++cell)
                kept.keep(jump);
        }
        return true;
    }

    static constexpr double limit = 0x1p61; // of cumulants, which weights of 2^53 reach
    Workspace& kept;
    Sum x2;
    WideSum mean, variance, third, negative_third;
    double df = 0;
};

struct X2Calibrated : Rule {
    explicit X2Calibrated(const Settings& settings)
        : Rule{settings.alpha().value_or(default_alpha)}, needed_bits(-std::log2(*alpha)) {}

    static std::int64_t bits_per_row(std::int64_t kx, std::int64_t ky) { return x2_bits_per_row(kx, ky); }

    template <class Sum, class Counts>
    CalibratedTerms<Sum> terms(const Sizes&, const Counts&) const {
        return {};
    }
    template <class Sum>
    double finish(Record& record, const CalibratedTerms<Sum>& terms, const Sizes&) const {
        record.statistic = terms.x2.bits();
        record.df = terms.df;
        record.threshold_bits = needed_bits;
        return evidence_bits(-log_tail(terms, record.statistic) / std::numbers::ln2, needed_bits, record.n);
    }
    double p_value(const Record& record) const { return p_value_of(record); }

    double needed_bits;

private:
    template <class Sum>
    static double log_tail(const CalibratedTerms<Sum>& terms, double x2) {
        const Cumulants cumulants{terms.mean.bits(), terms.variance.bits(),
                                  (terms.third - terms.negative_third).bits()};
        if (cumulants.variance < 1e-9) // X² can have no other value
            return 0;
        if (const auto exact = terms.kept.exact.log_tail(x2))
            return *exact;
        return X2Law(cumulants, terms.kept.jumps).log_tail(x2);
    }
};

struct UWorkspace {
    ExactTables<UCells> exact;
    std::vector<std::pair<double, double>> cumulants; // variance and third, of each stratum
    std::vector<std::uint64_t> rows, columns;
};

UWorkspace& u_workspace() {
    thread_local UWorkspace one;
    return one;
}

template <class Sum>
struct UTermsOfStrata {
    explicit UTermsOfStrata(const Sizes& sizes)
        : kx(static_cast<double>(sizes.kx)), ky(static_cast<double>(sizes.ky)), kept(u_workspace()) {
        kept.exact.clear(sizes.kx, sizes.ky);
        kept.cumulants.clear();
    }

    template <class Stratum>
    void add(const Stratum& stratum) {
        const std::uint64_t total = stratum.total();
        if (total < u_rows_from)
            return;
        stratum.each_row(copy_to(kept.rows));
        stratum.each_column(copy_to(kept.columns));
        std::ranges::sort(kept.rows, std::greater());
        std::ranges::sort(kept.columns, std::greater());
        if (u_is_zero(kept.rows) || u_is_zero(kept.columns))
            return;
        const auto n = static_cast<double>(total);
        const UMargin rows(kept.rows, kx, n), columns(kept.columns, ky, n);
        Sum pairs = Sum::of(u_of_margins(n, rows.pairs, columns.pairs)), mixed;
        stratum.each_cell([&](std::uint64_t count, std::uint64_t row, std::uint64_t column) {
            if (count != 0) {
                const auto r = static_cast<double>(row), c = static_cast<double>(column);
                const UTerms terms =
                    u_of_cell(n, static_cast<double>(count), r, c, u_weight(r, kx, n) * u_weight(c, ky, n));
                pairs += Sum::of(terms.pairs);
                mixed += Sum::of(terms.mixed);
            }
        });
        u += pairs - mixed;
        const Cumulants k = u_cumulants(n, rows, columns);
        kept.cumulants.emplace_back(k.variance, k.third);
        const auto cells = static_cast<int>(std::min<std::size_t>(kept.rows.size() * kept.columns.size(), 1 << 20));
        if (kept.exact.feasible_with(std::min(kept.rows[1], kept.columns[1]) + 1, total, cells))
            kept.exact.add(kept.rows, kept.columns);
    }

    double kx, ky;
    UWorkspace& kept;
    Sum u;
};

struct UCalibrated : Rule {
    explicit UCalibrated(const Settings& settings)
        : Rule{settings.alpha().value_or(default_alpha)}, needed_bits(-std::log2(*alpha)) {}

    static std::int64_t bits_per_row(std::int64_t kx, std::int64_t ky) { return 16 * x2_bits_per_row(kx, ky); }

    template <class Sum, class Counts>
    UTermsOfStrata<Sum> terms(const Sizes& sizes, const Counts&) const {
        return UTermsOfStrata<Sum>(sizes);
    }
    template <class Sum>
    double finish(Record& record, const UTermsOfStrata<Sum>& terms, const Sizes&) const {
        record.statistic = terms.u.bits();
        record.threshold_bits = needed_bits;
        const double rounding = rounding_per_row * static_cast<double>(record.n);
        return evidence_bits(-log_tail(terms.kept, record.statistic, rounding) / std::numbers::ln2, needed_bits,
                             record.n);
    }
    double p_value(const Record& record) const { return p_value_of(record); }

    double needed_bits;

private:
    // What the statistic may differ by because its terms are rounded. Where levels are rare among many rows, its
    // standard deviation may be less.
    static constexpr double rounding_per_row = 0x1p-46;

    static double log_tail(UWorkspace& kept, double u, double rounding) {
        if (kept.cumulants.empty()) // it can have no other value
            return 0;
        if (const auto exact = kept.exact.log_tail(u))
            return *exact;
        std::ranges::sort(kept.cumulants); // the sum must not depend on the order of the strata
        Cumulants sum;
        for (const auto& [variance, third] : kept.cumulants) {
            sum.variance += variance;
            sum.third += third;
        }
        sum.variance = std::max(sum.variance, rounding * rounding);
        return X2Law(sum, {}).log_tail(u);
    }
};

} // namespace

std::vector<TestEntry> calibrated_tests() {
    return {entry<X2Calibrated>("x2_calibrated", "Pearson's X² with its own distribution given the margins",
                                "significance"),
            entry<UCalibrated>("u_calibrated", "the U-statistic wUCI with its own distribution given the margins",
                               "significance")};
}

} // namespace bitsep
