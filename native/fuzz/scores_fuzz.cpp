// Every score on small tables of counts of any magnitude: dense and occupied cells agree, the order of the strata of
// the parents changes nothing, and scores that are equivalent do not depend on the direction of an edge.
#include <cmath>

#include "cells.hpp"

using namespace bitsep;
using namespace bitsep::fuzz;

namespace {

struct Scores {
    std::vector<std::unique_ptr<const Score>> all;
    std::vector<bool> equivalent;

    Scores() {
        for (const ScoreEntry& entry : scores()) {
            all.push_back(make_score(entry.name));
            equivalent.push_back(entry.equivalent);
        }
        for (const double size : {1e-6, 0.5, 100.0, 1e6}) {
            all.push_back(make_score("bdeu", {{"sample_size", size}}));
            equivalent.push_back(true);
        }
    }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Scores known;
    Bytes bytes(data, size);
    const std::size_t number = bytes.below(static_cast<unsigned>(known.all.size()));
    const Score& score = *known.all[number];
    const RandomCells table(bytes, 6);
    const auto found = score_table(score, table.sizes, table.dense);
    require(identical(found, score_cells(score, table.sizes, table.stratum, table.x, table.y, table.count)),
            "dense and occupied cells give the same score");
    require(found.n == static_cast<std::int64_t>(table.sizes.rows), "n is the sum of the counts");
    require(std::isfinite(found.bits), "the score is finite");
    const double slack = 1e-9 * (1 + static_cast<double>(found.n)) * 64;
    require(found.bits >= -slack, "no code has a negative length");

    // The strata of the parents, x in the strata of Z, in reverse order.
    std::vector<std::int64_t> reversed(table.dense.size());
    const auto ky = static_cast<std::size_t>(table.sizes.ky), rows = table.dense.size() / ky;
    for (std::size_t row = 0; row < rows; ++row)
        std::copy_n(table.dense.begin() + static_cast<std::ptrdiff_t>(row * ky), ky,
                    reversed.begin() + static_cast<std::ptrdiff_t>((rows - 1 - row) * ky));
    require(identical(found, score_table(score, table.sizes, reversed)), "the order of strata does not matter");

    if (known.equivalent[number] && table.sizes.product_z == 1) { // Y given X and X: the same as X given Y and Y
        std::vector<std::int64_t> of_x(static_cast<std::size_t>(table.sizes.kx)), of_y(ky);
        for (std::size_t i = 0; i < table.dense.size(); ++i) {
            of_x[i / ky] += table.dense[i];
            of_y[i % ky] += table.dense[i];
        }
        const auto alone = [&](const std::vector<std::int64_t>& cells) {
            return score_table(score, {1, static_cast<std::int64_t>(cells.size()), 1, table.sizes.rows}, cells).bits;
        };
        const double forward = alone(of_x) + found.bits;
        const double backward = alone(of_y) + score_table(score, table.swapped_sizes(), table.swapped()).bits;
        require(std::abs(forward - backward) <= 1e-9 * (1 + std::abs(forward)), "equivalent DAGs have equal scores");
    }
    return 0;
}
