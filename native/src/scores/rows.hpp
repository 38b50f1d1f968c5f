// How a score is written: a code, which says what is added up in each stratum of the parents and how the sums become a
// length.
//
//   struct MyCode {
//       explicit MyCode(const Settings&);                       // the options
//       MyTerms<Sum> terms<Sum>(const Family&) const;           // has add(row, total) for every occupied stratum
//       double finish(const MyTerms<Sum>&, const Family&, std::int64_t n) const; // the length in bits
//   };
//   entry<MyCode>("my_score", "a line about it", equivalent, {options}) // in the list of the file
//
// Sums are sums of integers (fixed_point.hpp), so that the order of strata, parents and levels changes nothing.
#pragma once

#include <utility>

#include "bitsep/complexity.hpp"
#include "bitsep/score.hpp"

namespace bitsep {

// A variable and its parents: the number of its levels, and the product of the domain sizes of the parents.
struct Family {
    std::int64_t levels;
    double parents;
};

// The counts of Y in one stratum of a dense table. K: the number of levels if the compiler knows it, else 0.
template <int K, class Count>
struct DenseRow {
    const Count* cells;
    std::size_t step;
    int levels;

    template <class Take>
    void each(Take&& take) const {
        for (int y = 0; y < (K != 0 ? K : levels); ++y)
            take(static_cast<std::uint64_t>(cells[static_cast<std::size_t>(y) * step]));
    }
};

struct OccupiedRow {
    std::span<const OccupiedStratum::Cell> cells;

    template <class Take>
    void each(Take&& take) const {
        for (const auto& cell : cells)
            take(cell.count);
    }
};

template <class Terms>
struct RowSums {
    Terms terms;
    std::uint64_t n = 0;

    template <class Row>
    void add(const Row& row) {
        std::uint64_t total = 0;
        row.each([&](std::uint64_t count) { total += count; });
        if (total == 0)
            return;
        n += total;
        terms.add(row, total);
    }

    template <int K, class Count>
    static void add_dense(RowSums& sums, const DenseCounts<Count>& counts, const Sizes& sizes) {
        counts.each_stratum([&](const Count* stratum) {
            for (std::int64_t x = 0; x < sizes.kx; ++x)
                sums.add(DenseRow<K, Count>{stratum + static_cast<std::size_t>(x) * counts.step_x, counts.step_y,
                                            static_cast<int>(sizes.ky)});
        });
    }
    template <class Count>
    void add_all(const DenseCounts<Count>& counts, const Sizes& sizes) {
        switch (sizes.ky) {
        case 2:
            return add_dense<2>(*this, counts, sizes);
        case 3:
            return add_dense<3>(*this, counts, sizes);
        case 4:
            return add_dense<4>(*this, counts, sizes);
        default:
            return add_dense<0>(*this, counts, sizes);
        }
    }
    void add_all(const OccupiedCells& counts, const Sizes&) {
        counts.each_stratum([this](const OccupiedStratum& stratum) {
            for (std::size_t begin = 0, end; begin < stratum.cells.size(); begin = end) {
                for (end = begin + 1; end < stratum.cells.size() && stratum.cells[end].x == stratum.cells[begin].x;)
                    ++end;
                add(OccupiedRow{stratum.cells.subspan(begin, end - begin)});
            }
        });
    }
};

// The score that a code makes.
template <class C>
class CodeScore final : public Score {
public:
    explicit CodeScore(const Settings& settings) : code_(settings) {}

    Length length(const DenseCounts<std::uint32_t>& counts, const Sizes& sizes) const override {
        return of(counts, sizes);
    }
    Length length(const DenseCounts<std::uint64_t>& counts, const Sizes& sizes) const override {
        return of(counts, sizes);
    }
    Length length(const OccupiedCells& counts, const Sizes& sizes) const override { return of(counts, sizes); }

private:
    template <class Counts>
    Length of(const Counts& counts, const Sizes& sizes) const {
        // No code adds more than 64 bits per row: a logarithm of a count and a regret.
        return static_cast<double>(sizes.rows) * 64 < max_unit_bits ? with<NarrowSum>(counts, sizes)
                                                                    : with<WideSum>(counts, sizes);
    }
    template <class Sum, class Counts>
    Length with(const Counts& counts, const Sizes& sizes) const {
        const Family family{sizes.ky, static_cast<double>(sizes.kx) * sizes.product_z};
        using Terms = decltype(code_.template terms<Sum>(family));
        RowSums<Terms> sums{code_.template terms<Sum>(family)};
        sums.add_all(counts, sizes);
        const auto n = static_cast<std::int64_t>(sums.n);
        return n == 0 ? Length{} : Length{code_.finish(sums.terms, family, n), n};
    }

    C code_;
};

template <class C>
ScoreEntry entry(std::string_view name, std::string_view title, bool equivalent, std::vector<Option> options = {}) {
    return {name, title, equivalent, std::move(options), [](const Settings& settings) -> std::unique_ptr<const Score> {
                return std::make_unique<CodeScore<C>>(settings);
            }};
}

std::vector<ScoreEntry> maximum_likelihood_scores(); // maximum_likelihood.cpp
std::vector<ScoreEntry> bayesian_scores();           // bayesian.cpp

} // namespace bitsep
