// The chi-square distribution: tails and the inverse of the upper one.
#pragma once

#include "bitsep/memo.hpp"

namespace bitsep {

// P(chi² with df degrees of freedom >= x). df = 0: 1.
double chi_square_tail(double x, double df);

// ln P(chi² >= x), and ln P(chi² < x): also where the probability itself would round to zero. Only for df > 0.
double log_chi_square_tail(double x, double df);
double log_chi_square_lower_tail(double x, double df);

// The x with chi_square_tail(x, df) = alpha. df = 0: 0.
double chi_square_quantile(double alpha, double df);

// Quantiles of one alpha by df, cached.
class ChiSquareThresholds {
public:
    explicit ChiSquareThresholds(double alpha) : alpha_(alpha), by_df_(12) {}
    double operator()(double df) const;

private:
    double alpha_;
    Memo by_df_;
};

} // namespace bitsep
