#include "bitsep/engine.hpp"
#include "answers.hpp"
#include "bitsep/skeleton.hpp"
#include "handles.hpp"
#include "interruptible.hpp"

#include <nanobind/stl/optional.h>

namespace bitsep::bindings {

namespace {

Out<std::uint8_t> evaluate_with(const MakeTester& make_tester, std::size_t variables, const In<std::int32_t>& x,
                                const In<std::int32_t>& y, const Ragged32& given, int threads,
                                const nb::object& progress) {
    const Queries queries{span_of(x), span_of(y), ragged_of(given)};
    check_queries(queries, variables);
    std::vector<Record> records(queries.x.size());
    run_interruptible(progress, [&](const Tick& tick) { evaluate(make_tester, queries, threads, tick, records); });
    return bytes_of(records);
}

nb::tuple separate_with(const MakeTester& make_tester, std::size_t variables, const In<std::int32_t>& x,
                        const In<std::int32_t>& y, const Ragged32& first, const std::optional<Ragged32>& second,
                        const std::optional<Ragged32>& always, std::int64_t min_size, std::int64_t max_size,
                        bool stop_at_first, int threads, const nb::object& progress) {
    const auto checked = [&](const std::optional<Ragged32>& rows) -> Ragged {
        if (!rows)
            return {};
        check_rows(ragged_of(*rows), x.shape(0), variables);
        return ragged_of(*rows);
    };
    check_pairs(span_of(x), span_of(y), variables);
    const Tasks tasks{span_of(x),      span_of(y), checked(first), checked(second),
                      checked(always), min_size,   max_size,       stop_at_first};
    Answers found;
    run_interruptible(progress, [&](const Tick& tick) { separate(make_tester, tasks, threads, tick, found); });
    return pack(found);
}

// A whole skeleton, size by size. stage(size), if any, gives the progress callback of a size.
void search_with(const MakeTester& make_tester, SkeletonSearch& search, int threads, const nb::object& stage) {
    nb::object progress = nb::none();
    const Workers workers(threads); // for all sizes
    run_interruptible(progress, [&](const Tick& tick) {
        search.run([&](const Tasks& tasks, Answers& found) {
            {
                const BorrowedGil gil; // a batch may be too short for a tick, and there may be many
                stop_if_asked();
                if (!stage.is_none())
                    progress = stage(tasks.max_size);
            }
            return separate(make_tester, tasks, workers, tick, found);
        });
    });
}

// The entries for one kind of source.
template <class Source, class Class, class MakeFor, class Size>
void register_primitive(Class& source, MakeFor make_for, Size size) {
    source
        .def(
            "evaluate",
            [=](const Source& self, const Test* test, const In<std::int32_t>& x, const In<std::int32_t>& y,
                const Ragged32& given, int threads, const nb::object& progress) {
                return evaluate_with(make_for(self, test), size(self), x, y, given, threads, progress);
            },
            nb::arg("test").none(), nb::arg("x"), nb::arg("y"), nb::arg("given"), nb::arg("threads"),
            nb::arg("progress").none(), "Make every test; the records as bytes.")
        .def(
            "separate",
            [=](const Source& self, const Test* test, const In<std::int32_t>& x, const In<std::int32_t>& y,
                const Ragged32& first, const std::optional<Ragged32>& second, const std::optional<Ragged32>& always,
                std::int64_t min_size, std::int64_t max_size, bool stop_at_first, int threads,
                const nb::object& progress) {
                return separate_with(make_for(self, test), size(self), x, y, first, second, always, min_size, max_size,
                                     stop_at_first, threads, progress);
            },
            nb::arg("test").none(), nb::arg("x"), nb::arg("y"), nb::arg("first"), nb::arg("second").none(),
            nb::arg("always").none(), nb::arg("min_size"), nb::arg("max_size"), nb::arg("stop_at_first"),
            nb::arg("threads"), nb::arg("progress").none(), "Search a separator for every task.")
        .def(
            "search",
            [=](const Source& self, const Test* test, SkeletonSearch& search, int threads, const nb::object& stage) {
                if (search.variables() != size(self))
                    throw std::invalid_argument("search: must be over the variables of the source.");
                search_with(make_for(self, test), search, threads, stage);
            },
            nb::arg("test").none(), nb::arg("search"), nb::arg("threads"), nb::arg("stage").none(),
            "Run a search for a skeleton; stage(size), if any, gives the progress callback of a size.");
}

} // namespace

void register_engine(nb::module_& m) {
    nb::class_<DagBitsets> dag(m, "Dag", "A known DAG that answers by d-separation.");
    dag.def(
        "__init__",
        [](DagBitsets* self, std::size_t nodes, const In<std::int32_t>& from, const In<std::int32_t>& to) {
            check_pairs(span_of(from), span_of(to), nodes);
            new (self) DagBitsets(nodes, span_of(from), span_of(to));
        },
        nb::arg("nodes"), nb::arg("from_"), nb::arg("to"));
    register_primitive<DagBitsets>(
        dag,
        [](const DagBitsets& self, const Test*) -> MakeTester {
            return [&self] { return std::make_unique<SeparationTester>(self); };
        },
        [](const DagBitsets& self) { return self.size(); });

    auto table = nb::borrow<nb::class_<TableHandle>>(m.attr("Table"));
    register_primitive<TableHandle>(
        table,
        [](const TableHandle& self, const Test* test) -> MakeTester {
            if (test == nullptr)
                throw std::invalid_argument("test: must not be None.");
            return [&self, test] { return std::make_unique<CountingTester>(*self.table, *test); };
        },
        [](const TableHandle& self) { return self.table->size(); });
}

} // namespace bitsep::bindings
