// NumPy arrays in and out. Bindings only convert, validate and release the GIL.
#pragma once

#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "bitsep/engine.hpp"
#include "bitsep/table.hpp"

namespace nb = nanobind;

namespace bitsep::bindings {

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using AnyCodes = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const In<T>& array) {
    return {array.data(), array.shape(0)};
}

template <class T>
using Out = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

// An array of its own from values computed here.
template <class T>
Out<T> array_of(std::vector<T> values) {
    auto* owned = new std::vector<T>(std::move(values));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Out<T>(owned->data(), {owned->size()}, owner);
}

// Records as bytes; Python views them with the dtype RECORD.
inline Out<std::uint8_t> bytes_of(const std::vector<Record>& records) {
    std::vector<std::uint8_t> bytes(records.size() * sizeof(Record));
    if (!bytes.empty())
        std::memcpy(bytes.data(), records.data(), bytes.size());
    return array_of(std::move(bytes));
}

inline Codes codes_of(const AnyCodes& array) {
    const std::size_t n = array.shape(0);
    if (array.dtype() == nb::dtype<std::int8_t>())
        return std::span(static_cast<const std::int8_t*>(array.data()), n);
    if (array.dtype() == nb::dtype<std::int16_t>())
        return std::span(static_cast<const std::int16_t*>(array.data()), n);
    if (array.dtype() == nb::dtype<std::int32_t>())
        return std::span(static_cast<const std::int32_t*>(array.data()), n);
    throw nb::type_error("codes: must be int8, int16 or int32.");
}

// Every index must name a variable, every row must lie inside the items: the library itself does not check again.
inline void check_rows(const Ragged& rows, std::size_t count, std::size_t variables) {
    if (rows.offsets.size() != count + 1 || rows.offsets.front() != 0 ||
        rows.offsets.back() != static_cast<std::int64_t>(rows.items.size()))
        throw std::invalid_argument("offsets: must begin with 0 and end with the number of items.");
    for (std::size_t i = 0; i < count; ++i)
        if (rows.offsets[i] > rows.offsets[i + 1])
            throw std::invalid_argument("offsets: must ascend.");
    for (const std::int32_t item : rows.items)
        if (item < 0 || static_cast<std::size_t>(item) >= variables)
            throw std::invalid_argument("variables: must be indices of variables.");
}

inline void check_pairs(std::span<const std::int32_t> x, std::span<const std::int32_t> y, std::size_t variables) {
    if (x.size() != y.size())
        throw std::invalid_argument("x, y: must have the same length.");
    for (std::size_t i = 0; i < x.size(); ++i)
        if (x[i] < 0 || y[i] < 0 || static_cast<std::size_t>(x[i]) >= variables ||
            static_cast<std::size_t>(y[i]) >= variables || x[i] == y[i])
            throw std::invalid_argument("x, y: must be two different variables.");
}

inline void check_queries(const Queries& queries, std::size_t variables) {
    check_pairs(queries.x, queries.y, variables);
    check_rows(queries.given, queries.x.size(), variables);
}

inline void check_families(std::span<const std::int32_t> variables, const Ragged& parents, std::size_t count) {
    check_rows(parents, variables.size(), count);
    for (std::size_t i = 0; i < variables.size(); ++i) {
        if (variables[i] < 0 || static_cast<std::size_t>(variables[i]) >= count)
            throw std::invalid_argument("variables: must be indices of variables.");
        for (std::size_t j = 0; j < parents[i].size(); ++j)
            if (parents[i][j] == variables[i] || (j > 0 && parents[i][j] <= parents[i][j - 1]))
                throw std::invalid_argument("parents: must ascend, without the variable itself.");
    }
}

// A single test: the same demands as on one of a batch.
inline void check_test(const Table& table, std::size_t x, std::size_t y, std::span<const std::int32_t> z) {
    if (x >= table.size() || y >= table.size() || x == y)
        throw std::invalid_argument("x, y: must be two different variables.");
    for (std::size_t i = 0; i < z.size(); ++i) {
        if (z[i] < 0 || static_cast<std::size_t>(z[i]) >= table.size())
            throw std::invalid_argument("variables: must be indices of variables.");
        if (i > 0 && z[i] <= z[i - 1])
            throw std::invalid_argument("given: must ascend.");
        if (static_cast<std::size_t>(z[i]) == x || static_cast<std::size_t>(z[i]) == y)
            throw std::invalid_argument("given: must not contain x or y.");
    }
}

// The sum of counts. Up to 2^56, n log2 n fits into the sums of the library.
inline std::uint64_t checked_sum(std::span<const std::int64_t> counts, const char* what) {
    constexpr std::uint64_t most = std::uint64_t{1} << 56;
    std::uint64_t sum = 0;
    for (const std::int64_t count : counts) {
        if (count < 0 || static_cast<std::uint64_t>(count) > most - sum)
            throw std::invalid_argument(std::string(what) + ": must be at least 0 and sum to at most 2^56.");
        sum += static_cast<std::uint64_t>(count);
    }
    return sum;
}

void register_complexity(nb::module_& m);
void register_engine(nb::module_& m);
void register_graph_search(nb::module_& m);
void register_kernels(nb::module_& m);
void register_scores(nb::module_& m);
void register_skeleton(nb::module_& m);
void register_table(nb::module_& m);
void register_tests(nb::module_& m);
void register_permutation(nb::module_& m);

} // namespace bitsep::bindings
