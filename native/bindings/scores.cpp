#include "answers.hpp"
#include "bitsep/counter.hpp"
#include "bitsep/families.hpp"
#include "bitsep/score.hpp"
#include "counts.hpp"
#include "handles.hpp"
#include "interruptible.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace bitsep::bindings {

namespace {

nb::tuple score_with(const TableHandle& self, const Score& score, const In<std::int32_t>& variables,
                     const Ragged32& parents, int threads, const nb::object& progress) {
    const Families families{span_of(variables), ragged_of(parents)};
    check_families(families.variables, families.parents, self.table->size());
    std::vector<Score::Length> lengths(families.variables.size());
    run_interruptible(progress, [&](const Tick& tick) {
        const Workers workers(threads);
        FamilyScorer(*self.table, score, workers).score_all(families, tick, lengths);
    });
    std::vector<double> bits;
    std::vector<std::int64_t> rows;
    for (const Score::Length& length : lengths) {
        bits.push_back(length.bits);
        rows.push_back(length.n);
    }
    return nb::make_tuple(array_of(std::move(bits)), array_of(std::move(rows)));
}

std::pair<double, std::int64_t> as_pair(const Score::Length& length) {
    return {length.bits, length.n};
}

} // namespace

void register_scores(nb::module_& m) {
    nb::class_<ScoreEntry>(m, "ScoreEntry", "A score in the list of all.")
        .def_ro("name", &ScoreEntry::name)
        .def_ro("title", &ScoreEntry::title)
        .def_ro("equivalent", &ScoreEntry::equivalent, "Whether all DAGs of a class have the same total.")
        .def_ro("options", &ScoreEntry::options);
    m.def("scores", [] { return std::vector<ScoreEntry>(scores().begin(), scores().end()); }, "All scores.");

    nb::class_<Score>(m, "Score", "A score with its options.")
        .def(nb::new_(
                 [](const std::string& name, const Settings::Values& options) { return make_score(name, options); }),
             nb::arg("name"), nb::arg("options") = Settings::Values())
        .def(
            "of_counts",
            [](const Score& self, std::int64_t kx, std::int64_t ky, double product_z, const In<std::int64_t>& stratum,
               const In<std::int64_t>& x, const In<std::int64_t>& y, const In<std::int64_t>& count) {
                const Sizes sizes = checked_sizes(kx, ky, product_z, stratum, x, y, count);
                return as_pair(score_cells(self, sizes, span_of(stratum), span_of(x), span_of(y), span_of(count)));
            },
            nb::arg("kx"), nb::arg("ky"), nb::arg("product_z"), nb::arg("stratum"), nb::arg("x"), nb::arg("y"),
            nb::arg("count"), "The bits of y given x and the strata, and the rows, of counts made elsewhere.")
        .def(
            "of_dense_counts",
            [](const Score& self, std::int64_t kx, std::int64_t ky, double product_z, const In<std::int64_t>& cells) {
                const Sizes sizes = checked_sizes(kx, ky, product_z, cells);
                return as_pair(score_table(self, sizes, span_of(cells)));
            },
            nb::arg("kx"), nb::arg("ky"), nb::arg("product_z"), nb::arg("cells"),
            "The same of dense counts, all cells [strata][x][y].");

    auto table = nb::borrow<nb::class_<TableHandle>>(m.attr("Table"));
    table.def("score", &score_with, nb::arg("score"), nb::arg("variables"), nb::arg("parents"), nb::arg("threads"),
              nb::arg("progress").none(), "The bits of every variable given its parents, and the rows they encode.");
}

} // namespace bitsep::bindings
