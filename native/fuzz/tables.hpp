// Small tables of rows from bytes, in all types of codes, and their counts by the definition.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "bitsep/counter.hpp"
#include "bytes.hpp"

namespace bitsep::fuzz {

struct RandomTable {
    std::vector<std::int64_t> levels;
    std::vector<std::vector<std::int32_t>> codes; // by variable
    std::vector<std::vector<std::int8_t>> narrow; // the same where the type is narrower
    std::vector<std::vector<std::int16_t>> middle;
    std::vector<std::int64_t> weights;
    std::size_t rows = 0;

    // `variables` columns; rows as long as there are bytes.
    RandomTable(Bytes& bytes, std::size_t variables, std::size_t most_rows, bool may_have_weights) {
        const unsigned shape = bytes.byte();
        const bool missing = (shape & 1) != 0, weighted = may_have_weights && (shape & 2) != 0;
        const unsigned weight_bits = (shape & 4) != 0 ? 48 : 4;
        constexpr std::int64_t sizes[] = {1, 2, 3, 4, 5, 7, 32, 33, 127, 300, 65'537};
        const unsigned kinds = bytes.one_in(256) ? std::size(sizes) : bytes.one_in(16) ? 9 : 6;
        for (std::size_t v = 0; v < variables; ++v)
            levels.push_back(sizes[bytes.below(kinds)]);
        codes.resize(variables);
        while (rows < most_rows && (rows == 0 || !bytes.empty())) {
            for (std::size_t v = 0; v < variables; ++v) {
                const auto last = static_cast<std::int32_t>(levels[v]) - 1;
                std::int32_t code = bytes.byte();
                if (missing && code == 255)
                    code = -1;
                else if (code >= 128) // the last levels of a large domain, too
                    code = std::max(0, last - (code - 128) % (last + 1));
                else
                    code %= last + 1;
                codes[v].push_back(code);
            }
            if (weighted)
                weights.push_back(static_cast<std::int64_t>(bytes.count(weight_bits)));
            ++rows;
        }
        narrow.resize(variables);
        middle.resize(variables);
        for (std::size_t v = 0; v < variables; ++v)
            if (levels[v] <= 127)
                narrow[v].assign(codes[v].begin(), codes[v].end());
            else if (levels[v] <= 32'767)
                middle[v].assign(codes[v].begin(), codes[v].end());
    }

    Table table() const {
        std::vector<Column> columns;
        for (std::size_t v = 0; v < levels.size(); ++v)
            if (levels[v] <= 127)
                columns.emplace_back(Codes(std::span(narrow[v])), levels[v]);
            else if (levels[v] <= 32'767)
                columns.emplace_back(Codes(std::span(middle[v])), levels[v]);
            else
                columns.emplace_back(Codes(std::span(codes[v])), levels[v]);
        return Table(std::move(columns), rows, weights, std::size_t{1} << 16);
    }

    // Occupied cells of x and y given z, row by row into a map.
    Counts counts(std::size_t x, std::size_t y, std::span<const std::int32_t> z) const {
        std::map<std::vector<std::int32_t>, std::int64_t> cells;
        for (std::size_t row = 0; row < rows; ++row) {
            std::vector<std::int32_t> cell;
            for (const std::int32_t v : z)
                cell.push_back(codes[static_cast<std::size_t>(v)][row]);
            cell.push_back(codes[x][row]);
            cell.push_back(codes[y][row]);
            const std::int64_t weight = weights.empty() ? 1 : weights[row];
            if (weight > 0 && std::ranges::find(cell, -1) == cell.end())
                cells[cell] += weight;
        }
        Counts found;
        std::vector<std::int32_t> stratum;
        std::int64_t number = -1;
        for (const auto& [cell, count] : cells) {
            std::vector<std::int32_t> of(cell.begin(), cell.end() - 2);
            if (number < 0 || of != stratum)
                ++number;
            stratum = std::move(of);
            found.stratum.push_back(number);
            found.x.push_back(cell[z.size()]);
            found.y.push_back(cell[z.size() + 1]);
            found.count.push_back(count);
        }
        return found;
    }

    Sizes sizes(const Table& table, std::size_t x, std::size_t y, std::span<const std::int32_t> z) const {
        double product = 1;
        for (const std::int32_t v : z)
            product *= static_cast<double>(levels[static_cast<std::size_t>(v)]);
        return {levels[x], levels[y], product, table.total_weight()};
    }
};

} // namespace bitsep::fuzz
