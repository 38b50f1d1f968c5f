#include "bitsep/complexity.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <numbers>

namespace bitsep {

namespace {

// C(n, 2) = 1 + Q(n), Ramanujan's Q: Q(n) = sum over j >= 1 of n(n-1)...(n-j+1) / n^j.
double regret_of_two(double n) {
    constexpr double series_from = 4096;
    if (n < series_from) {
        // The terms fall like exp(-j^2 / 2n); what comes after a term below 1e-18 no longer changes the sum.
        double sum = 1.0, term = 1.0;
        for (double j = 1; j <= n && term > 1e-18; ++j) {
            sum += term;
            term *= (n - j) / n;
        }
        return sum;
    }
    // Asymptotic series of Q (Ramanujan; coefficients as given by Flajolet, Grabner, Kirschenhofer & Prodinger, 1995).
    const double root = std::sqrt(std::numbers::pi / (2 * n)), inverse = 1 / n;
    const double odd = root * (n + 1.0 / 12 + inverse * (1.0 / 288 - inverse * (139.0 / 51840)));
    const double even = -1.0 / 3 - inverse * (4.0 / 135 - inverse * (8.0 / 2835 + inverse * (16.0 / 8505)));
    return 1.0 + odd + even;
}

// Multiplies many factors >= 1 and takes one logarithm for hundreds of them.
class LogProduct {
public:
    void times(double factor) {
        product_ *= factor;
        if (product_ > 0x1p900) [[unlikely]] {
            product_ *= 0x1p-900;
            exponent_ += 900;
        }
    }
    double log2() const { return exponent_ + std::log2(product_); }

private:
    double product_ = 1.0, exponent_ = 0.0;
};

// C(n, k+2) = C(n, k+1) + (n/k) C(n, k) (Kontkanen & Myllymäki 2007), on the ratios r_j = C(n, j+1) / C(n, j):
// r_1 = C(n, 2), r_{j+1} = 1 + n / (j r_j). All terms are positive, so nothing cancels and errors die out.
double by_recurrence_in_k(double n, double k) {
    LogProduct c;
    double ratio = regret_of_two(n);
    for (double j = 1; j < k; ++j) {
        c.times(ratio);
        ratio = 1 + n / (j * ratio);
    }
    return c.log2();
}

// Mononen & Myllymäki (2008), the paper's Eq. (regretlin): C(n, k) is a sum of n + 1 terms m(j) with
// m(j) / m(j-1) = (n-j+1)(k+j-2) / (n j). From the inside out: S_j = 1 + a_{j+1} S_{j+1}.
double by_sum_over_n(double n, double k) {
    double sum = 1.0, one = 1.0, exponent = 0.0;
    for (double j = n; j >= 1; --j) {
        sum = one + sum * ((n - j + 1) * (k + j - 2) / (n * j));
        if (sum > 0x1p700) { // a factor is below k, and that below 2^170
            sum *= 0x1p-700;
            one *= 0x1p-700;
            exponent += 700;
        }
    }
    return exponent + std::log2(sum);
}

// -ln(1-u) - u without cancellation.
double log_beyond_first_order(double u) {
    if (u > 0.05)
        return -std::log1p(-u) - u;
    double sum = 0;
    for (int j = 14; j >= 2; --j)
        sum = sum * u + 1.0 / j;
    return sum * u * u;
}

// Both n and k large: C(n, k) = (n! / n^n) [z^n] (1 - T(z))^-k with T the tree function; with z = t e^-t this is the
// contour integral of exp(phi(t)) / t, phi(t) = n t - n ln t - (k-1) ln(1-t), around 0. Its saddle point is
// (1-t)^2 = c t, c = (k-1)/n. The expansion below keeps the first correction; the next is of order 1/min(n,k)^2.
double by_saddle_point(double n, double k) {
    const double c = (k - 1) / n;
    const double root = std::sqrt(c * (c + 4));
    const double t = 2 / (2 + c + root); // = (2 + c - root) / 2 without cancellation
    const double u = (c + root) * t / 2; // = 1 - t
    // With t = t0 e^s the integrand is exp(f(s)) ds; f(s) = n t - n ln t - (k-1) ln(1-t) as a function of s.
    // Derivatives by d/ds = t d/dt; w = t / (1-t).
    const double w = t / u, m = k - 1;
    const double f2 = n * t + m * w * (1 + w);
    const double f3 = n * t + m * w * (1 + w) * (1 + 2 * w);
    const double f4 = n * t + m * w * (1 + w) * (1 + 6 * w * (1 + w));
    const double correction = f4 / (8 * f2 * f2) - 5 * f3 * f3 / (24 * f2 * f2 * f2);
    // ln(n!/n^n) = -n + ln(2 pi n)/2 + 1/(12 n) - ...; phi(t) + that, written so that the -n cancels first:
    // n t - n - n ln t = n (-ln(1-u) - u).
    const double stirling = 0.5 * std::log(2 * std::numbers::pi * n) + 1 / (12 * n);
    const double shape = t > 0.5 ? log_beyond_first_order(u) : -std::log(t) - u;
    const double log_u = u > 0.5 ? std::log1p(-t) : std::log(u);
    const double nats =
        n * shape - m * log_u + stirling - 0.5 * std::log(2 * std::numbers::pi * f2) + std::log1p(correction);
    return nats / std::numbers::ln2;
}

} // namespace

double log2_regret(std::int64_t samples, double k) {
    const double n = static_cast<double>(samples);
    if (n == 0 || k <= 1)
        return 0.0;
    if (n == 1)
        return std::log2(k);
    if (k > 0x1p60 * n * n) // the last term of by_sum_over_n is all of the sum, and its factors are k / n
        return n * (std::log2(k) - std::log2(n));
    if (k <= n && k <= exact_regret_limit)
        return by_recurrence_in_k(n, k);
    if (n < k && n <= exact_regret_limit)
        return by_sum_over_n(n, k);
    return by_saddle_point(n, k);
}

double domain_product(std::span<const std::int64_t> sizes) {
    constexpr double largest = 1e280;
    const auto multiply = [=](std::span<const std::int64_t> factors) {
        double product = 1;
        for (const std::int64_t factor : factors)
            product = std::min(product * static_cast<double>(factor), largest);
        return product;
    };
    const double product = multiply(sizes);
    if (product < 0x1p53) // exact
        return product;
    std::vector<std::int64_t> ascending(sizes.begin(), sizes.end());
    std::sort(ascending.begin(), ascending.end()); // rounding depends on the order
    return multiply(ascending);
}

// What the whole process shares is made when the library is loaded, so that a process forked later finds it complete,
// and stays until the process ends: threads that are still counting at exit may use it.
const XLog2X& XLog2X::shared = *new XLog2X;

XLog2X::XLog2X() {
    small_[0] = 0;
    for (std::size_t x = 1; x < small_.size(); ++x)
        small_[x] = units_of(compute(x));
}

const XLog2X& XLog2X::table() {
    return shared;
}

template <class Sum>
Sum XLog2X::get_large(std::uint64_t x) const {
    if (x >= LazyTable::capacity)
        return Sum::of(compute(x));
    return Sum::of_units(large_.get(x, [](std::uint64_t y) { return units_of(compute(y)); }));
}

template NarrowSum XLog2X::get_large(std::uint64_t) const;
template WideSum XLog2X::get_large(std::uint64_t) const;

namespace {

constexpr int memo_bits = 19; // 8 MB at most
const Memo& regrets = *new Memo(memo_bits);

} // namespace

RegretOfSize::RegretOfSize(std::int64_t k) : k_(k) {
    // The key of the cache has 24 bits for n and 40 for k, and a value, at most n log2 k, is below 2^23 bits.
    const auto width = std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(k, 1)));
    if (width <= 40)
        cached_rows_ = (std::uint64_t{1} << 23) / static_cast<std::uint64_t>(width);
    constexpr std::size_t sizes = 128; // of 32 kB each
    static constinit std::array<std::atomic<Table*>, sizes> known{};
    if (k < 0 || static_cast<std::size_t>(k) >= sizes) {
        for (std::size_t n = 1; n < few_.size(); ++n)
            few_[n] = units(n);
        return;
    }
    auto& place = known[static_cast<std::size_t>(k)];
    table_ = place.load(std::memory_order_acquire);
    if (table_ != nullptr)
        return;
    auto fresh = std::make_unique<Table>();
    for (auto& entry : fresh->small)
        entry.store(k <= 1 ? 0 : -1, std::memory_order_relaxed);
    fresh->small[0].store(0, std::memory_order_relaxed);
    if (place.compare_exchange_strong(table_, fresh.get(), std::memory_order_acq_rel))
        table_ = fresh.release();
}

