#include "bitsep/statistic.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numbers>
#include <type_traits>
#include <vector>

namespace bitsep {

namespace {

double rounding_bits(std::int64_t n) { // eps n log2 n
    return std::numeric_limits<double>::epsilon() * XLog2X::table().get<WideSum>(static_cast<std::uint64_t>(n)).bits();
}

// Whether the sums of a test may not fit into one word. None exceeds n log2(kx ky) bits, and X² is below n min(kx, ky).
bool needs_wide_sums(const Test& test, std::int64_t kx, std::int64_t ky, std::uint64_t rows) {
    const auto width = [](std::int64_t k) {
        return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(k)));
    };
    std::int64_t per_row = width(kx) + width(ky);
    if (test.method == Method::x2)
        per_row = std::max(per_row, std::min(kx, ky));
    return static_cast<double>(rows) * static_cast<double>(per_row) >= max_unit_bits;
}

// The next multiple of a power of two.
double rounded_to(double grid, double value) {
    constexpr double to_integer = 0x1.8p52; // adding it leaves no fraction, ties go to even
    const double steps = value / grid;
    return std::abs(steps) < 0x1p51 ? ((steps + to_integer) - to_integer) * grid + 0.0 : value; // never -0
}

} // namespace

double zero_bits(std::int64_t n) {
    if (n < 1 << 20) // 8 eps n log2 n < 1e-7
        return 1e-7;
    return std::max(1e-7, 8 * rounding_bits(n));
}

double rounded_score(double score_bits, std::int64_t n) {
    constexpr double grid = 0x1p-30;
    if (n < 1 << 15) // 4 eps n log2 n < 2^-30
        return rounded_to(grid, score_bits);
    int exponent;
    std::frexp(4 * rounding_bits(n), &exponent);
    return rounded_to(std::max(grid, std::ldexp(1.0, exponent)), score_bits);
}

Accumulator::Accumulator(const Test& test, std::int64_t kx, std::int64_t ky, std::uint64_t rows,
                         std::int64_t observed_pairs)
    : test_(test), x_log2_x(XLog2X::table()), kx_(static_cast<double>(kx)), ky_(static_cast<double>(ky)),
      wide_(needs_wide_sums(test, kx, ky, rows)) {
    if (test.method == Method::sci_f || test.method == Method::sci_fs) {
        regret_x_ = RegretOfSize(kx);
        regret_y_ = RegretOfSize(ky);
    }
    if (test.method == Method::sci_fs)
        regret_xy_ = RegretOfSize(test.observed_xy ? observed_pairs : kx * ky);
}

template <class Sum>
Accumulator::Sums<Sum>& Accumulator::sums() {
    if constexpr (std::is_same_v<Sum, NarrowSum>)
        return narrow_sums_;
    else
        return wide_sums_;
}

// The each_* arguments call back with every count, cell with its margins, or margin; empty ones may be left out or come
// as zero, because their terms are zero.
template <class Sum, class EachCount, class EachCell, class EachRow, class EachColumn>
void Accumulator::add(EachCount&& each_count, EachCell&& each_cell, EachRow&& each_row, EachColumn&& each_column,
                      std::uint64_t total) {
    ++strata_;
    n_ += total;
    Sums<Sum>& all = sums<Sum>();
    Sum cells, rows, columns;
    each_count([&](std::uint64_t count) { cells += x_log2_x.get<Sum>(count); });
    switch (test_.method) {
    case Method::sci_f: { // P_f(X | Z, Y) - P_f(X | Z), and the other way round
        Sum given_y, given_x;
        each_row([&](std::uint64_t count) {
            rows += x_log2_x.get<Sum>(count);
            given_x += regret_y_.get<Sum>(count);
        });
        each_column([&](std::uint64_t count) {
            columns += x_log2_x.get<Sum>(count);
            given_y += regret_x_.get<Sum>(count);
        });
        all.penalty_x += given_y - regret_x_.get<Sum>(total);
        all.penalty_y += given_x - regret_y_.get<Sum>(total);
        break;
    }
    case Method::g2_adjusted:
    case Method::x2: {
        int occupied_rows = 0, occupied_columns = 0;
        each_row([&](std::uint64_t count) {
            rows += x_log2_x.get<Sum>(count);
            occupied_rows += count != 0;
        });
        each_column([&](std::uint64_t count) {
            columns += x_log2_x.get<Sum>(count);
            occupied_columns += count != 0;
        });
        adjusted_df_ += static_cast<double>(occupied_rows - 1) * static_cast<double>(occupied_columns - 1);
        if (test_.method == Method::x2 && occupied_rows > 1 && occupied_columns > 1) {
            // sum of (N - E)² / E over cells = sum of n_z N² / (row · column) - n_z
            const auto rows_of_stratum = static_cast<double>(total);
            Sum squares;
            each_cell([&](std::uint64_t count, std::uint64_t row, std::uint64_t column) {
                if (count != 0) {
                    const auto value = static_cast<double>(count);
                    squares += Sum::of_small(value * value * rows_of_stratum /
                                             (static_cast<double>(row) * static_cast<double>(column)));
                }
            });
            all.x2 += squares - Sum::of(rows_of_stratum);
        }
        break;
    }
    default:
        each_row([&](std::uint64_t count) { rows += x_log2_x.get<Sum>(count); });
        each_column([&](std::uint64_t count) { columns += x_log2_x.get<Sum>(count); });
        if (test_.method == Method::sci_fs) // Eq. (scifs)
            all.penalty_x += regret_xy_.get<Sum>(total) - regret_x_.get<Sum>(total) - regret_y_.get<Sum>(total);
        break;
    }
    // n_z I(X; Y | z): exactly zero where X or Y is constant in the stratum; rounding of the terms may make it slightly
    // negative elsewhere.
    all.information += ((cells - rows) + (x_log2_x.get<Sum>(total) - columns)).or_zero();
}

