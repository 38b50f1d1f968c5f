// SCI (Marx & Vreeken 2019): X and Y are dependent where knowing one saves more bits of the other than the larger model
// costs in regret.
#include "families.hpp"
#include "strata.hpp"

namespace bitsep {

namespace {

// A given alpha asks for -log2 alpha bits more (sparsification, section 4.5).
struct Sci : Rule {
    explicit Sci(const Settings& settings)
        : Rule{settings.alpha()}, extra_bits(settings.alpha() ? -std::log2(*settings.alpha()) : 0.0) {}

    // No-hypercompression inequality: the probability of saving k bits or more is at most 2^-k.
    double hypercompression_bound(const Record& record) const {
        const double saved = record.information_bits - (record.threshold_bits - extra_bits);
        return std::min(1.0, std::pow(2.0, -std::max(saved, 0.0)));
    }

    double extra_bits;
};

// P_f(X | Z, Y) - P_f(X | Z), and the same with X and Y exchanged (section 4.1).
template <class Sum>
struct FactorizedTerms {
    explicit FactorizedTerms(const Sizes& sizes) : regret_x(sizes.kx), regret_y(sizes.ky) {}

    template <class Stratum>
    void add(const Stratum& stratum) {
        Sum given_x, given_y;
        stratum.each_row([&](std::uint64_t count) { given_x += regret_y.template get<Sum>(count); });
        stratum.each_column([&](std::uint64_t count) { given_y += regret_x.template get<Sum>(count); });
        of_x += given_y - regret_x.template get<Sum>(stratum.total());
        of_y += given_x - regret_y.template get<Sum>(stratum.total());
    }

    RegretOfSize regret_x, regret_y;
    Sum of_x, of_y;
};

struct SciF : Sci {
    using Sci::Sci;

    template <class Sum, class Counts>
    FactorizedTerms<Sum> terms(const Sizes& sizes, const Counts&) const {
        return FactorizedTerms<Sum>(sizes);
    }
    // SCI_f is the larger of both directions: the one with the smaller threshold.
    template <class Sum>
    double finish(Record& record, const FactorizedTerms<Sum>& terms, const Sizes&) const {
        record.threshold_bits = std::min(terms.of_x.bits(), terms.of_y.bits()) + extra_bits;
        return record.information_bits;
    }
};

// P_q(X | Z, Y) - P_q(X | Z), with |(Z, Y)| = |Z| |Y| (appendix "Quotient SCI").
struct SciQ : Sci {
    explicit SciQ(const Settings& settings) : Sci(settings), z_size(settings) {}

    template <class Sum>
    double finish(Record& record, const NoTerms<Sum>&, const Sizes& sizes) const {
        thread_local RegretOfRows regrets;
        const auto kx = static_cast<double>(sizes.kx), ky = static_cast<double>(sizes.ky);
        const auto rows = static_cast<double>(record.n);
        const double kz = z_size.of(record, sizes);
        record.threshold_bits = extra_bits;
        if (kz <= 0x1p60 * rows * rows) // beyond, the regrets cancel (see log2_regret)
            record.threshold_bits += (regrets(record.n, kx * ky * kz) - regrets(record.n, std::max(kx, ky) * kz)) -
                                     (regrets(record.n, std::min(kx, ky) * kz) - regrets(record.n, kz));
        return record.information_bits;
    }

    ZSize z_size;
};

// The sum over strata of log C(n_z, |XY|) - log C(n_z, |X|) - log C(n_z, |Y|) (appendix, alternative symmetry
// correction).
template <class Sum>
struct JointTerms {
    JointTerms(const Sizes& sizes, std::int64_t kxy) : regret_xy(kxy), regret_x(sizes.kx), regret_y(sizes.ky) {}

    template <class Stratum>
    void add(const Stratum& stratum) {
        const std::uint64_t total = stratum.total();
        penalty +=
            regret_xy.template get<Sum>(total) - regret_x.template get<Sum>(total) - regret_y.template get<Sum>(total);
    }

    RegretOfSize regret_xy, regret_x, regret_y;
    Sum penalty;
};

const Option xy_size_option{"xy_size", {"product", "observed"}}; // |XY|: |X| |Y|, or the observed pairs

struct SciFs : Sci {
    explicit SciFs(const Settings& settings)
        : Sci(settings), observed_xy(settings.choice(xy_size_option.name) == "observed") {}

    template <class Sum, class Counts>
    JointTerms<Sum> terms(const Sizes& sizes, const Counts& counts) const {
        return {sizes, observed_xy ? observed_pairs(counts, sizes) : sizes.kx * sizes.ky};
    }
    template <class Sum>
    double finish(Record& record, const JointTerms<Sum>& terms, const Sizes&) const {
        record.threshold_bits = terms.penalty.bits() + extra_bits;
        return record.information_bits;
    }

    bool observed_xy;
};

} // namespace

std::vector<TestEntry> sci_tests() {
    return {
        entry<SciF>("sci_f", "SCI with factorized NML, the larger of both directions (the paper's test)", "sci"),
        entry<SciQ>("sci_q", "SCI with quotient NML", "sci", {z_size_option}),
        entry<SciFs>("sci_fs", "SCI with factorized NML, symmetric by joint complexity (appendix)", "sci",
                     {xy_size_option}),
    };
}

} // namespace bitsep
