// What each way of counting costs, over rows, levels and given variables: the figures that the constants of the cost
// model are fitted to (benchmarks/calibrate.py). Prints JSON.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "bitsep/counter.hpp"
#include "bitsep/table.hpp"

namespace {

constexpr std::size_t variables = 8;
constexpr double longest = 0.05; // seconds; a way of counting that takes longer for one test is not measured further

volatile std::uint64_t sink; // keeps the compiler from removing the computation

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// All sets of so many variables, ascending.
std::vector<std::vector<std::int32_t>> sets_of(std::size_t size) {
    std::vector<std::vector<std::int32_t>> sets;
    for (unsigned mask = 0; mask < 1u << variables; ++mask) {
        std::vector<std::int32_t> set;
        for (std::int32_t v = 0; v < static_cast<std::int32_t>(variables); ++v)
            if (mask >> v & 1)
                set.push_back(v);
        if (set.size() == size)
            sets.push_back(set);
    }
    return sets;
}

struct Data {
    std::vector<std::vector<std::int8_t>> codes;
    std::int64_t levels;

    Data(std::size_t rows, std::int64_t size) : codes(variables, std::vector<std::int8_t>(rows)), levels(size) {
        std::mt19937_64 random(1);
        for (auto& column : codes)
            for (std::int8_t& code : column)
                code = static_cast<std::int8_t>(random() % static_cast<std::uint64_t>(levels));
    }
    bitsep::Table table() const {
        std::vector<bitsep::Column> columns;
        for (const auto& column : codes)
            columns.emplace_back(bitsep::Codes(std::span<const std::int8_t>(column)), levels);
        return bitsep::Table(std::move(columns), codes[0].size(), {});
    }
};

void run(bitsep::Counter& counter, const std::vector<std::int32_t>& set, bitsep::Way way) {
    const auto z = std::span(set).subspan(2);
    static const auto test = bitsep::make_test("sci_f");
    const auto record = counter.test(*test, static_cast<std::size_t>(set[0]), static_cast<std::size_t>(set[1]), z, way);
    sink = sink + static_cast<std::uint64_t>(record.strata);
}

// Seconds of one test given so many variables: the best of some rounds, each over all sets of variables. Every round
// has a table of its own, whose bitmaps and smaller sets are known and whose sets of this size are not.
double seconds(const Data& data, std::size_t given, bitsep::Way way) {
    const auto sets = sets_of(given + 2);
    double best = 1e9;
    for (int round = 0; round < 7; ++round) {
        const bitsep::Table table = data.table();
        bitsep::Counter counter(table);
        for (std::size_t v = 0; v < variables; ++v)
            if (table.column(v).can_have_bitmaps())
                table.column(v).present();
        if (way == bitsep::Way::margins)
            for (std::size_t size = 2; size < given + 2; ++size)
                for (const auto& set : sets_of(size))
                    run(counter, set, way);
        const double begin = now();
        std::size_t done = 0;
        for (const auto& set : sets) {
            run(counter, set, way);
            ++done;
            if (way != bitsep::Way::margins && now() - begin > longest)
                break;
        }
        best = std::min(best, (now() - begin) / static_cast<double>(done));
    }
    return best;
}

} // namespace

int main() {
    struct Named {
        const char* name;
        bitsep::Way way;
    };
    const Named ways[] = {{"margins", bitsep::Way::margins},
                          {"bitmaps", bitsep::Way::bitmaps},
                          {"row_scan", bitsep::Way::row_scan},
                          {"sort", bitsep::Way::sort}};
    bool first = true;
    std::printf("[\n");
    for (const std::size_t rows : {300u, 1'000u, 3'000u, 10'000u, 30'000u, 100'000u, 300'000u})
        for (const std::int64_t levels : {2, 3, 4, 5, 8, 12, 20, 32}) {
            const Data data(rows, levels);
            for (std::size_t given = 0; given <= 3; ++given) {
                const double cells = std::pow(static_cast<double>(levels), static_cast<double>(given + 2));
                if (cells > 1e6)
                    continue;
                for (const auto& [name, way] : ways) {
                    if (way == bitsep::Way::margins && cells > bitsep::CountCache::max_cells)
                        continue;
                    std::printf("%s {\"way\": \"%s\", \"rows\": %zu, \"levels\": %d, \"given\": %zu, \"seconds\": %g}",
                                first ? "" : ",\n", name, rows, static_cast<int>(levels), given,
                                seconds(data, given, way));
                    first = false;
                }
            }
        }
    std::printf("\n]\n");
}
