// The families of tests, one file each.
#pragma once

#include "bitsep/test.hpp"

namespace bitsep {

std::vector<TestEntry> sci_tests();
std::vector<TestEntry> information_tests();
std::vector<TestEntry> significance_tests();
std::vector<TestEntry> calibrated_tests();

// In the order of the list of all tests.
inline constexpr std::vector<TestEntry> (*families[])() = {sci_tests, information_tests, significance_tests,
                                                           calibrated_tests};

} // namespace bitsep
