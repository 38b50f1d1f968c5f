// Regrets, chi-square tails and quantiles, and sums in one or two words, for arguments of any magnitude.
#include <bit>
#include <cmath>

#include "bitsep/chi_square.hpp"
#include "bitsep/complexity.hpp"
#include "bitsep/log_factorial.hpp"
#include "bitsep/record.hpp"
#include "bytes.hpp"

using namespace bitsep;
using namespace bitsep::fuzz;

namespace {

// A positive number of any magnitude between 2^least and 2^most.
double positive(Bytes& bytes, int least, int most) {
    const double fraction = 1 + (bytes.byte() + 256.0 * bytes.byte()) / 65536;
    return std::ldexp(fraction, least + bytes.byte() % (most - least));
}

void check_regret(Bytes& bytes) {
    const bool large = bytes.one_in(8192); // these take milliseconds
    const unsigned bits = bytes.one_in(64) ? 10 : 6;
    const auto n = static_cast<std::int64_t>(bytes.count(large ? 56 : bits));
    const auto k = static_cast<std::int64_t>(bytes.count(large ? 40 : bits));
    const double regret = log2_regret(n, static_cast<double>(k));
    require(regret >= 0 && std::isfinite(regret), "a regret is at least 0");
    require(regret <= static_cast<double>(n) * std::log2(std::max(1.0, static_cast<double>(k))) * (1 + 1e-12) + 1e-9,
            "a regret is at most n log2 k");
    const double slack = 1e-8 + 1e-12 * regret;
    require(log2_regret(n + 1, static_cast<double>(k)) >= regret - slack, "a regret grows with the rows");
    require(log2_regret(n, static_cast<double>(k) + 1) >= regret - slack, "a regret grows with the levels");
    const double summed = RegretOfSize(k).get<WideSum>(static_cast<std::uint64_t>(n)).bits();
    require(std::abs(summed - regret) <= 0x1p-40 + 1e-15 * regret, "a regret in a sum is the same");
    require(identical(RegretOfSize(k).get<WideSum>(static_cast<std::uint64_t>(n)).bits(), summed), "and again");
    RegretOfRows of_rows;
    require(std::abs(of_rows(n, static_cast<double>(k)) - regret) <= slack + 1e-11 * regret, "regrets of many k agree");
}

void check_chi_square(Bytes& bytes) {
    const double df =
        bytes.flag() ? 1 + bytes.byte() : positive(bytes, -3, bytes.one_in(8192) ? 40 : 10); // a series of √df terms
    const double x = bytes.flag() ? df * positive(bytes, -3, 3) : positive(bytes, -40, 60);
    const double tail = chi_square_tail(x, df);
    require(tail >= 0 && tail <= 1, "a tail is a probability");
    require(chi_square_tail(x * 1.001, df) <= tail * (1 + 1e-9), "a tail falls");
    const double upper = log_chi_square_tail(x, df), lower = log_chi_square_lower_tail(x, df);
    require(upper <= 1e-12 && lower <= 1e-12 && !std::isnan(upper) && !std::isnan(lower), "logarithms of tails");
    require(std::abs(std::exp(upper) + std::exp(lower) - 1) < 1e-6, "tails add up to one");
    const double alpha = std::min(0.999, positive(bytes, -60, 0) / 2);
    const double quantile = chi_square_quantile(alpha, df);
    require(quantile >= 0 && std::isfinite(quantile), "a quantile is finite");
    require(std::abs(chi_square_tail(quantile, df) - alpha) <= 1e-6 * alpha + 1e-300 || quantile < 1e-290 || df > 1e7,
            "a quantile inverts the tail");
}

void check_sums(Bytes& bytes) {
    NarrowSum narrow;
    WideSum wide;
    while (!bytes.empty()) {
        const double bits = positive(bytes, -45, 18);
        const bool add = bytes.flag();
        narrow = add ? narrow + NarrowSum::of(bits) : narrow - NarrowSum::of(bits);
        wide = add ? wide + WideSum::of(bits) : wide - WideSum::of(bits);
    }
    require(std::abs(wide.bits()) >= max_unit_bits / 2 || narrow.bits() == wide.bits(), "one word or two are the same");
    require(narrow.or_zero().bits() >= 0 && wide.or_zero().bits() >= 0, "or_zero is not negative");
    const auto n = static_cast<std::int64_t>(bytes.count(56)) + 1;
    const double score = rounded_score(wide.bits(), n);
    require(std::abs(score - wide.bits()) <= zero_bits(n), "rounding stays within the tolerance");
    require(rounded_score(score, n) == score, "a rounded score is rounded");
    const double factorial = log_factorial(static_cast<std::uint64_t>(n));
    require(log_factorial(static_cast<std::uint64_t>(n) + 1) >= factorial, "factorials grow");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    switch (bytes.below(3)) {
    case 0:
        check_regret(bytes);
        break;
    case 1:
        check_chi_square(bytes);
        break;
    default:
        check_sums(bytes);
    }
    return 0;
}
