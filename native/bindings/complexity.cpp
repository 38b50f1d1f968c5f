#include "bitsep/complexity.hpp"
#include "bitsep/chi_square.hpp"
#include "bitsep/record.hpp"
#include "gil.hpp"

#include <nanobind/stl/vector.h>

namespace bitsep::bindings {

namespace {

// f(a[i], b[i]) for arrays of the same length.
template <class A, class B, class F>
Out<double> map_pairs(const In<A>& a, const In<B>& b, F&& f) {
    if (a.shape(0) != b.shape(0))
        throw std::invalid_argument("arrays: must have the same length.");
    std::vector<double> result(a.shape(0));
    {
        const ReleasedGil released; // pure arithmetic on arrays the caller holds
        for (std::size_t i = 0; i < result.size(); ++i)
            result[i] = f(a.data()[i], b.data()[i]);
    }
    return array_of(std::move(result));
}

} // namespace

void register_complexity(nb::module_& m) {
    m.def(
        "log2_regret",
        [](const In<std::int64_t>& n, const In<double>& k) {
            return map_pairs(n, k, [](std::int64_t rows, double size) { return log2_regret(rows, size); });
        },
        nb::arg("n"), nb::arg("k"), "log2 of the multinomial regret C(n, k), element by element.");
    m.def(
        "chi_square_tail", [](const In<double>& x, const In<double>& df) { return map_pairs(x, df, chi_square_tail); },
        nb::arg("x"), nb::arg("df"), "Upper tail of the chi-square distribution, element by element.");
    m.def(
        "chi_square_quantile",
        [](const In<double>& alpha, const In<double>& df) { return map_pairs(alpha, df, chi_square_quantile); },
        nb::arg("alpha"), nb::arg("df"), "The value whose upper tail is alpha, element by element.");
    m.def(
        "domain_product", [](const std::vector<std::int64_t>& sizes) { return domain_product(sizes); },
        nb::arg("sizes"), "The product of domain sizes in any order, at most 1e280.");
    m.def("rounded_score", &rounded_score, nb::arg("score_bits"), nb::arg("n"),
          "A score on the grid that makes ties exact.");
    m.def("zero_bits", &zero_bits, nb::arg("n"), "A score up to this is zero within rounding.");
}

} // namespace bitsep::bindings