std::int64_t RegretOfSize::units(std::uint64_t n) const {
    return units_of(log2_regret(static_cast<std::int64_t>(n), static_cast<double>(k_)));
}

template <class Sum>
Sum RegretOfSize::get_other(std::uint64_t n) const {
    if (k_ <= 1 || n == 0)
        return Sum();
    if (n < small_counts && table_ != nullptr) {
        const std::int64_t value = units(n);
        table_->small[n].store(value, std::memory_order_relaxed);
        return Sum::of_units(value);
    }
    if (n < LazyTable::capacity && k_ <= max_lazy_size)
        return Sum::of_units(table_->large.get(n, [this](std::uint64_t m) { return units(m); }));
    if (n >= cached_rows_)
        return Sum::of(log2_regret(static_cast<std::int64_t>(n), static_cast<double>(k_)));
    const std::uint64_t key = static_cast<std::uint64_t>(k_) << 24 | n;
    return Sum::of_units(
        static_cast<std::int64_t>(regrets.get(key, [&] { return static_cast<std::uint64_t>(units(n)); })));
}

template NarrowSum RegretOfSize::get_other(std::uint64_t) const;
template WideSum RegretOfSize::get_other(std::uint64_t) const;

double RegretOfRows::operator()(std::int64_t n, double k) {
    if (n < 2 || k <= 1 || k > limit || k > static_cast<double>(n))
        return log2_regret(n, k);
    if (n != n_) {
        n_ = n;
        log2_c_.assign(1, 0.0);
        ratio_.assign(1, regret_of_two(static_cast<double>(n)));
    }
    const auto index = static_cast<std::size_t>(k) - 1;
    while (log2_c_.size() <= index) {
        const auto j = static_cast<double>(log2_c_.size());
        log2_c_.push_back(log2_c_.back() + std::log2(ratio_.back()));
        ratio_.push_back(1 + static_cast<double>(n) / (j * ratio_.back()));
    }
    return log2_c_[index];
}

} // namespace bitsep
