// Code lengths of the maximum likelihood: with the regret of each stratum (fnml), of the whole (qnml), of the occupied
// cells (sparse_qnml), or with half a logarithm per parameter (bic).
#include <algorithm>

#include "rows.hpp"

namespace bitsep {

namespace {

// n Ĥ(Y | parents): the sum over strata of n_z log2 n_z - sum over y of n_zy log2 n_zy.
template <class Sum>
struct Entropy {
    template <class Row>
    void add(const Row& row, std::uint64_t total) {
        Sum cells;
        row.each([&](std::uint64_t count) { cells += x_log2_x.get<Sum>(count); });
        bits += x_log2_x.get<Sum>(total) - cells;
    }
    const XLog2X& x_log2_x = XLog2X::table();
    Sum bits;
};

template <class Sum>
struct EntropyAndRegret : Entropy<Sum> {
    explicit EntropyAndRegret(std::int64_t levels) : regret(levels) {}

    template <class Row>
    void add(const Row& row, std::uint64_t total) {
        Entropy<Sum>::add(row, total);
        this->bits += regret.template get<Sum>(total);
    }
    RegretOfSize regret;
};

// Factorized normalized maximum likelihood (Silander, Roos, Kontkanen & Myllymäki 2008).
struct Fnml {
    explicit Fnml(const Settings&) {}
    template <class Sum>
    EntropyAndRegret<Sum> terms(const Family& family) const {
        return EntropyAndRegret<Sum>(family.levels);
    }
    template <class Sum>
    double finish(const EntropyAndRegret<Sum>& sums, const Family&, std::int64_t) const {
        return sums.bits.bits();
    }
};

// Quotient normalized maximum likelihood (Silander, Leppä-aho, Jääsaari & Roos 2018).
struct Qnml {
    explicit Qnml(const Settings&) {}
    template <class Sum>
    Entropy<Sum> terms(const Family&) const {
        return {};
    }
    template <class Sum>
    double finish(const Entropy<Sum>& sums, const Family& family, std::int64_t n) const {
        thread_local RegretOfRows regret;
        return sums.bits.bits() + regret(n, static_cast<double>(family.levels) * family.parents) -
               regret(n, family.parents);
    }
};

template <class Sum>
struct EntropyAndOccupied : Entropy<Sum> {
    template <class Row>
    void add(const Row& row, std::uint64_t total) {
        Entropy<Sum>::add(row, total);
        row.each([&](std::uint64_t count) { cells += count != 0; });
        ++strata;
    }
    std::int64_t cells = 0, strata = 0; // that are occupied
};

// Quotient normalized maximum likelihood of the occupied cells, each of which pays for its place in the domain, and the
// length of the number of empty cells in the strata (Elias's code, but for a constant): a cell that is empty because
// its levels are rare would otherwise save the bits of a parameter. With nearly as many strata as rows, this is the
// code of equally probable levels, which has next to no regret; so that parents that explain nothing do not save the
// regret of Y, a family whose code is at least as long has at least that regret.
struct SparseQnml {
    explicit SparseQnml(const Settings&) {}
    template <class Sum>
    EntropyAndOccupied<Sum> terms(const Family&) const {
        return {};
    }
    template <class Sum>
    double finish(const EntropyAndOccupied<Sum>& sums, const Family& family, std::int64_t n) const {
        thread_local RegretOfRows regret;
        const auto cost = [n](double occupied, double domain) {
            return regret(n, occupied) + occupied * std::log2(domain / occupied);
        };
        const auto cells = static_cast<double>(sums.cells), strata = static_cast<double>(sums.strata);
        const auto levels = static_cast<double>(family.levels);
        const double bits = sums.bits.bits() + cost(cells, levels * family.parents) - cost(strata, family.parents) +
                            2 * std::log2(1 + levels * strata - cells);
        const bool explains_nothing = strata > 1 && bits >= static_cast<double>(n) * std::log2(levels);
        return explains_nothing ? bits + std::max(regret(n, levels) - (regret(n, cells) - regret(n, strata)), 0.0)
                                : bits;
    }
};

struct Bic {
    explicit Bic(const Settings&) {}
    template <class Sum>
    Entropy<Sum> terms(const Family&) const {
        return {};
    }
    template <class Sum>
    double finish(const Entropy<Sum>& sums, const Family& family, std::int64_t n) const {
        const double parameters = static_cast<double>(family.levels - 1) * family.parents;
        return sums.bits.bits() + 0.5 * std::log2(static_cast<double>(n)) * parameters;
    }
};

} // namespace

std::vector<ScoreEntry> maximum_likelihood_scores() {
    return {entry<Fnml>("fnml", "factorized normalized maximum likelihood", false),
            entry<Qnml>("qnml", "quotient normalized maximum likelihood", true),
            entry<SparseQnml>("sparse_qnml", "quotient normalized maximum likelihood of the occupied cells", false),
            entry<Bic>("bic", "Bayesian information criterion", true)};
}

} // namespace bitsep