// Numbers of levels known to the compiler (0: not) make straight code of the loops: with a few cells per stratum, the
// time is in guessing where a loop ends.
template <int KX, int KY, class Count, class Sum>
void Accumulator::add_tables(const DenseCounts<Count>& counts) {
    const int kx = KX != 0 ? KX : static_cast<int>(kx_), ky = KY != 0 ? KY : static_cast<int>(ky_);
    std::array<Count, KX * KY + KX + KY> small;
    Count* cells = small.data();
    if constexpr (KX == 0) {
        thread_local std::vector<Count> large;
        large.resize(static_cast<std::size_t>(kx) * static_cast<std::size_t>(ky + 1) + static_cast<std::size_t>(ky));
        cells = large.data();
    }
    Count *rows = cells + kx * ky, *columns = rows + kx;
    const auto each_count = [=](auto&& take) {
        for (int cell = 0; cell < kx * ky; ++cell)
            take(cells[cell]);
    };
    const auto each_cell = [=](auto&& take) {
        for (int x = 0; x < kx; ++x)
            for (int y = 0; y < ky; ++y)
                take(cells[x * ky + y], rows[x], columns[y]);
    };
    const auto each_row = [=](auto&& take) {
        for (int x = 0; x < kx; ++x)
            take(rows[x]);
    };
    const auto each_column = [=](auto&& take) {
        for (int y = 0; y < ky; ++y)
            take(columns[y]);
    };
    counts.each_stratum([&](const Count* stratum) {
        Count total = 0;
        for (int y = 0; y < ky; ++y)
            columns[y] = 0;
        for (int x = 0; x < kx; ++x) {
            const Count* source = stratum + static_cast<std::size_t>(x) * counts.step_x;
            Count row = 0;
            for (int y = 0; y < ky; ++y) {
                const Count count = source[static_cast<std::size_t>(y) * counts.step_y];
                cells[x * ky + y] = count;
                columns[y] += count;
                row += count;
            }
            rows[x] = row;
            total += row;
        }
        if (total != 0)
            add<Sum>(each_count, each_cell, each_row, each_column, total);
    });
}

template <class Count>
void Accumulator::add_dense(const DenseCounts<Count>& counts) {
    using Add = void (Accumulator::*)(const DenseCounts<Count>&);
    static constexpr Add by_levels[3][3] = {
        {&Accumulator::add_tables<2, 2, Count, NarrowSum>, &Accumulator::add_tables<2, 3, Count, NarrowSum>,
         &Accumulator::add_tables<2, 4, Count, NarrowSum>},
        {&Accumulator::add_tables<3, 2, Count, NarrowSum>, &Accumulator::add_tables<3, 3, Count, NarrowSum>,
         &Accumulator::add_tables<3, 4, Count, NarrowSum>},
        {&Accumulator::add_tables<4, 2, Count, NarrowSum>, &Accumulator::add_tables<4, 3, Count, NarrowSum>,
         &Accumulator::add_tables<4, 4, Count, NarrowSum>},
    };
    const auto x = static_cast<std::size_t>(kx_) - 2, y = static_cast<std::size_t>(ky_) - 2;
    if (wide_)
        add_tables<0, 0, Count, WideSum>(counts);
    else if (x < 3 && y < 3)
        (this->*by_levels[x][y])(counts);
    else
        add_tables<0, 0, Count, NarrowSum>(counts);
}

