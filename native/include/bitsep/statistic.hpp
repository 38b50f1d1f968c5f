// The statistics of all tests, each written once, on the counts of one stratum at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "bitsep/chi_square.hpp"
#include "bitsep/complexity.hpp"

namespace bitsep {

enum class Method { sci_f, sci_q, sci_fs, cmi, cmi_gamma, cmi_gamma_halved, jic, g2, g2_adjusted, x2 };

// What a test is asked to do. `alpha` applies to tests with a significance level; `extra_bits` is what a SCI test
// demands on top (the paper's sparsification).
struct Test {
    Method method = Method::sci_f;
    double alpha = 0.05;
    double extra_bits = 0.0;
    double cmi_threshold = 0.0;   // bits per row
    bool product_z = false;       // |Z| = product of domain sizes instead of observed joint values
    bool observed_xy = false;     // sci_fs: |XY| = observed pairs instead of |X||Y|
    double min_rows_per_df = 0.0; // fewer rows than this times df: independent
    std::shared_ptr<const ChiSquareThresholds> thresholds; // for `alpha`
};

// One finished test; the layout is that of RECORD in independence/engine.py.
struct Record {
    double score_bits = 0;
    double information_bits = 0;
    double threshold_bits = 0;
    double statistic = 0;
    double df = 0;
    std::int64_t n = 0;
    std::int64_t strata = 0;
    bool independent = false;
    char padding[7] = {};
};
static_assert(sizeof(Record) == 64);

// A score up to this is zero within rounding: max(1e-7, 8 eps n log2 n), eps = 2^-52.
double zero_bits(std::int64_t n);

// A score as a multiple of 2^-30 bits, or for large n of the next power of two above 4 eps n log2 n: scores that are
// equal but for rounding become equal.
double rounded_score(double score_bits, std::int64_t n);

// A dense table of counts, wherever the variables of the test lie in it: how far apart the cells of two neighboring
// levels are, for X, for Y and for each of Z, in order.
template <class Count>
struct DenseCounts {
    static constexpr std::size_t max_given = 8;
    struct Given {
        std::size_t levels, step;
    };
    const Count* cells;
    std::size_t step_x, step_y;
    std::span<const Given> given;

    // visit(cells of the stratum) for every stratum, the last of Z running fastest.
    template <class Visit>
    void each_stratum(Visit&& visit) const {
        std::array<std::size_t, max_given> digit{};
        const Count* stratum = cells;
        while (true) {
            visit(stratum);
            std::size_t i = given.size();
            while (i > 0) {
                --i;
                stratum += given[i].step;
                if (++digit[i] < given[i].levels)
                    break;
                if (i == 0)
                    return;
                stratum -= given[i].step * given[i].levels;
                digit[i] = 0;
            }
            if (given.empty())
                return;
        }
    }
};

// Sums of a test over its strata. They are sums of integers (fixed_point.hpp): the order of strata and cells changes
// nothing, and equal terms cancel exactly (Y a function of Z, constant columns).
class Accumulator {
public:
    // kx, ky: domain sizes; rows: at least the sum of all counts; observed_pairs: number of distinct (x, y) pairs in
    // the rows used, where the test needs it.
    Accumulator(const Test& test, std::int64_t kx, std::int64_t ky, std::uint64_t rows, std::int64_t observed_pairs);

    // All strata of a dense table.
    template <class Count>
    void add_dense(const DenseCounts<Count>& counts);

    // A stratum as its occupied cells in row-major order, with its occupied margins, ascending.
    struct Cell {
        std::int64_t x, y;
        std::uint64_t count;
    };
    struct Margin {
        std::int64_t level;
        std::uint64_t count;
    };
    void add_sparse(std::span<const Cell> cells, std::span<const Margin> rows, std::span<const Margin> columns,
                    std::uint64_t total);

    // product_z: the product of the domain sizes of Z.
    Record finish(double product_z, RegretOfRows& regrets) const;

private:
    template <class Sum>
    struct Sums {
        Sum information; // n * CMI in bits
        Sum penalty_x;   // P_f(X | Z, Y) - P_f(X | Z), or the whole threshold of sci_fs
        Sum penalty_y;   // P_f(Y | Z, X) - P_f(Y | Z)
        Sum x2;
    };
    template <class Sum>
    Sums<Sum>& sums();
    template <int KX, int KY, class Count, class Sum>
    void add_tables(const DenseCounts<Count>& counts);
    template <class Sum, class EachCount, class EachCell, class EachRow, class EachColumn>
    void add(EachCount&& each_count, EachCell&& each_cell, EachRow&& each_row, EachColumn&& each_column,
             std::uint64_t total);
    template <class Sum>
    void add_occupied(std::span<const Cell> cells, std::span<const Margin> rows, std::span<const Margin> columns,
                      std::uint64_t total);

    const Test& test_;
    const XLog2X& x_log2_x;
    double kx_, ky_;
    RegretOfSize regret_x_, regret_y_, regret_xy_;
    std::uint64_t n_ = 0;
    std::int64_t strata_ = 0;
    double adjusted_df_ = 0;
    bool wide_; // which of the two is used
    Sums<NarrowSum> narrow_sums_;
    Sums<WideSum> wide_sums_;
};

} // namespace bitsep
