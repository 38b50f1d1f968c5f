// What Python holds: the objects of the library, which own their memory.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "bitsep/d_separation.hpp"
#include "convert.hpp"

namespace bitsep::bindings {

// The codes of one column as a copy that nothing outside can write to: a table checks codes once and then relies on it.
class OwnedCodes {
public:
    explicit OwnedCodes(const AnyCodes& array)
        : values_(std::visit(
              [](auto span) -> Values {
                  return std::vector<typename decltype(span)::value_type>(span.begin(), span.end());
              },
              codes_of(array))) {}

    Codes view() const {
        return std::visit([](const auto& values) -> Codes { return std::span(values); }, values_);
    }

private:
    using Values = std::variant<std::vector<std::int8_t>, std::vector<std::int16_t>, std::vector<std::int32_t>>;
    const Values values_;
};

struct TableHandle {
    std::vector<std::shared_ptr<OwnedCodes>> codes; // the table refers to them and to the weights
    std::vector<std::int64_t> weights;
    std::unique_ptr<Table> table;
};

} // namespace bitsep::bindings
