// The perfect test: d-separation in a known DAG, on bitsets.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bitsep/engine.hpp"

namespace bitsep {

// Parents, children and ancestors of every node as rows of 64-bit words.
class DagBitsets {
public:
    // Edges must be acyclic; throws std::invalid_argument otherwise.
    DagBitsets(std::size_t nodes, std::span<const std::int32_t> from, std::span<const std::int32_t> to);

    std::size_t size() const { return nodes_; }
    std::size_t words() const { return words_; }
    const std::uint64_t* parents(std::size_t node) const { return parents_.data() + node * words_; }
    const std::uint64_t* children(std::size_t node) const { return children_.data() + node * words_; }
    const std::uint64_t* ancestors(std::size_t node) const { return ancestors_.data() + node * words_; } // and itself

private:
    std::size_t nodes_, words_;
    std::vector<std::uint64_t> parents_, children_, ancestors_;
};

// Scores +1 bit (d-connected) or -1 bit (d-separated).
class SeparationTester final : public Tester {
public:
    explicit SeparationTester(const DagBitsets& dag);
    Record test(std::int32_t x, std::int32_t y, std::span<const std::int32_t> given) override;

    bool separated(std::size_t x, std::size_t y, std::span<const std::int32_t> given);

private:
    const DagBitsets& dag_;
    std::vector<std::uint64_t> given_, opened_, up_, down_, open_up_, open_down_;
};

} // namespace bitsep
