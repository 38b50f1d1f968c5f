// A test of conditional independence: a function from counts to a record; and the list of all tests.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "bitsep/counts.hpp"
#include "bitsep/options.hpp"
#include "bitsep/record.hpp"

namespace bitsep {

// What a test needs to know besides the counts.
struct Sizes {
    std::int64_t kx, ky; // domain sizes
    double product_z;    // product of the domain sizes of Z
    std::uint64_t rows;  // at least the sum of all counts
};

// One test with its options, ready to be used by many threads. How to write one: native/src/tests/strata.hpp.
class Test {
public:
    virtual ~Test() = default;

    virtual Record judge(const DenseCounts<std::uint32_t>& counts, const Sizes& sizes) const = 0;
    virtual Record judge(const DenseCounts<std::uint64_t>& counts, const Sizes& sizes) const = 0;
    virtual Record judge(const OccupiedCells& counts, const Sizes& sizes) const = 0;

    // The alpha in force: by default that of the family, nothing where the test does not use one.
    virtual std::optional<double> alpha() const = 0;
    // Both NaN for tests that have none.
    virtual double p_value(const Record& record) const = 0;
    // The most that the probability can be, under independence, of saving so many bits.
    virtual double hypercompression_bound(const Record& record) const = 0;
};

// A test in the list of all: everything that is known about it outside of its own file.
struct TestEntry {
    std::string_view name;
    std::string_view title;
    // "sci": bits against the regret, alpha asks for more bits; "significance": has a p-value, which is compared with
    // alpha; "information": a threshold without alpha.
    std::string_view family;
    std::vector<Option> options;
    std::unique_ptr<const Test> (*make)(const Settings& settings);
};

// All of them, by family.
std::span<const TestEntry> tests();

// min_effect raises the threshold by so many bits per row. Throws std::invalid_argument if the test is unknown or does
// not take the options.
std::unique_ptr<const Test> make_test(std::string_view name, std::optional<double> alpha = {},
                                      const Settings::Values& options = {}, double min_effect = 0);

} // namespace bitsep
