#include "bitsep/skeleton.hpp"
#include "answers.hpp"

#include <algorithm>
#include <iterator>

#include <nanobind/stl/optional.h>

namespace bitsep::bindings {

namespace {

using Square = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

SkeletonSearch::Matrix matrix_of(const std::optional<Square>& square, std::size_t n) {
    if (!square)
        return {};
    if (square->shape(0) != n || square->shape(1) != n)
        throw std::invalid_argument("matrices: must have one row and one column per variable.");
    return {square->data(), square->data() + n * n};
}

// Every task's own pool, from those of the variables: that of `one` without `other`.
nb::tuple pools_of(const Ragged& members, std::span<const std::int32_t> one, std::span<const std::int32_t> other) {
    std::vector<std::int64_t> offsets{0};
    std::vector<std::int32_t> items;
    for (std::size_t task = 0; task < one.size(); ++task) {
        const auto pool = members[static_cast<std::size_t>(one[task])];
        std::remove_copy(pool.begin(), pool.end(), std::back_inserter(items), other[task]);
        offsets.push_back(static_cast<std::int64_t>(items.size()));
    }
    return nb::make_tuple(array_of(std::move(offsets)), array_of(std::move(items)));
}

// The search asks a function of Python's, batch by batch.
void ask(SkeletonSearch& search, const nb::callable& separate) {
    search.run([&](const Tasks& tasks, Answers& found) {
        const auto copy = [](auto values) { return array_of(std::vector<std::int32_t>(values.begin(), values.end())); };
        const nb::object answer =
            separate(tasks.max_size, copy(tasks.x), copy(tasks.y), pools_of(tasks.first, tasks.x, tasks.y),
                     pools_of(tasks.first, tasks.y, tasks.x));
        found = unpack(nb::cast<nb::tuple>(answer), tasks.x.size(), search.variables());
        return true;
    });
}

} // namespace

void register_skeleton(nb::module_& m) {
    nb::class_<SkeletonSearch>(m, "SkeletonSearch", "The skeleton of PC-stable: which pairs no set separates.")
        .def(
            "__init__",
            [](SkeletonSearch* self, std::size_t variables, const std::optional<Square>& untested,
               const std::optional<Square>& excluded, const std::optional<Square>& not_parent,
               std::optional<std::size_t> max_given, std::size_t most, bool stop_at_first) {
                new (self) SkeletonSearch(variables, matrix_of(untested, variables), matrix_of(excluded, variables),
                                          matrix_of(not_parent, variables), max_given.value_or(variables), most,
                                          stop_at_first);
            },
            nb::arg("variables"), nb::arg("untested").none(), nb::arg("excluded").none(), nb::arg("not_parent").none(),
            nb::arg("max_given").none(), nb::arg("most"), nb::arg("stop_at_first"))
        .def("ask", &ask, nb::arg("separate"),
             "Run; separate(size, x, y, first, second) answers a batch with what the `separate` of a table gives.")
        .def(
            "adjacent",
            [](const SkeletonSearch& self) {
                const auto cells = self.adjacent();
                return array_of(std::vector<std::uint8_t>(cells.begin(), cells.end()));
            },
            "The matrix of the pairs still joined, row by row.")
        .def_prop_ro("variables", &SkeletonSearch::variables, "How many there are.")
        .def_prop_ro("tests", &SkeletonSearch::tests, "Tests made.")
        .def("__len__", [](const SkeletonSearch& self) { return self.batches().size(); })
        .def(
            "batch",
            [](const SkeletonSearch& self, std::size_t number) {
                if (number >= self.batches().size())
                    throw nb::index_error("number: must be below the number of batches.");
                const Batch& batch = self.batches()[number];
                return nb::make_tuple(batch.size, array_of(batch.pairs), pack(batch.found));
            },
            nb::arg("number"), "The size of the sets, the numbers of the pairs, and what was found.")
        .def(
            "colliders", [](const SkeletonSearch& self) { return array_of(self.colliders()); },
            "The v-structures a → c ← b as a, c, b, one after the other.");
}

} // namespace bitsep::bindings
