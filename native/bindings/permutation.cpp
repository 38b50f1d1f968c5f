#include "bitsep/permutation.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "convert.hpp"
#include "gil.hpp"

namespace bitsep::bindings {

void register_permutation(nb::module_& m) {
    nb::class_<PermutedTables>(m, "PermutedTables", "Random tables with the margins of given counts.")
        .def(
            "__init__",
            [](PermutedTables* self, const In<std::int64_t>& stratum, const In<std::int64_t>& x,
               const In<std::int64_t>& y, const In<std::int64_t>& count, std::uint64_t seed) {
                const std::size_t cells = stratum.shape(0);
                if (x.shape(0) != cells || y.shape(0) != cells || count.shape(0) != cells)
                    throw std::invalid_argument("stratum, x, y, count: must have the same length.");
                checked_sum(span_of(count), "counts");
                using Levels = std::map<std::int64_t, std::uint64_t>;
                const auto margins = [](const Levels& levels) {
                    std::vector<PermutedTables::Margin> found;
                    for (const auto& [level, rows] : levels)
                        found.push_back({rows, level});
                    return found;
                };
                std::map<std::int64_t, std::pair<Levels, Levels>> strata;
                for (std::size_t i = 0; i < cells; ++i) {
                    const auto rows = static_cast<std::uint64_t>(count.data()[i]);
                    if (rows == 0)
                        throw std::invalid_argument("counts: must be those of occupied cells.");
                    auto& [of_x, of_y] = strata[stratum.data()[i]];
                    of_x[x.data()[i]] += rows;
                    of_y[y.data()[i]] += rows;
                }
                new (self) PermutedTables(seed);
                for (const auto& [number, levels] : strata)
                    self->add(margins(levels.first), margins(levels.second));
                self->start();
            },
            nb::arg("stratum"), nb::arg("x"), nb::arg("y"), nb::arg("count"), nb::arg("seed"))
        .def(
            "draw",
            [](PermutedTables& self) {
                const auto drawn = self.draw();
                std::vector<PermutedTables::Cell> cells(drawn.begin(), drawn.end());
                std::ranges::sort(cells, {}, [](const auto& cell) { return std::tuple(cell.stratum, cell.x, cell.y); });
                std::vector<std::int64_t> stratum, x, y, count;
                for (const auto& cell : cells) {
                    stratum.push_back(cell.stratum);
                    x.push_back(cell.x);
                    y.push_back(cell.y);
                    count.push_back(static_cast<std::int64_t>(cell.count));
                }
                return nb::make_tuple(array_of(std::move(stratum)), array_of(std::move(x)), array_of(std::move(y)),
                                      array_of(std::move(count)));
            },
            "The occupied cells of the next table (stratum, x, y, count), in canonical order.");
}

} // namespace bitsep::bindings
