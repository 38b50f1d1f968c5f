// What `separate` found, as arrays and back. Python gives them names in `Found`.
#pragma once

#include "convert.hpp"

#include <nanobind/stl/pair.h>

namespace bitsep::bindings {

using Ragged32 = std::pair<In<std::int64_t>, In<std::int32_t>>;

inline Ragged ragged_of(const Ragged32& rows) {
    return {span_of(rows.first), span_of(rows.second)};
}

nb::tuple pack(std::span<const Separator> found);

// The reverse; `variables` bounds the indices.
void unpack(const nb::tuple& arrays, std::size_t variables, std::span<Separator> found);

} // namespace bitsep::bindings
