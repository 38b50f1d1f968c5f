// What Python holds: the objects of the library with whatever keeps their memory alive.
#pragma once

#include <memory>
#include <vector>

#include "bitsep/d_separation.hpp"
#include "convert.hpp"

namespace bitsep::bindings {

struct TableHandle {
    std::vector<AnyCodes> codes; // the table only looks at them
    std::vector<In<std::int64_t>> weights;
    std::unique_ptr<Table> table;
};

} // namespace bitsep::bindings
