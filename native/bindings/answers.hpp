// What `separate` found, as arrays and back. Python gives them names in `Found`.
#pragma once

#include "convert.hpp"

#include <nanobind/stl/pair.h>

namespace bitsep::bindings {

using Ragged32 = std::pair<In<std::int64_t>, In<std::int32_t>>;

inline Ragged ragged_of(const Ragged32& rows) {
    return {span_of(rows.first), span_of(rows.second)};
}

nb::tuple pack(const Answers& found);

// The reverse; there must be answers to so many tasks, and `variables` bounds the indices.
Answers unpack(const nb::tuple& arrays, std::size_t tasks, std::size_t variables);

} // namespace bitsep::bindings
