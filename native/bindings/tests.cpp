#include "bitsep/counter.hpp"
#include "bitsep/permutation.hpp"
#include "bitsep/test.hpp"
#include "counts.hpp"
#include "gil.hpp"
#include "handles.hpp"

#include <algorithm>
#include <cmath>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace bitsep::bindings {

namespace {

Way way_of(const std::string& name) {
    const auto found = std::ranges::find(way_names, name);
    if (found == way_names.end())
        throw std::invalid_argument("way: unknown way of counting '" + name + "'.");
    return static_cast<Way>(found - way_names.begin());
}

// Records from their bytes.
std::vector<Record> records_of(const In<std::uint8_t>& bytes) {
    if (bytes.shape(0) % sizeof(Record) != 0)
        throw std::invalid_argument("records: must be whole records.");
    std::vector<Record> records(bytes.shape(0) / sizeof(Record));
    if (!records.empty())
        std::memcpy(records.data(), bytes.data(), bytes.shape(0));
    return records;
}

template <class Value>
Out<double> each_record(const In<std::uint8_t>& bytes, Value&& value) {
    std::vector<double> values;
    for (const Record& record : records_of(bytes))
        values.push_back(value(record));
    return array_of(std::move(values));
}

std::optional<double> unless_nan(double value) {
    return std::isnan(value) ? std::nullopt : std::optional(value);
}

} // namespace

void register_tests(nb::module_& m) {
    nb::class_<Option>(m, "Option", "An option of a test or a score.")
        .def_ro("name", &Option::name)
        .def_ro("choices", &Option::choices, "The words allowed, the default first; none: a number.")
        .def_ro("number", &Option::number, "The default of a number.");
    nb::class_<TestEntry>(m, "TestEntry", "A test in the list of all.")
        .def_ro("name", &TestEntry::name)
        .def_ro("title", &TestEntry::title)
        .def_ro("family", &TestEntry::family)
        .def_ro("options", &TestEntry::options);
    m.def("tests", [] { return std::vector<TestEntry>(tests().begin(), tests().end()); }, "All tests, by family.");

    nb::class_<Test>(m, "Test", "A test with its options.")
        .def(nb::new_([](const std::string& name, std::optional<double> alpha, const Settings::Values& options,
                         double min_effect) { return make_test(name, alpha, options, min_effect); }),
             nb::arg("name"), nb::arg("alpha") = nb::none(), nb::arg("options") = Settings::Values(),
             nb::arg("min_effect") = 0.0)
        .def_static(
            "by_permutation",
            [](const std::string& name, std::optional<double> alpha, const Settings::Values& options,
               std::uint32_t permutations, std::uint64_t seed, bool sequential) {
                return permutation_test(make_test(name, {}, options), alpha, {permutations, seed, sequential});
            },
            nb::arg("name"), nb::arg("alpha").none(), nb::arg("options"), nb::arg("permutations"), nb::arg("seed"),
            nb::arg("sequential"), "The test by permutation: its score among tables with the same margins.")
        .def_prop_ro("alpha", &Test::alpha, "The alpha in force; None where the test does not use one.")
        .def(
            "of_counts",
            [](const Test& self, std::int64_t kx, std::int64_t ky, double product_z, const In<std::int64_t>& stratum,
               const In<std::int64_t>& x, const In<std::int64_t>& y, const In<std::int64_t>& count) {
                const Sizes sizes = checked_sizes(kx, ky, product_z, stratum, x, y, count);
                return bytes_of({test_cells(self, sizes, span_of(stratum), span_of(x), span_of(y), span_of(count))});
            },
            nb::arg("kx"), nb::arg("ky"), nb::arg("product_z"), nb::arg("stratum"), nb::arg("x"), nb::arg("y"),
            nb::arg("count"), "The record of counts made elsewhere, in canonical order.")
        .def(
            "of_dense_counts",
            [](const Test& self, std::int64_t kx, std::int64_t ky, double product_z, const In<std::int64_t>& cells) {
                const Sizes sizes = checked_sizes(kx, ky, product_z, cells);
                return bytes_of({test_table(self, sizes, span_of(cells))});
            },
            nb::arg("kx"), nb::arg("ky"), nb::arg("product_z"), nb::arg("cells"),
            "The record of dense counts made elsewhere, all cells [strata][x][y].")
        .def(
            "on",
            [](const Test& self, const TableHandle& table, std::size_t x, std::size_t y, const In<std::int32_t>& z,
               const std::string& way) {
                check_test(*table.table, x, y, span_of(z));
                Record record;
                const Way chosen = way_of(way);
                {
                    const ReleasedGil released; // a pass over the rows
                    record = Counter(*table.table).test(self, x, y, span_of(z), chosen);
                }
                return bytes_of({record});
            },
            nb::arg("table"), nb::arg("x"), nb::arg("y"), nb::arg("z"), nb::arg("way") = "automatic",
            "The record of one test, counted in a given way.")
        .def(
            "evidence",
            [](const Test& self, const nb::bytes& record) {
                if (record.size() != sizeof(Record))
                    throw std::invalid_argument("record: must be one record.");
                Record one;
                std::memcpy(&one, record.c_str(), sizeof one);
                return std::pair(unless_nan(self.p_value(one)), unless_nan(self.hypercompression_bound(one)));
            },
            nb::arg("record"), "The p-value and the no-hypercompression bound of a record, None where it has none.")
        .def(
            "p_values",
            [](const Test& self, const In<std::uint8_t>& records) {
                return each_record(records, [&](const Record& record) { return self.p_value(record); });
            },
            nb::arg("records"), "The p-value of each record, NaN where the test has none.")
        .def(
            "hypercompression_bounds",
            [](const Test& self, const In<std::uint8_t>& records) {
                return each_record(records, [&](const Record& record) { return self.hypercompression_bound(record); });
            },
            nb::arg("records"), "The no-hypercompression bound of each record, NaN where the test has none.");
}

} // namespace bitsep::bindings
