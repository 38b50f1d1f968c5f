// NumPy arrays in and out. Bindings only convert, validate and release the GIL.
#pragma once

#include <cstring>
#include <span>
#include <stdexcept>
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
    throw nb::type_error("codes must be int8, int16 or int32");
}

void register_complexity(nb::module_& m);
void register_engine(nb::module_& m);
void register_kernels(nb::module_& m);
void register_table(nb::module_& m);

} // namespace bitsep::bindings
