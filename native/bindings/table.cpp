#include "answers.hpp"
#include "bitsep/counter.hpp"
#include "gil.hpp"
#include "handles.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace bitsep::bindings {

namespace {

// Each query owns as many cells as its domain sizes ask for.
void check_cells(const Table& table, const Queries& queries, std::span<const std::int64_t> offsets, std::size_t size) {
    if (offsets.size() != queries.x.size() + 1 || offsets.front() != 0 ||
        offsets.back() != static_cast<std::int64_t>(size))
        throw std::invalid_argument("cell_offsets: must fit the queries.");
    for (std::size_t i = 0; i < queries.x.size(); ++i) {
        double cells = static_cast<double>(table.column(static_cast<std::size_t>(queries.x[i])).levels()) *
                       static_cast<double>(table.column(static_cast<std::size_t>(queries.y[i])).levels());
        for (const std::int32_t variable : queries.given[i])
            cells *= static_cast<double>(table.column(static_cast<std::size_t>(variable)).levels());
        if (static_cast<double>(offsets[i + 1] - offsets[i]) != cells || cells > 0x1p31)
            throw std::invalid_argument("cell_offsets: must fit the domain sizes.");
    }
}

// Codes of a column: owned already, or an array of which a copy is made.
using AnyColumn = std::variant<std::shared_ptr<OwnedCodes>, AnyCodes>;

std::shared_ptr<OwnedCodes> owned(const AnyColumn& column) {
    if (const auto* codes = std::get_if<std::shared_ptr<OwnedCodes>>(&column))
        return *codes;
    return std::make_shared<OwnedCodes>(std::get<AnyCodes>(column));
}

} // namespace

void register_table(nb::module_& m) {
    m.def(
        "level_counts",
        [](const AnyCodes& codes, std::int64_t levels) { return array_of(level_counts(codes_of(codes), levels)); },
        nb::arg("codes"), nb::arg("n_levels"), "How often each code occurs; the last entry counts the missing (-1).");
    m.def(
        "recoded",
        [](const In<std::int8_t>& codes, const In<std::int8_t>& table) {
            return array_of(recoded(span_of(codes), span_of(table)));
        },
        nb::arg("codes"), nb::arg("table"), "Every code replaced by what the table has for it; missing ones stay.");

    nb::class_<OwnedCodes>(m, "Codes", "The level codes of a column: a copy that cannot be written to.")
        .def(nb::init<const AnyCodes&>(), nb::arg("codes"))
        .def_prop_ro(
            "array",
            [](nb::handle_t<OwnedCodes> self) {
                return std::visit(
                    [&](auto span) -> nb::object {
                        using Code = typename decltype(span)::element_type;
                        return nb::cast(nb::ndarray<nb::numpy, Code, nb::ndim<1>>(span.data(), {span.size()}, self));
                    },
                    nb::cast<const OwnedCodes&>(self).view());
            },
            nb::sig("def array(self) -> NDArray[numpy.signedinteger]"), "A read-only view of them.");

    nb::class_<TableHandle>(m, "Table", "Columns of level codes, ready to be counted; arrays are copied.")
        .def(
            "__init__",
            [](TableHandle* self, const std::vector<AnyColumn>& codes, const std::vector<std::int64_t>& levels,
               std::size_t rows, std::optional<In<std::int64_t>> weights, std::size_t cache_bytes) {
                if (codes.size() != levels.size())
                    throw std::invalid_argument("levels: must be one number per column.");
                TableHandle handle;
                std::vector<Column> columns;
                columns.reserve(codes.size());
                for (std::size_t i = 0; i < codes.size(); ++i) {
                    handle.codes.push_back(owned(codes[i]));
                    columns.emplace_back(handle.codes.back()->view(), levels[i]);
                }
                if (weights) {
                    handle.weights.assign(weights->data(), weights->data() + weights->shape(0));
                    checked_sum(handle.weights, "weights");
                    if (handle.weights.size() != rows)
                        throw std::invalid_argument("weights: must be as many as the rows.");
                }
                handle.table = std::make_unique<Table>(std::move(columns), rows, handle.weights, cache_bytes);
                new (self) TableHandle(std::move(handle));
            },
            nb::arg("codes"), nb::arg("levels"), nb::arg("rows"), nb::arg("weights").none(),
            nb::arg("cache_bytes") = CountCache::usual_bytes)
        .def_prop_ro("rows", [](const TableHandle& self) { return self.table->rows(); })
        .def(
            "counts",
            [](const TableHandle& self, std::size_t x, std::size_t y, const In<std::int32_t>& z) {
                check_test(*self.table, x, y, span_of(z));
                Counts counts;
                {
                    const ReleasedGil released; // a pass over the rows
                    counts = Counter(*self.table).counts(x, y, span_of(z));
                }
                return nb::make_tuple(array_of(std::move(counts.stratum)), array_of(std::move(counts.x)),
                                      array_of(std::move(counts.y)), array_of(std::move(counts.count)));
            },
            nb::arg("x"), nb::arg("y"), nb::arg("z"), "Occupied cells as (stratum, x, y, count), in canonical order.")
        .def(
            "add_dense_counts",
            [](const TableHandle& self, const In<std::int32_t>& x, const In<std::int32_t>& y, const Ragged32& given,
               const In<std::int64_t>& cell_offsets,
               nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> cells, int threads) {
                const Queries queries{span_of(x), span_of(y), ragged_of(given)};
                check_queries(queries, self.table->size());
                const auto offsets = span_of(cell_offsets);
                const std::span<std::int64_t> all(cells.data(), cells.shape(0));
                check_cells(*self.table, queries, offsets, all.size());
                const ReleasedGil released; // a pass over the rows for every query
                count_dense(*self.table, queries, offsets, all, threads);
            },
            nb::arg("x"), nb::arg("y"), nb::arg("given"), nb::arg("cell_offsets"), nb::arg("cells"), nb::arg("threads"),
            "Add the counts of each query, all cells [strata][x][y], to its part of `cells`: chunk by chunk.")
        .def(
            "way",
            [](const TableHandle& self, std::size_t x, std::size_t y, const In<std::int32_t>& z) {
                check_test(*self.table, x, y, span_of(z));
                return way_names[static_cast<std::size_t>(Counter(*self.table).choose(x, y, span_of(z)))];
            },
            nb::arg("x"), nb::arg("y"), nb::arg("z"), "How the cost model would count this test.");
}

} // namespace bitsep::bindings
