#include "bitsep/chi_square.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace bitsep {

namespace {

constexpr double tiny = 1e-300;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

// ln Gamma(a+1) - (a ln a - a + ln(2 pi a)/2), Stirling's remainder.
double stirling_remainder(double a) {
    if (a < 16)
        return std::lgamma(a + 1) - (a * std::log(a) - a + 0.5 * std::log(2 * std::numbers::pi * a));
    const double s = 1 / (a * a);
    return (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s * (1.0 / 1680 - s / 1188)))) / a;
}

// mu - 1 - ln(mu) without cancellation near mu = 1.
double excess(double mu) {
    const double d = mu - 1;
    if (std::abs(d) > 0.1)
        return d - std::log(mu);
    // With v = d / (2 + d): ln(1+d) = 2 (v + v^3/3 + v^5/5 + ...), and d - 2 v = d v.
    const double v = d / (2 + d), square = v * v;
    double sum = 0, power = v * square;
    for (int i = 3; i < 60; i += 2) {
        const double term = power / i;
        sum += term;
        if (std::abs(term) < epsilon * std::abs(sum))
            break;
        power *= square;
    }
    return d * v - 2 * sum;
}

// x^a e^-x / Gamma(a+1), accurate also where a and x are large.
double poisson_weight(double a, double x) {
    return std::exp(-a * excess(x / a) - stirling_remainder(a)) / std::sqrt(2 * std::numbers::pi * a);
}

struct Tails {
    double lower, upper;
};

// Regularised incomplete gamma functions P(a, x) and Q(a, x): the power series below the mean, Lentz's continued
// fraction above it; each converges fast on its side.
Tails incomplete_gamma(double a, double x) {
    if (x <= 0)
        return {0.0, 1.0};
    if (!std::isfinite(x))
        return {1.0, 0.0};
    const double weight = poisson_weight(a, x);
    if (x < a + 1) {
        double sum = 1, term = 1;
        for (double i = 1; term > epsilon * sum * 0.25; ++i) {
            term *= x / (a + i);
            sum += term;
        }
        const double lower = std::min(1.0, weight * sum);
        return {lower, 1 - lower};
    }
    double b = x + 1 - a, c = 1 / tiny, d = 1 / b, fraction = d;
    for (double i = 1; i < 1e8; ++i) {
        const double numerator = -i * (i - a);
        b += 2;
        d = 1 / std::max(std::abs(numerator * d + b), tiny);
        c = std::max(std::abs(b + numerator / c), tiny);
        fraction *= d * c;
        if (std::abs(d * c - 1) < 4 * epsilon)
            break;
    }
    const double upper = std::min(1.0, weight * a * fraction);
    return {1 - upper, upper};
}

// Quantile of the standard normal for an upper tail of alpha: a coarse rational start, good enough to begin Newton.
double normal_quantile(double alpha) {
    const bool flip = alpha > 0.5;
    const double t = std::sqrt(-2 * std::log(flip ? 1 - alpha : alpha));
    const double z =
        t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    return flip ? -z : z; // Abramowitz & Stegun 26.2.23, error below 4.5e-4
}

} // namespace

double chi_square_tail(double x, double df) {
    return df <= 0 ? 1.0 : incomplete_gamma(df / 2, x / 2).upper;
}

double chi_square_quantile(double alpha, double df) {
    if (df <= 0)
        return 0.0;
    const double a = df / 2;
    // Wilson & Hilferty: the cube root of chi²/df is nearly normal.
    const double s = 2 / (9 * df), cube = 1 - s + normal_quantile(alpha) * std::sqrt(s);
    double x = a * std::max(cube * cube * cube, 1e-4);
    double low = 0, high = std::numeric_limits<double>::infinity();
    // Newton on the smaller tail, kept inside a bracket that only shrinks.
    for (int step = 0; step < 200; ++step) {
        const Tails tails = incomplete_gamma(a, x);
        const double error = alpha < 0.5 ? tails.upper - alpha : (1 - alpha) - tails.lower; // falls with x
        (error > 0 ? low : high) = x;
        const double density = poisson_weight(a, x) * a / x;
        double next = density > 0 ? x + error / density : 0;
        if (std::abs(next - x) <= 8 * epsilon * x)
            return 2 * next;
        if (!(next > low && next < high))
            next = std::isfinite(high) ? (low + high) / 2 : 2 * x;
        x = next;
    }
    return 2 * x;
}

double ChiSquareThresholds::operator()(double df) const {
    if (df <= 0)
        return 0.0;
    if (df >= static_cast<double>(LazyTable::capacity))
        return chi_square_quantile(alpha_, df);
    return table_.get(static_cast<std::uint64_t>(df),
                      [this](std::uint64_t d) { return chi_square_quantile(alpha_, static_cast<double>(d)); });
}

} // namespace bitsep
