// Logarithms of factorials.
#pragma once

#include <cstdint>

namespace bitsep {

// ln(k!), with a relative error of a few 1e-16.
double log_factorial(std::uint64_t k);

} // namespace bitsep
