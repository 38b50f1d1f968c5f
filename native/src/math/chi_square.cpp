#include "bitsep/chi_square.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

namespace bitsep {

namespace {

constexpr double tiny = 1e-300;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

// ln Gamma(x) for positive x. std::lgamma stores the sign in a global variable, at the same time from many threads.
double log_gamma(double x) {
#ifdef _MSC_VER
    return std::lgamma(x);
#else
    int sign = 0;
    return lgamma_r(x, &sign);
#endif
}

// ln Gamma(a+1) - (a ln a - a + ln(2 pi a)/2), Stirling's remainder.
double stirling_remainder(double a) {
    if (a < 16)
        return log_gamma(a + 1) - (a * std::log(a) - a + 0.5 * std::log(2 * std::numbers::pi * a));
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

// x^a e^-x / Gamma(a+1), accurate also where a and x are large: the exponential, and what it is divided by.
double log_weight(double a, double x) {
    return -a * excess(x / a) - stirling_remainder(a);
}
double weight_divisor(double a) {
    return std::sqrt(2 * std::numbers::pi * a);
}
double poisson_weight(double a, double x) {
    return std::exp(log_weight(a, x)) / weight_divisor(a);
}

struct Tails {
    double lower, upper;
};

// The regularized incomplete gamma functions P(a, x) and Q(a, x) are the Poisson weight times a factor: the power
// series for P below the mean, Lentz's continued fraction for Q above it; each converges fast on its side.
bool lower_side(double a, double x) {
    return x < a + 1;
}
double lower_factor(double a, double x) {
    double sum = 1, term = 1;
    for (double i = 1; term > epsilon * sum * 0.25; ++i) {
        term *= x / (a + i);
        sum += term;
    }
    return sum;
}
double upper_factor(double a, double x) {
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
    return fraction;
}

Tails incomplete_gamma(double a, double x) {
    if (x <= 0)
        return {0.0, 1.0};
    if (!std::isfinite(x))
        return {1.0, 0.0};
    const double weight = poisson_weight(a, x);
    if (lower_side(a, x)) {
        const double lower = std::min(1.0, weight * lower_factor(a, x));
        return {lower, 1 - lower};
    }
    const double upper = std::min(1.0, weight * a * upper_factor(a, x));
    return {1 - upper, upper};
}

// Quantile of the standard normal for an upper tail of alpha: a rational start (Abramowitz & Stegun 26.2.23), then
// Newton on the logarithm of the smaller tail.
double normal_quantile(double alpha) {
    const bool flip = alpha > 0.5;
    const double tail = flip ? 1 - alpha : alpha;
    const double t = std::sqrt(-2 * std::log(tail));
    double z = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    for (int step = 0; step < 3; ++step) {
        const double upper = 0.5 * std::erfc(z / std::numbers::sqrt2);
        const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
        z += upper / density * std::log(upper / tail);
    }
    return flip ? -z : z;
}

double log_normal_tail(double z) {
    return z < 30 ? std::log(0.5 * std::erfc(z / std::numbers::sqrt2))
                  : -z * z / 2 - std::log(z * std::sqrt(2 * std::numbers::pi));
}

// From here on the cube root of chi²/df is normal (Wilson & Hilferty 1931) to more digits than anyone can use, and the
// series would take too many terms.
constexpr double normal_from = 1e10;

double cube_root_scale(double df) {
    return 2 / (9 * df);
}

} // namespace

double chi_square_tail(double x, double df) {
    if (df <= 0)
        return 1.0;
    if (df < normal_from)
        return incomplete_gamma(df / 2, x / 2).upper;
    const double s = cube_root_scale(df);
    return 0.5 * std::erfc((std::cbrt(x / df) - (1 - s)) / std::sqrt(2 * s));
}

double log_chi_square_tail(double x, double df) {
    if (x <= 0)
        return 0.0;
    const double a = df / 2, half = x / 2;
    if (df >= normal_from) {
        const double s = cube_root_scale(df);
        return log_normal_tail((std::cbrt(x / df) - (1 - s)) / std::sqrt(s));
    }
    if (lower_side(a, half))
        return std::log(incomplete_gamma(a, half).upper);
    return std::min(0.0, log_weight(a, half) + std::log(a * upper_factor(a, half) / weight_divisor(a)));
}

double log_chi_square_lower_tail(double x, double df) {
    const double a = df / 2, half = x / 2;
    if (df >= normal_from) {
        const double s = cube_root_scale(df);
        return log_normal_tail(((1 - s) - std::cbrt(x / df)) / std::sqrt(s));
    }
    if (!lower_side(a, half))
        return std::log1p(-incomplete_gamma(a, half).upper);
    return std::min(0.0, log_weight(a, half) + std::log(lower_factor(a, half) / weight_divisor(a)));
}

double chi_square_quantile(double alpha, double df) {
    if (df <= 0)
        return 0.0;
    const double a = df / 2;
    const double s = cube_root_scale(df), cube = 1 - s + normal_quantile(alpha) * std::sqrt(s);
    if (df >= normal_from)
        return df * cube * cube * cube;
    double x = a * std::max(cube * cube * cube, 1e-4);
    double low = 0, high = std::numeric_limits<double>::infinity();
    // Newton on the logarithm of the smaller tail, which is nearly straight far out, inside a bracket that only
    // shrinks.
    for (int step = 0; step < 200; ++step) {
        const Tails tails = incomplete_gamma(a, x);
        const double tail = alpha < 0.5 ? tails.upper : tails.lower;
        const double log_error = std::log(tail / (alpha < 0.5 ? alpha : 1 - alpha));
        const double error = alpha < 0.5 ? log_error : -log_error; // falls with x
        (error > 0 ? low : high) = x;
        const double density = poisson_weight(a, x) * a / x;
        double next = density > 0 ? x + error * tail / density : 0;
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
    return std::bit_cast<double>(by_df_.get(std::bit_cast<std::uint64_t>(df), [&] {
        return std::bit_cast<std::uint64_t>(chi_square_quantile(alpha_, df));
    }));
}

} // namespace bitsep
