// Counting row by row: into a dense table where it fits, by sorting keys where it does not.
#include <algorithm>
#include <optional>

#include "bitsep/counter.hpp"
#include "row_keys.hpp"

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

// The rows without a missing value; nothing where that is all rows.
std::optional<std::vector<std::size_t>> complete_rows(const std::vector<const Column*>& columns, std::size_t rows) {
    if (std::none_of(columns.begin(), columns.end(), [](const Column* column) { return column->has_missing(); }))
        return std::nullopt;
    std::vector<std::uint8_t> missing(rows);
    for (const Column* column : columns)
        std::visit(
            [&](auto codes) {
                for (std::size_t row = 0; row < rows; ++row)
                    missing[row] |= codes[row] < 0;
            },
            column->codes());
    std::vector<std::size_t> complete;
    for (std::size_t row = 0; row < rows; ++row)
        if (!missing[row])
            complete.push_back(row);
    return complete;
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

SortedCells Counter::by_sorting(std::size_t x, std::size_t y, Variables z) {
    std::vector<const Column*> columns;
    for (const std::int32_t variable : z)
        columns.push_back(&table_.column(static_cast<std::size_t>(variable)));
    const Column &cx = table_.column(x), &cy = table_.column(y);
    columns.push_back(&cx);
    columns.push_back(&cy);
    const std::optional<std::vector<std::size_t>> complete = complete_rows(columns, table_.rows());
    RowKeys keys(table_, complete ? &*complete : nullptr);
    std::vector<std::uint64_t> pairs;
    for (const Column* column : columns) {
        if (!keys.fits(*column)) {
            std::vector<std::uint64_t> ranked = keys.replace_by_ranks(*sorted_);
            if (column == &cy) // stratum and x must stay known
                pairs = std::move(ranked);
        }
        keys.add(*column);
    }
    sorted_->assign(keys, table_.weighted());
    return {*sorted_, std::move(pairs), bits_of(cx), bits_of(cy)};
}

} // namespace bitsep