template void Accumulator::add_dense(const DenseCounts<std::uint32_t>&);
template void Accumulator::add_dense(const DenseCounts<std::uint64_t>&);

void Accumulator::add_sparse(std::span<const Cell> cells, std::span<const Margin> rows, std::span<const Margin> columns,
                             std::uint64_t total) {
    if (wide_)
        add_occupied<WideSum>(cells, rows, columns, total);
    else
        add_occupied<NarrowSum>(cells, rows, columns, total);
}

template <class Sum>
void Accumulator::add_occupied(std::span<const Cell> cells, std::span<const Margin> rows,
                               std::span<const Margin> columns, std::uint64_t total) {
    const auto each_margin = [](std::span<const Margin> margins) {
        return [margins](auto&& take) {
            for (const Margin& margin : margins)
                take(margin.count);
        };
    };
    add<Sum>(
        [=](auto&& take) {
            for (const Cell& cell : cells)
                take(cell.count);
        },
        [=](auto&& take) {
            const auto by_level = [](const Margin& margin, std::int64_t level) { return margin.level < level; };
            auto row = rows.begin();
            for (const Cell& cell : cells) {
                while (row->level != cell.x)
                    ++row;
                const auto column = std::lower_bound(columns.begin(), columns.end(), cell.y, by_level);
                take(cell.count, row->count, column->count);
            }
        },
        each_margin(rows), each_margin(columns), total);
}

Record Accumulator::finish(double product_z, RegretOfRows& regrets) const {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double bits_per_chi_square = 1 / (2 * std::numbers::ln2); // G² = 2 ln 2 · n · CMI
    const double z = test_.product_z ? product_z : static_cast<double>(strata_);
    const auto n = static_cast<std::int64_t>(n_);
    const auto bits = [this](auto which) { return wide_ ? which(wide_sums_).bits() : which(narrow_sums_).bits(); };

    Record record;
    record.n = n;
    record.strata = strata_;
    record.information_bits = bits([](const auto& sums) { return sums.information; });
    record.statistic = nan;
    record.df = nan;
    double evidence = record.information_bits;

    switch (test_.method) {
    case Method::sci_f:
        // SCI_f is the larger of both directions: the one with the smaller threshold.
        record.threshold_bits = std::min(bits([](const auto& sums) { return sums.penalty_x; }),
                                         bits([](const auto& sums) { return sums.penalty_y; })) +
                                test_.extra_bits;
        break;
    case Method::sci_fs:
        record.threshold_bits = bits([](const auto& sums) { return sums.penalty_x; }) + test_.extra_bits;
        break;
    case Method::sci_q: {
        const auto rows = static_cast<double>(n);
        record.threshold_bits = test_.extra_bits;
        if (z <= 0x1p60 * rows * rows) // beyond, the regrets cancel (see log2_regret)
            record.threshold_bits += (regrets(n, kx_ * ky_ * z) - regrets(n, std::max(kx_, ky_) * z)) -
                                     (regrets(n, std::min(kx_, ky_) * z) - regrets(n, z));
        break;
    }
    case Method::cmi:
        record.threshold_bits = static_cast<double>(n) * test_.cmi_threshold;
        break;
    case Method::jic:
        record.threshold_bits = n > 0 ? (kx_ - 1) * (ky_ - 1) * z / 2 * std::log2(static_cast<double>(n)) : 0.0;
        break;
    default: { // a chi-square threshold on G², X², or half of it
        const double x2 = bits([](const auto& sums) { return sums.x2; });
        record.df = test_.method == Method::g2_adjusted ? adjusted_df_ : (kx_ - 1) * (ky_ - 1) * z;
        record.statistic = test_.method == Method::x2 ? x2 : record.information_bits / bits_per_chi_square;
        const double share = test_.method == Method::cmi_gamma_halved ? 0.5 : 1.0;
        record.threshold_bits = (*test_.thresholds)(record.df) * bits_per_chi_square * share;
        if (test_.method == Method::x2)
            evidence = x2 * bits_per_chi_square;
        if (static_cast<double>(n) < test_.min_rows_per_df * record.df)
            record.threshold_bits = std::numeric_limits<double>::infinity();
    }
    }
    record.score_bits = rounded_score(evidence - record.threshold_bits, n);
    record.independent = record.score_bits <= zero_bits(n);
    return record;
}

} // namespace bitsep
