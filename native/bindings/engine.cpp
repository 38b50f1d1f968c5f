#include "bitsep/engine.hpp"
#include "bitsep/pools.hpp"
#include "handles.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

namespace bitsep::bindings {

namespace {

using Ragged32 = std::pair<In<std::int64_t>, In<std::int32_t>>;

Ragged ragged_of(const Ragged32& rows) {
    return {span_of(rows.first), span_of(rows.second)};
}

// Runs work(tick) without the GIL. On every tick Python's signals are answered (Ctrl-C) and the progress callback is
// called; an exception of either stops the run and is raised here.
template <class Work>
void run_interruptible(const nb::object& progress, Work&& work) {
    std::optional<nb::python_error> raised;
    const Tick tick = [&](std::size_t finished, std::size_t total) {
        const nb::gil_scoped_acquire acquire;
        try {
            if (PyErr_CheckSignals() != 0)
                throw nb::python_error();
            if (!progress.is_none())
                progress(finished, total);
            return true;
        } catch (nb::python_error& error) {
            raised.emplace(std::move(error));
            return false;
        }
    };
    {
        const nb::gil_scoped_release release; // seconds to hours of counting; arrays are held by the caller
        work(tick);
    }
    if (raised)
        throw std::move(*raised);
}

Out<std::uint8_t> evaluate_with(const MakeTester& make_tester, std::size_t variables, const In<std::int32_t>& x,
                                const In<std::int32_t>& y, const Ragged32& given, int threads,
                                const nb::object& progress) {
    const Queries queries{span_of(x), span_of(y), ragged_of(given)};
    check_queries(queries, variables);
    std::vector<Record> records(queries.x.size());
    run_interruptible(progress, [&](const Tick& tick) { evaluate(make_tester, queries, threads, tick, records); });
    return bytes_of(records);
}

nb::tuple pack(const std::vector<Separator>& found) {
    std::vector<std::uint8_t> separated, has_runner_up;
    std::vector<std::int64_t> tests, given_offsets{0}, runner_up_offsets{0};
    std::vector<std::int32_t> given, runner_up;
    std::vector<Record> records, runner_up_records;
    separated.reserve(found.size());
    has_runner_up.reserve(found.size());
    tests.reserve(found.size());
    given_offsets.reserve(found.size() + 1);
    runner_up_offsets.reserve(found.size() + 1);
    records.reserve(found.size());
    runner_up_records.reserve(found.size());
    for (const Separator& one : found) {
        separated.push_back(one.separated);
        has_runner_up.push_back(one.has_runner_up);
        tests.push_back(one.tests);
        const auto set = one.given.get(), other = one.runner_up.get();
        given.insert(given.end(), set.begin(), set.end());
        given_offsets.push_back(static_cast<std::int64_t>(given.size()));
        runner_up.insert(runner_up.end(), other.begin(), other.end());
        runner_up_offsets.push_back(static_cast<std::int64_t>(runner_up.size()));
        records.push_back(one.record);
        runner_up_records.push_back(one.runner_up_record);
    }
    return nb::make_tuple(array_of(std::move(separated)), array_of(std::move(given_offsets)),
                          array_of(std::move(given)), bytes_of(records), array_of(std::move(has_runner_up)),
                          array_of(std::move(runner_up_offsets)), array_of(std::move(runner_up)),
                          bytes_of(runner_up_records), array_of(std::move(tests)));
}

nb::tuple separate_with(const MakeTester& make_tester, std::size_t variables, const In<std::int32_t>& x,
                        const In<std::int32_t>& y, const Ragged32& first, const std::optional<Ragged32>& second,
                        const std::optional<Ragged32>& always, std::int64_t min_size, std::int64_t max_size,
                        bool stop_at_first, int threads, const nb::object& progress) {
    Tasks tasks{span_of(x), span_of(y), ragged_of(first), {}, {}, min_size, max_size, stop_at_first};
    check_pairs(tasks.x, tasks.y, variables);
    check_rows(tasks.first, tasks.x.size(), variables);
    if (second) {
        tasks.second = ragged_of(*second);
        check_rows(tasks.second, tasks.x.size(), variables);
    }
    if (always) {
        tasks.always = ragged_of(*always);
        check_rows(tasks.always, tasks.x.size(), variables);
    }
    std::vector<Separator> found(tasks.x.size());
    run_interruptible(progress, [&](const Tick& tick) { separate(make_tester, tasks, threads, tick, found); });
    return pack(found);
}

// Both entries for one kind of source.
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
            nb::arg("threads"), nb::arg("progress").none(), "Search a separator for every task.");
}

