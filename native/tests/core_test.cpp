// The library on its own, without Python: built with sanitizers by run_sanitizers.sh.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>

#include "bitsep/d_separation.hpp"
#include "bitsep/engine.hpp"
#include "bitsep/skeleton.hpp"

#include "counting/sort.hpp"

namespace {

int checks = 0, failures = 0;

void expect(bool condition, const std::string& what) {
    ++checks;
    if (!condition) {
        ++failures;
        std::printf("FAILED: %s\n", what.c_str());
    }
}

struct Data {
    std::vector<std::vector<std::int8_t>> columns;
    std::vector<std::int64_t> weights;

    bitsep::Table table(const std::vector<std::int64_t>& levels) const {
        std::vector<bitsep::Column> made;
        for (std::size_t i = 0; i < columns.size(); ++i)
            made.emplace_back(bitsep::Codes(std::span<const std::int8_t>(columns[i])), levels[i]);
        return bitsep::Table(std::move(made), columns[0].size(), weights);
    }
};

Data random_data(std::mt19937& random, const std::vector<std::int64_t>& levels, std::size_t rows, double missing) {
    Data data;
    std::uniform_real_distribution<double> coin(0, 1);
    for (const std::int64_t k : levels) {
        auto& column = data.columns.emplace_back();
        for (std::size_t row = 0; row < rows; ++row)
            column.push_back(coin(random) < missing ? std::int8_t{-1}
                                                    : static_cast<std::int8_t>(random() % static_cast<unsigned>(k)));
    }
    return data;
}

bool same(const bitsep::Record& a, const bitsep::Record& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

// All ways of counting, under every kernel, give the same bits.
void ways_agree() {
    std::mt19937 random(1);
    for (int round = 0; round < 60; ++round) {
        std::vector<std::int64_t> levels;
        for (int i = 0; i < 5; ++i)
            levels.push_back(1 + static_cast<std::int64_t>(random() % 6));
        const std::size_t rows = 1 + random() % (round % 10 == 0 ? 40000 : 700);
        const Data data = random_data(random, levels, rows, round % 2 ? 0.1 : 0.0);
        const bitsep::Table table = data.table(levels);
        const auto test =
            bitsep::make_test(bitsep::tests()[static_cast<std::size_t>(round) % bitsep::tests().size()].name);
        const std::vector<std::int32_t> all{2, 3, 4};
        const std::span<const std::int32_t> z(all.data(), random() % 4);
        bitsep::Record reference;
        bool first = true;
        for (const bitsep::Kernel* kernel : bitsep::available_kernels()) {
            bitsep::force_kernel(kernel->name);
            bitsep::Counter counter(table);
            for (const auto way :
                 {bitsep::Way::bitmaps, bitsep::Way::margins, bitsep::Way::row_scan, bitsep::Way::sort}) {
                const bitsep::Record record = counter.test(*test, 0, 1, z, way);
                if (first)
                    reference = record;
                first = false;
                expect(same(record, reference), "ways agree, kernel " + std::string(kernel->name));
            }
        }
        bitsep::force_kernel("");
    }
}

// Codes rewritten by every kernel, with and without a rest, few levels and many.
void codes_are_rewritten() {
    std::mt19937 random(5);
    for (const bitsep::Kernel* kernel : bitsep::available_kernels()) {
        bitsep::force_kernel(kernel->name);
        for (const int levels : {1, 3, 16, 17, 128})
            for (const std::size_t rows : {std::size_t{1}, std::size_t{64}, std::size_t{1000}}) {
                std::vector<std::int8_t> codes(rows), table(static_cast<std::size_t>(levels)), expected;
                for (std::int8_t& entry : table)
                    entry = static_cast<std::int8_t>(static_cast<int>(random() % 101) - 1);
                for (std::int8_t& code : codes) {
                    code = static_cast<std::int8_t>(static_cast<int>(random() % static_cast<unsigned>(levels + 1)) - 1);
                    expected.push_back(code < 0 ? code : table[static_cast<std::size_t>(code)]);
                }
                expect(bitsep::recoded(codes, table) == expected, "codes are rewritten");
            }
    }
    bitsep::force_kernel("");
}

// More tables than the cache holds: what no longer fits is counted all the same.
void full_cache_changes_nothing() {
    std::mt19937 random(4);
    const std::vector<std::int64_t> levels(38, 16);
    const Data data = random_data(random, levels, 300, 0);
    const bitsep::Table table = data.table(levels);
    const auto first = table.cache();
    bitsep::Counter counter(table);
    const auto test = bitsep::make_test("sci_f");
    for (std::int32_t x = 0; x < 38; ++x)
        for (std::int32_t y = x + 1; y < 38; ++y)
            for (std::int32_t v = y + 1; v < 38; ++v) {
                const auto a = static_cast<std::size_t>(x), b = static_cast<std::size_t>(y);
                const bitsep::Record record = counter.test(*test, a, b, {&v, 1}, bitsep::Way::margins);
                if ((x + y + v) % 50 == 0)
                    expect(same(record, counter.test(*test, a, b, {&v, 1}, bitsep::Way::sort)), "a full cache");
            }
    expect(first->full(), "the cache is full");
    expect(!table.cache()->full(), "who asks later gets a fresh cache");
}

void weights_are_repeated_rows() {
    std::mt19937 random(2);
    const std::vector<std::int64_t> levels{2, 3, 4};
    Data weighted = random_data(random, levels, 200, 0.05), repeated;
    repeated.columns.resize(3);
    for (std::size_t row = 0; row < 200; ++row) {
        weighted.weights.push_back(static_cast<std::int64_t>(random() % 4));
        for (std::int64_t copy = 0; copy < weighted.weights.back(); ++copy)
            for (std::size_t column = 0; column < 3; ++column)
                repeated.columns[column].push_back(weighted.columns[column][row]);
    }
    const bitsep::Table one = weighted.table(levels), other = repeated.table(levels);
    const std::vector<std::int32_t> z{2};
    const auto test = bitsep::make_test("sci_f");
    expect(same(bitsep::Counter(one).test(*test, 0, 1, z), bitsep::Counter(other).test(*test, 0, 1, z)),
           "weights are repeated rows");
}

// Keys as a vector has them.
struct GivenKeys {
    const std::vector<std::uint64_t>& keys;
    int key_bits;

    std::size_t rows() const { return keys.size(); }
    int bits() const { return key_bits; }
    int leading(std::size_t begin, std::span<std::uint64_t> target, int wanted) const {
        const int bits = std::min(key_bits, wanted + 3); // a few more than wanted, as columns have them
        for (std::size_t i = 0; i < target.size(); ++i)
            target[i] = keys[begin + i] >> (key_bits - bits);
        return bits;
    }
    void weights(std::size_t begin, std::span<std::uint64_t> target) const {
        for (std::size_t i = 0; i < target.size(); ++i)
            target[i] = weight_of(keys[begin + i]);
    }
    static std::uint64_t weight_of(std::uint64_t key) { return key % 7; }
};

// Every size of bucket, keys that share their upper or lower digits, and weights that go where their keys go.
void rows_are_sorted() {
    std::mt19937_64 random(4);
    bitsep::SortedRows sorted; // one for all: what it held before must not show
    for (const std::size_t n : {0, 1, 2, 63, 65, 300, 1023, 1025, 2048, 2049, 5000, 40000})
        for (const int bits : {1, 7, 8, 9, 16, 17, 34, 38, 39, 63, 64})
            for (const int spread : {64, 20, 3}) { // how many of the bits differ
                std::vector<std::uint64_t> keys(n);
                const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
                for (std::uint64_t& key : keys)
                    key = (spread == 64 ? random() : random() % (std::uint64_t{1} << spread) * 0x9e3779b97f4a7c15u) &
                          mask;
                for (const bool weighted : {false, true}) {
                    std::map<std::uint64_t, std::uint64_t> expected;
                    for (const std::uint64_t key : keys)
                        expected[key] += weighted ? GivenKeys::weight_of(key) : 1;
                    sorted.assign(GivenKeys{keys, bits}, weighted);
                    auto next = expected.begin();
                    bool right = true;
                    sorted.each([&](std::uint64_t key, std::uint64_t count) {
                        right = right && next != expected.end() && next->first == key && next->second == count;
                        next = right ? std::next(next) : next;
                    });
                    expect(right && next == expected.end(), "rows are sorted, and equal ones counted");
                }
            }
}

void skeletons_agree() {
    std::mt19937 random(5);
    const std::vector<std::int64_t> levels(12, 3);
    Data data = random_data(random, levels, 400, 0);
    for (std::size_t column = 1; column < 12; ++column) // a chain of copies with noise
        for (std::size_t row = 0; row < 400; ++row)
            if (random() % 3 != 0)
                data.columns[column][row] = data.columns[column - 1][row];
    const auto search = [&](int threads) {
        const bitsep::Table table = data.table(levels);
        const auto test = bitsep::make_test("sci_f");
        const auto make = [&] { return std::make_unique<bitsep::CountingTester>(table, *test); };
        bitsep::SkeletonSearch found(12, {}, {}, {}, 12, 1000);
        found.run([&](const bitsep::Tasks& tasks, bitsep::Answers& answers) {
            return bitsep::separate(make, tasks, threads, nullptr, answers);
        });
        return found;
    };
    const bitsep::SkeletonSearch alone = search(1), together = search(4);
    expect(std::ranges::equal(alone.adjacent(), together.adjacent()) && alone.tests() == together.tests() &&
               alone.colliders() == together.colliders(),
           "skeletons agree");
    expect(alone.batches().size() > 1 && alone.batches().size() == together.batches().size(), "in several levels");
}

void threads_agree() {
    std::mt19937 random(3);
    const std::vector<std::int64_t> levels(8, 3);
    const Data data = random_data(random, levels, 500, 0);
    const bitsep::Table table = data.table(levels);
    const auto test = bitsep::make_test("sci_f");
    std::vector<std::int32_t> x, y, items;
    std::vector<std::int64_t> offsets{0};
    for (std::int32_t a = 0; a < 8; ++a)
        for (std::int32_t b = a + 1; b < 8; ++b) {
            x.push_back(a);
            y.push_back(b);
            for (std::int32_t c = 0; c < 8; ++c)
                if (c != a && c != b)
                    items.push_back(c);
            offsets.push_back(static_cast<std::int64_t>(items.size()));
        }
    const bitsep::Tasks tasks{x, y, {offsets, items}, {}, {}, 0, 3, false};
    const auto make = [&] { return std::make_unique<bitsep::CountingTester>(table, *test); };
    bitsep::Answers alone, together;
    bitsep::separate(make, tasks, 1, nullptr, alone);
    bitsep::separate(make, tasks, 4, nullptr, together);
    for (std::size_t i = 0; i < x.size(); ++i)
        expect(std::ranges::equal(alone[i].given, together[i].given) && same(alone[i].record, together[i].record) &&
                   std::ranges::equal(alone[i].runner_up, together[i].runner_up) && alone[i].tests == 42,
               "threads agree");
}

void stopped_searches_answer_nothing() {
    bitsep::Answers answers(2, 1);
    bitsep::Answers::ThreadResults results;
    bitsep::Finding found;
    found.tests = 3;
    found.separated = true;
    found.given = {4, 7};
    answers.set(1, 0, results.add(found), found.separated);
    answers.merge(0, std::move(results));
    expect(!answers.separated(0) && answers[0].tests == 0 && answers[0].given.empty(), "no answer yet");
    expect(answers.separated(1) && answers[1].tests == 3 && answers[1].given.size() == 2 && answers[1].given[1] == 7 &&
               !answers[1].has_runner_up && answers[1].runner_up.empty() && answers.tests() == 3,
           "an answer is found again");
}

void oracle_knows_colliders() {
    const std::vector<std::int32_t> from{0, 1, 2}, to{2, 2, 3}; // 0 -> 2 <- 1, 2 -> 3
    const bitsep::DagBitsets dag(4, from, to);
    bitsep::SeparationTester tester(dag);
    const std::vector<std::int32_t> collider{2}, descendant{3};
    expect(tester.separated(0, 1, {}), "a collider blocks");
    expect(!tester.separated(0, 1, collider), "a given collider opens");
    expect(!tester.separated(0, 1, descendant), "so does its descendant");
    expect(tester.separated(0, 3, collider), "a given middle blocks");
}

} // namespace

int main() {
    ways_agree();
    codes_are_rewritten();
    full_cache_changes_nothing();
    weights_are_repeated_rows();
    rows_are_sorted();
    skeletons_agree();
    threads_agree();
    stopped_searches_answer_nothing();
    oracle_knows_colliders();
    std::printf("%d passed, %d failed\n", checks - failures, failures);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
