// The families of tests, one file each.
#pragma once

#include "bitsep/test.hpp"

namespace bitsep {

std::vector<TestEntry> sci_tests();
std::vector<TestEntry> information_tests();
std::vector<TestEntry> significance_tests();

} // namespace bitsep
