// The Dirichlet-multinomial marginal likelihood.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "bitsep/memo.hpp"
#include "rows.hpp"

namespace bitsep {

namespace {

// ln Γ(x) for x >= 16, by Stirling's series.
double log_gamma(double x) {
    const double square = 1 / (x * x);
    return (x - 0.5) * std::log(x) - x + 0.5 * std::log(2 * std::numbers::pi) +
           (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680))) / x;
}

// ln Γ(x + more) - ln Γ(x) for x so large that the difference of the two would have few digits: Stirling's formula,
// rearranged.
double log_gamma_step(double x, double more) {
    const double end = x + more;
    return more * (std::log(end) - 1) + (x - 0.5) * std::log1p(more / x) - more / (12 * x * end);
}

// log2 of (a+1)(a+2)…(a+count-1): at least zero.
double log2_rising(double a, std::uint64_t count) {
    constexpr std::uint64_t direct = 16;
    constexpr double large = 4096;
    if (a >= large)
        return log_gamma_step(a + 1, static_cast<double>(count - 1)) / std::numbers::ln2;
    double product = 1;
    for (std::uint64_t i = 1; i < std::min(count, direct); ++i)
        product *= a + static_cast<double>(i);
    if (count <= direct)
        return std::log2(product);
    return std::log2(product) +
           (log_gamma(a + static_cast<double>(count)) - log_gamma(a + static_cast<double>(direct))) / std::numbers::ln2;
}

// log2_rising for one a and many counts, as a term of a sum.
class Rising {
public:
    // known: values by the number of cells that the equivalent sample size is divided by, and the count.
    Rising(const Memo& known, double sample_size, double cells)
        : known_(known), a_(sample_size / cells),
          key_(cells < 0x1p39 ? static_cast<std::uint64_t>(cells) << 24 : std::uint64_t{0}) {}

    double log2_a() const { return std::log2(a_); }

    template <class Sum>
    Sum get(std::uint64_t count) const {
        constexpr std::uint64_t most = 1 << 18; // below, a value is less than 2^23 bits
        if (count >= most || key_ == 0)
            return Sum::of(log2_rising(a_, count));
        return Sum::of_units(static_cast<std::int64_t>(
            known_.get(key_ | count, [&] { return static_cast<std::uint64_t>(units_of(log2_rising(a_, count))); })));
    }

private:
    const Memo& known_;
    double a_;
    std::uint64_t key_;
};

// A count of c > 0 contributes log2 a (a+1)…(a+c-1). The logarithm of a itself may be negative; it is added at the end.
template <class Sum>
struct Likelihood {
    template <class Row>
    void add(const Row& row, std::uint64_t total) {
        Sum cells;
        row.each([&](std::uint64_t count) {
            if (count != 0) {
                cells += of_cell.template get<Sum>(count);
                ++occupied;
            }
        });
        bits += of_stratum.template get<Sum>(total) - cells;
        ++strata;
    }
    Rising of_stratum, of_cell;
    Sum bits{};
    std::int64_t strata = 0, occupied = 0;
};

// Bayesian Dirichlet equivalent uniform (Buntine 1991; Heckerman, Geiger & Chickering 1995).
class Bdeu {
public:
    explicit Bdeu(const Settings& settings) : sample_size_(settings.number("sample_size")), known_(memo_bits) {
        if (!(sample_size_ > 0 && sample_size_ <= largest))
            throw std::invalid_argument("sample_size: must be above 0 and at most 1000000000.");
    }

    template <class Sum>
    Likelihood<Sum> terms(const Family& family) const {
        return {Rising(known_, sample_size_, family.parents),
                Rising(known_, sample_size_, family.parents * static_cast<double>(family.levels))};
    }
    template <class Sum>
    double finish(const Likelihood<Sum>& sums, const Family&, std::int64_t) const {
        return sums.bits.bits() + static_cast<double>(sums.strata) * sums.of_stratum.log2_a() -
               static_cast<double>(sums.occupied) * sums.of_cell.log2_a();
    }

private:
    static constexpr double largest = 1e9; // with more, values that are kept would exceed 2^23 bits
    static constexpr int memo_bits = 18;   // 4 MB at most
    double sample_size_;
    Memo known_;
};

} // namespace

std::vector<ScoreEntry> bayesian_scores() {
    return {entry<Bdeu>("bdeu", "Bayesian Dirichlet equivalent uniform", true, {{"sample_size", {}, 1}})};
}

} // namespace bitsep
