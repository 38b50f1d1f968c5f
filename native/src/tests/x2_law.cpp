#include "x2_law.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "bitsep/chi_square.hpp"

namespace bitsep {

namespace {

// Found by simulation: smaller jumps are part of the smooth law, and all of them together are rare.
constexpr double smallest_jump = 5; // standard deviations
constexpr double most_hits = 0.25;

// A skewness nearer to zero counts as this: the law is nearly normal, and the tail would take many terms.
constexpr double least_skewness = 0.02;

class LogSum {
public:
    void add(double log_term) {
        const double larger = std::max(log_, log_term);
        log_ = larger + std::log1p(std::exp(std::min(log_, log_term) - larger));
    }
    double value() const { return log_; }

private:
    double log_ = -1e300;
};

} // namespace

X2Law::X2Law(const Cumulants& cumulants, std::span<Jump> jumps) : rest_(cumulants) {
    std::ranges::make_heap(jumps); // most often the largest one is not apart, so that sorting would be in vain
    std::size_t apart = 0;
    for (; apart < std::min(jumps.size(), most_jumps); ++apart) {
        const auto [size, rate, lost] = jumps.front(); // the cumulants of a Bernoulli variable
        const double mean = size * rate, variance = size * mean * (1 - rate);
        // The variance of the other cells falls by 2 · lost in the event: part of the third cumulant, too.
        const Cumulants less{rest_.mean - mean, rest_.variance - variance,
                             rest_.third - size * variance * (1 - 2 * rate) + 6 * lost * mean};
        if (less.mean <= 0 || less.variance <= 0 || size < smallest_jump * std::sqrt(less.variance) ||
            hits_ + rate > most_hits)
            break;
        rest_ = less;
        hits_ += rate;
        std::ranges::pop_heap(jumps.first(jumps.size() - apart));
    }
    jumps_ = jumps.last(apart);
    if (apart > 0) { // a difference of large numbers: not far from the third cumulant of a gamma variable from zero on
        const double gamma = 2 * rest_.variance * rest_.variance / rest_.mean;
        rest_.third = std::clamp(rest_.third, gamma / 2, gamma * 3);
    }
}

double X2Law::log_smooth_tail(double x2) const {
    const double deviation = std::sqrt(rest_.variance);
    const double skewness = rest_.third / (rest_.variance * deviation);
    const double size = std::max(std::abs(skewness), least_skewness);
    // A gamma variable of shape 4 / skewness² in units of skewness/2 standard deviations, half a chi-square variable.
    const double df = 8 / (size * size), z = (x2 - rest_.mean) / deviation;
    if (skewness > -least_skewness)
        return log_chi_square_tail(df + 4 * z / size, df);
    return log_chi_square_lower_tail(std::max(df - 4 * z / size, 1e-6 * df), df); // reflected; its end is not sharp
}

double X2Law::log_tail(double x2) const {
    if (jumps_.empty())
        return log_smooth_tail(x2);
    const auto descending = jumps_ | std::views::reverse;
    LogSum sum;
    sum.add(log_smooth_tail(x2));
    for (const Jump& jump : descending)
        sum.add(log_smooth_tail(x2 - jump.size) + std::log(jump.rate));
    // Several jumps, taken to be the largest ones.
    double size = descending.front().size, log_rate = std::log(hits_), k = 1;
    for (const Jump& jump : descending | std::views::drop(1)) {
        if (x2 - size <= rest_.mean)
            break;
        size += jump.size;
        log_rate += std::log(hits_ / ++k);
        sum.add(log_smooth_tail(x2 - size) + log_rate);
    }
    return std::min(0.0, sum.value() - hits_);
}

} // namespace bitsep
