// Tests with a p-value from the chi-square distribution: the statistic against its quantile at alpha.
#include <numbers>

#include "bitsep/chi_square.hpp"
#include "families.hpp"
#include "p_values.hpp"
#include "pearson.hpp"

namespace bitsep {

namespace {

constexpr double bits_per_chi_square = 1 / (2 * std::numbers::ln2); // G² = 2 ln 2 · n·I(X;Y|Z)

const Option min_rows_option{"min_rows_per_df"}; // fewer rows than this times df: independent

struct Significance : Rule {
    // It is `multiple` times the statistic that is taken to follow the distribution.
    explicit Significance(const Settings& settings, double multiple = 1)
        : Rule{settings.alpha().value_or(default_alpha)}, factor(multiple),
          min_rows_per_df(settings.number(min_rows_option.name)), quantiles(*alpha) {}

    double finish_with(Record& record, double statistic, double df, double evidence_bits) const {
        record.statistic = statistic;
        record.df = df;
        record.threshold_bits = static_cast<double>(record.n) < min_rows_per_df * df
                                    ? std::numeric_limits<double>::infinity()
                                    : quantiles(df) * bits_per_chi_square / factor;
        return evidence_bits;
    }
    double finish_g2(Record& record, double df) const {
        return finish_with(record, record.information_bits / bits_per_chi_square, df, record.information_bits);
    }
    // 1 where the test refuses to decide on too few rows.
    double p_value(const Record& record) const {
        return std::isinf(record.threshold_bits) ? 1.0 : chi_square_tail(record.statistic * factor, record.df);
    }

    double factor, min_rows_per_df;
    ChiSquareThresholds quantiles;
};

// Degrees of freedom (|X|-1)(|Y|-1)|Z|.
class PlainDf {
public:
    explicit PlainDf(const Settings& settings) : z_size_(settings) {}
    double of(const Record& record, const Sizes& sizes) const {
        return (static_cast<double>(sizes.kx) - 1) * (static_cast<double>(sizes.ky) - 1) * z_size_.of(record, sizes);
    }

private:
    ZSize z_size_;
};

struct G2 : Significance {
    explicit G2(const Settings& settings, double multiple = 1) : Significance(settings, multiple), df(settings) {}

    template <class Sum>
    double finish(Record& record, const NoTerms<Sum>&, const Sizes& sizes) const {
        return finish_g2(record, df.of(record, sizes));
    }

    PlainDf df;
};

// Half the threshold of G², so its p-value is that of twice the statistic.
struct GammaHalved : G2 {
    explicit GammaHalved(const Settings& settings) : G2(settings, 2) {}
};

// The sum over strata of (occupied rows - 1)(occupied columns - 1).
template <class Sum>
struct OccupiedTerms {
    template <class Stratum>
    bool add(const Stratum& stratum) { // whether the stratum has more than one row and column
        int rows = 0, columns = 0;
        stratum.each_row([&](std::uint64_t count) { rows += count != 0; });
        stratum.each_column([&](std::uint64_t count) { columns += count != 0; });
        df += static_cast<double>(rows - 1) * static_cast<double>(columns - 1);
        return rows > 1 && columns > 1;
    }

    double df = 0;
};

struct G2Adjusted : Significance {
    explicit G2Adjusted(const Settings& settings) : Significance(settings) {}

    template <class Sum, class Counts>
    OccupiedTerms<Sum> terms(const Sizes&, const Counts&) const {
        return {};
    }
    template <class Sum>
    double finish(Record& record, const OccupiedTerms<Sum>& terms, const Sizes&) const {
        return finish_g2(record, terms.df);
    }
};

template <class Sum>
struct PearsonTerms {
    template <class Stratum>
    void add(const Stratum& stratum) {
        if (OccupiedTerms<Sum>().add(stratum))
            x2 += x2_of<Sum>(stratum);
    }

    Sum x2;
};

struct X2 : Significance {
    explicit X2(const Settings& settings) : Significance(settings), df(settings) {}

    static std::int64_t bits_per_row(std::int64_t kx, std::int64_t ky) { return x2_bits_per_row(kx, ky); }
    template <class Sum, class Counts>
    PearsonTerms<Sum> terms(const Sizes&, const Counts&) const {
        return {};
    }
    template <class Sum>
    double finish(Record& record, const PearsonTerms<Sum>& terms, const Sizes& sizes) const {
        const double x2 = terms.x2.bits();
        return finish_with(record, x2, df.of(record, sizes), x2 * bits_per_chi_square);
    }

    PlainDf df;
};

} // namespace

std::vector<TestEntry> significance_tests() {
    const std::vector<Option> options{z_size_option, min_rows_option};
    return {
        entry<G2>("cmi_gamma",
                  "plug-in CMI above its Gamma quantile (Goebel et al. 2005) as the paper prints it; equals g2",
                  "significance", options),
        entry<GammaHalved>("cmi_gamma_halved",
                           "the same with half the threshold, which fits what the paper says about it", "significance",
                           options),
        entry<G2>("g2", "G² (likelihood ratio) with df (|X|−1)(|Y|−1)|Z|", "significance", options),
        entry<G2Adjusted>("g2_adjusted", "G² with df from the occupied rows and columns", "significance",
                          {min_rows_option}),
        entry<X2>("x2", "Pearson's X²", "significance", options),
    };
}

} // namespace bitsep
