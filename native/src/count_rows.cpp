// Counting row by row: into a dense table where it fits, by sorting keys where it does not.
#include <algorithm>
#include <bit>

#include "bitsep/counter.hpp"
#include "radix_sort.hpp"
#include "sorted_cells.hpp"

namespace bitsep {

namespace {

constexpr std::size_t block_rows = 4096;

// index = index * levels + code for a block of rows. Rows that miss a value get nonsense here, see drop_missing.
void extend_index(std::uint32_t* index, const Column& column, std::size_t begin, std::size_t rows, bool first) {
    const auto levels = static_cast<std::uint32_t>(column.levels());
    std::visit(
        [&](auto codes) {
            const auto* code = codes.data() + begin;
            if (first)
                for (std::size_t i = 0; i < rows; ++i)
                    index[i] = static_cast<std::uint32_t>(code[i]);
            else
                for (std::size_t i = 0; i < rows; ++i)
                    index[i] = index[i] * levels + static_cast<std::uint32_t>(code[i]);
        },
        column.codes());
}

// Sends the rows that miss a value in this column to the index `missing`.
void drop_missing(std::uint32_t* index, const Column& column, std::size_t begin, std::size_t rows,
                  std::uint32_t missing) {
    std::visit(
        [&](auto codes) {
            const auto* code = codes.data() + begin;
            for (std::size_t i = 0; i < rows; ++i)
                index[i] = code[i] < 0 ? missing : index[i];
        },
        column.codes());
}

// The rows without a missing value, and one more entry for the end; nothing where that is all rows.
std::vector<std::size_t> complete_rows(const std::vector<const Column*>& columns, std::size_t rows) {
    std::vector<std::size_t> complete;
    if (std::none_of(columns.begin(), columns.end(), [](const Column* column) { return column->has_missing(); }))
        return complete;
    std::vector<std::uint8_t> missing(rows);
    for (const Column* column : columns)
        std::visit(
            [&](auto codes) {
                for (std::size_t row = 0; row < rows; ++row)
                    missing[row] |= codes[row] < 0;
            },
            column->codes());
    for (std::size_t row = 0; row < rows; ++row)
        if (!missing[row])
            complete.push_back(row);
    complete.push_back(rows);
    return complete;
}

// Of the codes of a column.
int bits_of(const Column& column) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(column.levels(), 1) - 1)));
}

} // namespace

template <class Count>
void Counter::by_row_scan(std::vector<Count>& cells, std::size_t x, std::size_t y, Variables z) {
    std::vector<const Column*> columns;
    std::size_t size = 1;
    for (const std::int32_t variable : z)
        columns.push_back(&table_.column(static_cast<std::size_t>(variable)));
    columns.push_back(&table_.column(x));
    columns.push_back(&table_.column(y));
    for (const Column* column : columns)
        size *= static_cast<std::size_t>(column->levels());
    cells.assign(size + 1, 0); // the last one takes the rows with a missing value
    index_.resize(block_rows);

    for (std::size_t begin = 0; begin < table_.rows(); begin += block_rows) {
        const std::size_t rows = std::min(block_rows, table_.rows() - begin);
        const auto missing = static_cast<std::uint32_t>(size);
        for (const Column* column : columns)
            extend_index(index_.data(), *column, begin, rows, column == columns.front());
        for (const Column* column : columns)
            if (column->has_missing())
                drop_missing(index_.data(), *column, begin, rows, missing);
        if (table_.weighted())
            for (std::size_t i = 0; i < rows; ++i)
                cells[index_[i]] += static_cast<Count>(table_.weights()[begin + i]);
        else
            for (std::size_t i = 0; i < rows; ++i)
                ++cells[index_[i]];
    }
    cells.pop_back();
}

template void Counter::by_row_scan(std::vector<std::uint32_t>&, std::size_t, std::size_t, Variables);
template void Counter::by_row_scan(std::vector<std::uint64_t>&, std::size_t, std::size_t, Variables);

// Keys that order rows by (Z, x, y), sorted. Cost and memory are those of the rows, whatever the domain sizes: when the
// next variable would overflow the key, the keys so far are replaced by their rank.
SortedCells Counter::by_sorting(std::size_t x, std::size_t y, Variables z) {
    std::vector<const Column*> columns;
    for (const std::int32_t variable : z)
        columns.push_back(&table_.column(static_cast<std::size_t>(variable)));
    columns.push_back(&table_.column(x));
    columns.push_back(&table_.column(y));
    const Column &cx = *columns[columns.size() - 2], &cy = *columns.back();
    const std::vector<std::size_t> rows = complete_rows(columns, table_.rows());
    const bool all_rows = rows.empty();
    const std::size_t n = all_rows ? table_.rows() : rows.size() - 1; // one more entry marks the end
    keys_.resize(n);
    weights_.clear();
    pairs_.clear();
    int bits = 0; // of the keys so far

    // Replaces keys by their rank among the distinct ones, in order.
    std::vector<std::uint64_t> distinct;
    const auto compress = [&] {
        distinct = keys_;
        radix_sort(distinct, other_keys_, weights_, other_weights_, bits);
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
        for (std::uint64_t& key : keys_)
            key =
                static_cast<std::uint64_t>(std::lower_bound(distinct.begin(), distinct.end(), key) - distinct.begin());
        bits = static_cast<int>(std::bit_width(std::max<std::size_t>(distinct.size(), 1) - 1));
    };
    const auto overflows = [&](const Column& column) { return bits + bits_of(column) > 64; };
    const auto extend = [&](const Column& column, bool first = false) {
        const int width = bits_of(column);
        std::visit(
            [&](auto codes) {
                const auto code = [&](std::size_t i) {
                    return static_cast<std::uint64_t>(codes[all_rows ? i : rows[i]]);
                };
                if (first)
                    for (std::size_t i = 0; i < n; ++i)
                        keys_[i] = code(i);
                else
                    for (std::size_t i = 0; i < n; ++i)
                        keys_[i] = keys_[i] << width | code(i);
            },
            column.codes());
        bits += width;
    };
    for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
        if (overflows(*columns[i]))
            compress();
        extend(*columns[i], i == 0);
    }
    if (overflows(cy)) { // stratum and x must stay known: remember what each rank stands for
        compress();
        pairs_ = distinct;
    }
    extend(cy);
    if (table_.weighted())
        for (std::size_t i = 0; i < n; ++i)
            weights_.push_back(static_cast<std::uint64_t>(table_.weights()[all_rows ? i : rows[i]]));
    if (n > 0)
        radix_sort(keys_, other_keys_, weights_, other_weights_, bits);
    return {keys_, weights_, pairs_, bits_of(cx), bits_of(cy)};
}

} // namespace bitsep
