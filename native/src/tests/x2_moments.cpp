// X² = n Σ_st A(s,t) B(πs,πt), where s and t are rows of the data, π is a random permutation and A = Σ_i 1_i 1_iᵀ / R_i
// - 1 1ᵀ / n projects on the centered indicators of the levels of X (B: of Y). A power of the sum is expanded into
// patterns of equal and different indices. Because A² = A and A 1 = 0, what remains of a pattern depends on the margin
// through r, Σ 1/R_i and Σ 1/R_i² only, and the cumulants are bilinear forms in the few numbers of MarginTerms
// (docs/mathematics.md).
#include "x2_moments.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>
#include <vector>

namespace bitsep {

namespace {

constexpr std::uint64_t formula_from = Margin::formula_from;

struct MarginTerms {
    MarginTerms(double n, const Margin& margin) {
        const auto r = static_cast<double>(margin.levels);
        u = r - 1;
        a = u * (n - r) / (n - 1);
        v = margin.v;
        w = margin.w;
    }
    double u, a, v, w;
};

Cumulants by_formula(double n, const Margin& rows, const Margin& columns) {
    MarginTerms x(n, rows), y(n, columns);
    if (std::tie(y.u, y.v, y.w) < std::tie(x.u, x.v, x.w)) // products round in another order if X and Y change places
        std::swap(x, y);
    const double m = n - 1, d = (n - 2) * (n - 3);
    const double x_au = x.a * x.u, y_au = y.a * y.u, x_uv = x.u * x.v, y_uv = y.u * y.v;
    Cumulants k;
    k.mean = n * x.u * y.u / m;
    k.variance = n / d * (2 * (n - 2) * x.a * y.a - 2 * (x.a * y.v + x.v * y.a) + (n + 1) / m * x.v * y.v);
    const double aa = 4 * m * m * m * (((2 * n - 13) * n + 28) * n - 16);
    const double a_au = -4 * m * m * (((5 * n - 27) * n + 44) * n - 16);
    const double a_v = -4 * m * m * (((7 * n - 25) * n + 30) * n - 8);
    const double a_uv = 12 * m * m * (n - 2) * (5 * n - 4);
    const double a_w = 4 * m * m * m * (5 * n - 4);
    const double au_au = 4 * m * ((((n + 4) * n - 37) * n + 60) * n - 16);
    const double au_v = 4 * m * m * (((n + 13) * n - 30) * n + 8);
    const double au_uv = -12 * m * (n - 2) * ((n + 9) * n - 4);
    const double au_w = -4 * m * m * ((n + 9) * n - 4);
    const double v_v = 2 * m * ((((11 * n + 2) * n - 43) * n + 46) * n - 8);
    const double v_uv = -6 * m * (((7 * n + 11) * n - 30) * n + 8);
    const double v_w = -2 * m * m * ((11 * n + 13) * n - 4);
    const double uv_uv = 18 * (((5 * n + 5) * n - 22) * n + 8);
    const double uv_w = 6 * m * ((7 * n + 9) * n - 4);
    const double w_w = m * (n + 1) * ((n + 15) * n - 4);
    const double left_a = aa * x.a + a_au * x_au + a_v * x.v + a_uv * x_uv + a_w * x.w;
    const double left_au = a_au * x.a + au_au * x_au + au_v * x.v + au_uv * x_uv + au_w * x.w;
    const double left_v = a_v * x.a + au_v * x_au + v_v * x.v + v_uv * x_uv + v_w * x.w;
    const double left_uv = a_uv * x.a + au_uv * x_au + v_uv * x.v + uv_uv * x_uv + uv_w * x.w;
    const double left_w = a_w * x.a + au_w * x_au + v_w * x.v + uv_w * x_uv + w_w * x.w;
    k.third = (left_a * y.a + left_au * y_au + left_v * y.v + left_uv * y_uv + left_w * y.w) /
              (m * m * d * (n - 4) * (n - 5));
    return k;
}

// For fewer rows: over all permutations, tabulated by the squares of the margins, which differ for all partitions of
// up to five.
class FewRows {
public:
    FewRows() {
        for (int n = 2; n < static_cast<int>(formula_from); ++n) {
            std::vector<std::vector<int>> partitions;
            std::vector<int> parts;
            add_partitions(partitions, parts, n, n);
            for (const auto& rows : partitions)
                for (const auto& columns : partitions)
                    table_[place(n, squares_of(rows), squares_of(columns))] = over_permutations(n, rows, columns);
        }
    }
    const Cumulants& get(std::uint64_t n, std::uint64_t row_squares, std::uint64_t column_squares) const {
        return table_[place(static_cast<int>(n), static_cast<int>(row_squares), static_cast<int>(column_squares))];
    }

private:
    static constexpr std::size_t sums = 11; // (Σ R² - n) / 2 is at most 10
    static std::size_t place(int n, int row_squares, int column_squares) {
        return (static_cast<std::size_t>(n - 2) * sums + static_cast<std::size_t>(row_squares - n) / 2) * sums +
               static_cast<std::size_t>(column_squares - n) / 2;
    }
    static int squares_of(const std::vector<int>& parts) {
        int sum = 0;
        for (const int part : parts)
            sum += part * part;
        return sum;
    }
    static void add_partitions(std::vector<std::vector<int>>& found, std::vector<int>& parts, int rest, int largest) {
        if (rest == 0)
            found.push_back(parts);
        for (int part = std::min(rest, largest); part > 0; --part) {
            parts.push_back(part);
            add_partitions(found, parts, rest - part, part);
            parts.pop_back();
        }
    }
    static Cumulants over_permutations(int n, const std::vector<int>& rows, const std::vector<int>& columns) {
        std::vector<std::size_t> x, y;
        for (std::size_t level = 0; level < rows.size(); ++level)
            x.insert(x.end(), static_cast<std::size_t>(rows[level]), level);
        for (std::size_t level = 0; level < columns.size(); ++level)
            y.insert(y.end(), static_cast<std::size_t>(columns[level]), level);
        std::vector<double> values;
        do { // every table as often as any other permutation gives it
            std::array<std::array<int, 5>, 5> cells{};
            for (std::size_t row = 0; row < x.size(); ++row)
                ++cells[x[row]][y[row]];
            double x2 = -n;
            for (std::size_t i = 0; i < rows.size(); ++i)
                for (std::size_t j = 0; j < columns.size(); ++j)
                    x2 += static_cast<double>(n * cells[i][j] * cells[i][j]) / (rows[i] * columns[j]);
            values.push_back(x2);
        } while (std::next_permutation(y.begin(), y.end()));
        const auto count = static_cast<double>(values.size());
        Cumulants k;
        for (const double value : values)
            k.mean += value / count;
        for (const double value : values) {
            const double d = value - k.mean;
            k.variance += d * d / count;
            k.third += d * d * d / count;
        }
        if (k.variance < 1e-12) // rounding of a constant
            k.variance = k.third = 0;
        return k;
    }

    std::array<Cumulants, (formula_from - 2) * sums * sums> table_{};
};

} // namespace

Cumulants x2_cumulants(std::uint64_t n, const Margin& rows, const Margin& columns) {
    static const FewRows few_rows;
    return n < formula_from ? few_rows.get(n, rows.squares, columns.squares)
                            : by_formula(static_cast<double>(n), rows, columns);
}

} // namespace bitsep
