// Counting row by row: into a dense table where it fits, by sorting keys where it does not.
#include <algorithm>

#include "bitsep/counter.hpp"
#include "radix_sort.hpp"

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

// Keys that order rows by (Z, x, y), sorted, and runs of equal keys counted. Cost and memory are those of the rows,
// whatever the domain sizes: when the next variable would overflow the key, the keys so far are replaced by their rank.
void Counter::by_sorting(std::size_t x, std::size_t y, Variables z) {
    std::vector<const Column*> columns;
    for (const std::int32_t variable : z)
        columns.push_back(&table_.column(static_cast<std::size_t>(variable)));
    columns.push_back(&table_.column(x));
    columns.push_back(&table_.column(y));

    std::vector<std::size_t> rows; // those without a missing value, where there are any with
    const bool some_missing =
        std::any_of(columns.begin(), columns.end(), [](const Column* column) { return column->has_missing(); });
    if (some_missing) {
        for (std::size_t row = 0; row < table_.rows(); ++row)
            if (std::all_of(columns.begin(), columns.end(),
                            [row](const Column* column) { return code_at(column->codes(), row) >= 0; }))
                rows.push_back(row);
    }
    const std::size_t n = some_missing ? rows.size() : table_.rows();
    std::vector<std::uint64_t> key(n, 0);
    std::uint64_t range = 1; // keys are below it
    std::vector<std::uint64_t> no_weights, no_weights_scratch;

    // Replaces keys by their rank among the distinct ones; order is kept. Returns the distinct keys.
    const auto compress = [&] {
        keys_ = key;
        radix_sort(keys_, other_keys_, no_weights, no_weights_scratch, range - 1);
        keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
        for (std::uint64_t& value : key)
            value = static_cast<std::uint64_t>(std::lower_bound(keys_.begin(), keys_.end(), value) - keys_.begin());
        range = keys_.size();
        return keys_;
    };
    const auto extend = [&](const Column& column) {
        const auto levels = static_cast<std::uint64_t>(column.levels());
        std::visit(
            [&](auto codes) {
                if (some_missing)
                    for (std::size_t i = 0; i < n; ++i)
                        key[i] = key[i] * levels + static_cast<std::uint64_t>(codes[rows[i]]);
                else
                    for (std::size_t i = 0; i < n; ++i)
                        key[i] = key[i] * levels + static_cast<std::uint64_t>(codes[i]);
            },
            column.codes());
        range *= std::max<std::uint64_t>(levels, 1);
    };
    const auto overflows = [&](const Column& column) {
        return static_cast<double>(range) * static_cast<double>(column.levels()) > 0x1p62;
    };

    sparse_.clear();
    if (n == 0)
        return;
    for (std::size_t i = 0; i + 2 < columns.size(); ++i) {
        if (overflows(*columns[i]))
            compress();
        extend(*columns[i]);
    }
    // X and Y are taken apart again below: whatever was compressed before X stays known as the stratum.
    const Column &cx = *columns[columns.size() - 2], &cy = *columns.back();
    if (overflows(cx))
        compress();
    extend(cx);
    std::vector<std::uint64_t> pairs; // (stratum, x) by rank, where they had to be compressed
    if (overflows(cy))
        pairs = compress();
    extend(cy);

    weights_.clear();
    if (table_.weighted())
        for (std::size_t i = 0; i < n; ++i)
            weights_.push_back(static_cast<std::uint64_t>(table_.weights()[some_missing ? rows[i] : i]));
    keys_.swap(key);
    radix_sort(keys_, other_keys_, weights_, other_weights_, range - 1);

    const auto kx = static_cast<std::uint64_t>(cx.levels()), ky = static_cast<std::uint64_t>(cy.levels());
    std::int64_t stratum = -1;
    std::uint64_t stratum_key = 0;
    for (std::size_t i = 0; i < n;) {
        std::size_t end = i + 1;
        while (end < n && keys_[end] == keys_[i])
            ++end;
        std::uint64_t count = end - i;
        if (table_.weighted()) {
            count = 0;
            for (std::size_t j = i; j < end; ++j)
                count += weights_[j];
        }
        const std::uint64_t pair = pairs.empty() ? keys_[i] / ky : pairs[keys_[i] / ky];
        if (stratum < 0 || pair / kx != stratum_key) {
            stratum_key = pair / kx;
            ++stratum;
        }
        sparse_.push_back(
            {stratum, static_cast<std::int64_t>(pair % kx), static_cast<std::int64_t>(keys_[i] % ky), count});
        i = end;
    }
}

} // namespace bitsep
