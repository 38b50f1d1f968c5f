// n (n-3) U = Σ_{s≠t} A(s,t) B(πs,πt), where s and t are rows of the data, π is a random permutation, and A has the
// weight of the level where both rows have the same one, else 0, less its means such that its diagonal and its rows sum
// to zero: A(s,t) = a [same level] + v_s + v_t. A power of the sum is expanded into patterns of equal and different
// indices; because the rows of A sum to zero, every pattern is a multiple of Σ A², or of Σ A³ and tr A³
// (docs/mathematics.md).
#include "u_moments.hpp"

#include <algorithm>
#include <array>

namespace bitsep {

// The centered matrix is zero then: without its diagonal, all values are equal, or but for one row and column.
bool u_is_zero(std::span<const std::uint64_t> counts) {
    return counts.size() < 2 || counts[0] == 1 || (counts.size() == 2 && counts[1] == 1);
}

UMargin::UMargin(std::span<const std::uint64_t> counts, double levels, double n) {
    for (const std::uint64_t count : counts) {
        const auto r = static_cast<double>(count);
        pairs += u_weight(r, levels, n) * r * (r - 1);
    }
    const double half = pairs / ((n - 1) * (n - 2)) / 2;
    const auto deviation = [&](double r, double weight) { return half - weight * (r - 1) / (n - 2); };
    std::array<double, 4> power{}; // Σ v^k over rows of the data
    for (const std::uint64_t count : counts) {
        const auto r = static_cast<double>(count);
        const double v = deviation(r, u_weight(r, levels, n));
        power[1] += r * v;
        power[2] += r * v * v;
        power[3] += r * v * v * v;
    }
    // As a matrix, A is a block of a + diagonal -same for each level, plus v 1ᵀ + 1 vᵀ, which is orthogonal to A².
    for (const std::uint64_t count : counts) {
        const auto r = static_cast<double>(count);
        const double a = u_weight(r, levels, n), v = deviation(r, a);
        const double same = a + 2 * v, other = 2 * v, eigenvalue = a * r - same;
        squares += r * (r - 1) * a * same;
        cubes += r * (r - 1) * (same * same * same - other * other * other);
        triangles += eigenvalue * eigenvalue * eigenvalue - (r - 1) * same * same * same +
                     r * eigenvalue * (4 * eigenvalue * v + 2 * power[1] * v + n * v * v + power[2]);
    }
    cubes += (2 * n - 8) * power[3] + 6 * power[1] * power[2];
}

Cumulants u_cumulants(double n, const UMargin& rows, const UMargin& columns) {
    std::array<double, 7> f{1}; // 1 / (n (n-1) ... ), 0 where there are not as many different rows
    for (std::size_t k = 1; k < f.size(); ++k) {
        const double factor = n - static_cast<double>(k) + 1;
        f[k] = factor > 0 ? f[k - 1] / factor : 0;
    }
    const double c = rows.cubes, d = rows.triangles, cc = columns.cubes, dd = columns.triangles, m = n - 3;
    Cumulants k;
    k.variance = rows.squares * columns.squares * (2 * f[2] + 4 * f[3] + 4 * f[4]) / (m * m);
    k.third = (c * cc * (4 * f[2] + 24 * f[3] + 56 * f[4]) + d * dd * (8 * f[3]) + (c - d) * (cc - dd) * (24 * f[4]) +
               (d - 2 * c) * (dd - 2 * cc) * (48 * f[5]) + (2 * c - d) * (2 * cc - dd) * (64 * f[6])) /
              (m * m * m);
    return k;
}

} // namespace bitsep
