// Random tables, and their counts by the definition.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "bitsep/counter.hpp"
#include "bitsep/kernels.hpp"
#include "bitsep/table.hpp"

namespace bitsep {

struct Data {
    std::vector<std::int64_t> levels;
    std::vector<std::vector<std::int8_t>> columns;
    std::vector<std::int64_t> weights;

    std::size_t rows() const { return columns[0].size(); }
    Table table() const {
        std::vector<Column> made;
        for (std::size_t i = 0; i < columns.size(); ++i)
            made.emplace_back(Codes(std::span<const std::int8_t>(columns[i])), levels[i]);
        return Table(std::move(made), rows(), weights);
    }
};

inline Data random_rows(std::mt19937& random, const std::vector<std::int64_t>& levels, std::size_t rows,
                        double missing = 0) {
    Data data{levels, {}, {}};
    std::uniform_real_distribution<double> coin(0, 1);
    for (const std::int64_t k : levels) {
        auto& column = data.columns.emplace_back();
        for (std::size_t row = 0; row < rows; ++row)
            column.push_back(coin(random) < missing ? std::int8_t{-1}
                                                    : static_cast<std::int8_t>(random() % static_cast<unsigned>(k)));
    }
    return data;
}

inline std::vector<std::int64_t> random_levels(std::mt19937& random, std::size_t variables, unsigned most) {
    std::vector<std::int64_t> levels;
    for (std::size_t i = 0; i < variables; ++i)
        levels.push_back(1 + static_cast<std::int64_t>(random() % most));
    return levels;
}

inline bool same(const Record& a, const Record& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

// Occupied cells of columns 0 and 1 given z, row by row into a map.
inline Counts counts_by_definition(const Data& data, std::span<const std::int32_t> z) {
    std::map<std::tuple<std::vector<std::int8_t>, std::int8_t, std::int8_t>, std::int64_t> cells;
    for (std::size_t row = 0; row < data.rows(); ++row) {
        const std::int8_t x = data.columns[0][row], y = data.columns[1][row];
        std::vector<std::int8_t> given;
        for (const std::int32_t variable : z)
            given.push_back(data.columns[static_cast<std::size_t>(variable)][row]);
        const bool complete = x >= 0 && y >= 0 && std::ranges::none_of(given, [](auto code) { return code < 0; });
        const std::int64_t weight = data.weights.empty() ? 1 : data.weights[row];
        if (complete && weight > 0)
            cells[{given, x, y}] += weight;
    }
    Counts counts;
    std::vector<std::int8_t> stratum;
    std::int64_t number = -1;
    for (const auto& [cell, count] : cells) {
        if (number < 0 || std::get<0>(cell) != stratum)
            ++number;
        stratum = std::get<0>(cell);
        counts.stratum.push_back(number);
        counts.x.push_back(std::get<1>(cell));
        counts.y.push_back(std::get<2>(cell));
        counts.count.push_back(count);
    }
    return counts;
}

// Records of tests counted in one way, against those of the same tests on counts by definition, with every kernel.
inline void check_way(Way way, bool weighted) {
    std::mt19937 random(static_cast<unsigned>(way) + 1);
    for (std::size_t round = 0; round < 40; ++round) {
        const std::size_t rows = 1 + random() % (round % 10 == 0 ? 40000 : 700);
        Data data = random_rows(random, random_levels(random, 5, 6), rows, round % 2 != 0 ? 0.1 : 0.0);
        for (std::size_t row = 0; weighted && row < rows; ++row)
            data.weights.push_back(static_cast<std::int64_t>(random() % 4));
        const std::vector<std::int32_t> all{2, 3, 4};
        const std::span<const std::int32_t> z(all.data(), random() % 4);
        const auto test = make_test(tests()[round % tests().size()].name);
        const Counts counts = counts_by_definition(data, z);
        const Table table = data.table();
        double product_z = 1;
        for (const std::int32_t variable : z)
            product_z *= static_cast<double>(data.levels[static_cast<std::size_t>(variable)]);
        const Record expected = test_cells(*test, {data.levels[0], data.levels[1], product_z, table.total_weight()},
                                           counts.stratum, counts.x, counts.y, counts.count);
        for (const Kernel* kernel : available_kernels()) {
            force_kernel(kernel->name);
            CAPTURE(kernel->name);
            CHECK(same(Counter(table).test(*test, 0, 1, z, way), expected));
        }
    }
    force_kernel("");
}

} // namespace bitsep