using Matrix = nb::ndarray<bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ConstMatrix = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Every number must name a pair of n variables.
void check_numbers(std::span<const std::int64_t> pairs, std::size_t n) {
    const auto count = static_cast<std::int64_t>(n * (n - 1) / 2);
    for (const std::int64_t pair : pairs)
        if (pair < 0 || pair >= count)
            throw std::invalid_argument("no pair with this number");
}

PairBook book_of(const Matrix& adjacent, const Numbers& separated_in, const Numbers& separated_row) {
    const std::size_t n = adjacent.shape(0), all = n * (n - 1) / 2;
    if (adjacent.shape(1) != n || separated_in.shape(0) != all || separated_row.shape(0) != all)
        throw std::invalid_argument("arrays do not fit each other");
    return {{reinterpret_cast<std::uint8_t*>(adjacent.data()), adjacent.size()},
            {separated_in.data(), all},
            {separated_row.data(), all}};
}

void register_pairs(nb::module_& m) {
    m.def(
        "pools_of_pairs",
        [](const ConstMatrix& pool, const In<std::int64_t>& pairs, std::size_t size, std::size_t begin,
           std::size_t most) {
            if (pool.shape(0) != pool.shape(1))
                throw std::invalid_argument("pool must be square");
            check_numbers(span_of(pairs), pool.shape(0));
            Pools pools = pools_of_pairs({reinterpret_cast<const std::uint8_t*>(pool.data()), pool.size()},
                                         span_of(pairs), size, begin, most);
            return nb::make_tuple(array_of(std::move(pools.pair)), array_of(std::move(pools.x)),
                                  array_of(std::move(pools.y)), array_of(std::move(pools.first_offsets)),
                                  array_of(std::move(pools.first)), array_of(std::move(pools.second_offsets)),
                                  array_of(std::move(pools.second)), pools.end);
        },
        nb::arg("pool"), nb::arg("pairs"), nb::arg("size"), nb::arg("begin"), nb::arg("most"),
        "The pairs, from place `begin` on, with enough variables in a pool, their pools, and where to go on.");
    m.def(
        "settle_pairs",
        [](const Matrix& adjacent, const Numbers& separated_in, const Numbers& separated_row, std::int32_t batch,
           const In<std::int64_t>& pairs, const In<bool>& separated) {
            const PairBook book = book_of(adjacent, separated_in, separated_row);
            if (pairs.shape(0) != separated.shape(0))
                throw std::invalid_argument("arrays do not fit each other");
            check_numbers(span_of(pairs), adjacent.shape(0));
            return array_of(settle_pairs(book, batch, span_of(pairs),
                                         {reinterpret_cast<const std::uint8_t*>(separated.data()), pairs.shape(0)}));
        },
        nb::arg("adjacent"), nb::arg("separated_in"), nb::arg("separated_row"), nb::arg("batch"), nb::arg("pairs"),
        nb::arg("separated"), "Note in the first three which of the pairs a batch separated; the others are returned.");
    m.def(
        "unshielded_colliders",
        [](const Matrix& adjacent, const Numbers& separated_in, const Numbers& separated_row,
           const std::vector<Ragged32>& separators) {
            const PairBook book = book_of(adjacent, separated_in, separated_row);
            std::vector<Ragged> sets;
            for (const Ragged32& one : separators) {
                sets.push_back(ragged_of(one));
                check_rows(sets.back(), one.first.shape(0) - 1, adjacent.shape(0));
            }
            for (std::size_t pair = 0; pair < book.separated_in.size(); ++pair) {
                const std::int32_t batch = book.separated_in[pair], row = book.separated_row[pair];
                if (batch >= 0 && (static_cast<std::size_t>(batch) >= sets.size() || row < 0 ||
                                   static_cast<std::size_t>(row) >= sets[static_cast<std::size_t>(batch)].size()))
                    throw std::invalid_argument("a pair was separated in no batch");
            }
            return array_of(unshielded_colliders(book, sets));
        },
        nb::arg("adjacent"), nb::arg("separated_in"), nb::arg("separated_row"), nb::arg("separators"),
        "The v-structures a → c ← b as a, c, b, one after the other; separators: the sets of every batch.");
}

} // namespace

void register_engine(nb::module_& m) {
    register_pairs(m);
    m.def("call_helpers", &call_helpers, nb::arg("helpers"), "Wake so many helpers: a search is about to begin.");
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
                throw std::invalid_argument("a table needs a test");
            return [&self, test] { return std::make_unique<CountingTester>(*self.table, *test); };
        },
        [](const TableHandle& self) { return self.table->size(); });
}

} // namespace bitsep::bindings
