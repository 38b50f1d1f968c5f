// The skeleton search: with the d-separation oracle of any DAG it finds the edges and v-structures of that DAG; with
// answers that fit no graph it ends, with a result that fits the answers.
#include <algorithm>

#include "bitsep/d_separation.hpp"
#include "bitsep/skeleton.hpp"
#include "bytes.hpp"

using namespace bitsep;
using namespace bitsep::fuzz;

namespace {

// A verdict that follows from the question and the input alone.
class AnyTester final : public Tester {
public:
    explicit AnyTester(std::uint64_t key) : key_(key) {}
    Record test(std::int32_t x, std::int32_t y, std::span<const std::int32_t> given) override {
        std::uint64_t mixed = key_ + static_cast<std::uint64_t>(x) * 31 + static_cast<std::uint64_t>(y);
        for (const std::int32_t z : given)
            mixed = mixed * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(z);
        mixed = (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9u;
        Record record;
        record.independent = (mixed >> 40 & 3) == 0;
        record.score_bits = record.independent ? -1.0 - static_cast<double>(mixed >> 60) : 1.0;
        return record;
    }

private:
    std::uint64_t key_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    const std::size_t n = 2 + bytes.below(bytes.one_in(16) ? 5 : 3);
    const unsigned settings = bytes.byte();
    const bool stop_at_first = (settings & 1) != 0, any = (settings & 2) != 0;
    const std::size_t most = (settings & 4) != 0 ? 1 : 1000;
    std::vector<std::int32_t> from, to;
    std::vector<std::uint8_t> edge(n * n);
    for (std::size_t b = 1; b < n; ++b)
        for (std::size_t a = 0, set = bytes.byte(); a < b; ++a)
            if ((set >> a & 1) != 0) {
                from.push_back(static_cast<std::int32_t>(a));
                to.push_back(static_cast<std::int32_t>(b));
                edge[a * n + b] = edge[b * n + a] = 1;
            }
    const DagBitsets dag(n, from, to);
    const std::uint64_t key = any ? bytes.word() : 0;
    const MakeTester make = [&]() -> std::unique_ptr<Tester> {
        if (any)
            return std::make_unique<AnyTester>(key);
        return std::make_unique<SeparationTester>(dag);
    };
    SkeletonSearch search(n, {}, {}, {}, any ? bytes.below(7) : n, most, stop_at_first);
    require(
        search.run([&](const Tasks& tasks, Answers& answers) { return separate(make, tasks, 1, nullptr, answers); }),
        "nothing stops the search");
    const auto adjacent = search.adjacent();
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b)
            require(adjacent[a * n + b] == adjacent[b * n + a] && (a != b || adjacent[a * n + b] == 0), "symmetric");
    const auto colliders = search.colliders();
    for (std::size_t i = 0; i < colliders.size(); i += 3) {
        const auto a = static_cast<std::size_t>(colliders[i]), c = static_cast<std::size_t>(colliders[i + 1]),
                   b = static_cast<std::size_t>(colliders[i + 2]);
        require(adjacent[a * n + c] != 0 && adjacent[b * n + c] != 0 && adjacent[a * n + b] == 0, "v-structures");
    }
    if (any)
        return 0;
    require(std::ranges::equal(adjacent, edge), "the skeleton of the DAG");
    std::vector<std::int32_t> expected;
    const auto is_parent = [&](std::size_t a, std::size_t c) { return a < c && edge[a * n + c] != 0; };
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a + 1; b < n; ++b)
            for (std::size_t c = 0; c < n; ++c)
                if (edge[a * n + b] == 0 && is_parent(a, c) && is_parent(b, c))
                    for (const std::size_t v : {a, c, b})
                        expected.push_back(static_cast<std::int32_t>(v));
    require(colliders == expected, "the v-structures of the DAG");
    return 0;
}
