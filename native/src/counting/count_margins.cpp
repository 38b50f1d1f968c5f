// Counting a set of variables from its margins.
//
// Of the table of a set only the cells are counted in which no variable is at its last level: where the tables of all
// sets with one variable less are known, the rest follows by subtraction. Three variables of two levels take one count
// instead of eight. A missing value is one more level, the last: so margins hold all rows, and a table with missing
// values needs no path of its own.
#include <algorithm>
#include <array>

#include "bitsep/counter.hpp"

namespace bitsep {

namespace {

constexpr std::size_t max_variables = CountCache::max_variables;

// Sizes of a table over some variables, missing values included, the last variable running fastest.
struct Shape {
    std::array<std::size_t, max_variables> size, stride;
    std::size_t cells = 1;

    Shape(const Table& table, std::span<const std::int32_t> set) {
        for (std::size_t i = set.size(); i-- > 0;) {
            size[i] = table.column(static_cast<std::size_t>(set[i])).domain();
            stride[i] = cells;
            cells *= size[i];
        }
    }
};

// Fills in the cells in which variable i is at its last level, those after it at any level and those before it at any
// but the last: they are the margin over i less the cells at its other levels.
void subtract(std::uint32_t* cells, const std::uint32_t* margin, const Shape& shape, std::size_t i) {
    const std::size_t block = shape.stride[i], last = shape.size[i] - 1;
    std::array<std::size_t, max_variables> digit{};
    std::size_t before = 0; // number of the combination of the variables before i
    while (true) {
        std::uint32_t* table = cells + before * block * shape.size[i];
        std::uint32_t* target = table + last * block;
        const std::uint32_t* whole = margin + before * block;
        for (std::size_t cell = 0; cell < block; ++cell)
            target[cell] = whole[cell];
        for (std::size_t level = 0; level < last; ++level)
            for (std::size_t cell = 0; cell < block; ++cell)
                target[cell] -= table[level * block + cell];
        std::size_t j = i, step = 1; // count up, leaving out the last levels
        for (; j-- > 0; step *= shape.size[j]) {
            before += step;
            if (++digit[j] + 1 < shape.size[j])
                break;
            before -= step * digit[j];
            digit[j] = 0;
            if (j == 0)
                return;
        }
        if (i == 0)
            return;
    }
}

} // namespace

const std::uint32_t* Counter::joint_counts(Variables set) {
    if (set.size() == 1)
        return table_.column(static_cast<std::size_t>(set[0])).small_counts();
    const CountCache::Key key(set);
    const std::uint32_t* known = cache_->find(key);
    return known != nullptr ? known : count_joint(set, key);
}

const std::uint32_t* Counter::count_joint(Variables set, const CountCache::Key& key) {
    std::array<const std::uint32_t*, max_variables> margin;
    std::array<std::int32_t, max_variables> rest;
    std::copy(set.begin() + 1, set.end(), rest.begin());
    for (std::size_t i = 0; i < set.size(); ++i) {
        margin[i] = joint_counts({rest.data(), set.size() - 1});
        if (margin[i] == nullptr)
            return nullptr;
        rest[i] = set[i];
    }
    const Shape shape(table_, set);
    std::uint32_t* cells = writer_.reserve(shape.cells);
    if (cells == nullptr)
        return nullptr;
    std::fill_n(cells, shape.cells, 0u);
    count_inner(set, shape.stride.data(), cells);
    for (std::size_t i = set.size(); i-- > 0;)
        if (std::all_of(shape.size.begin(), shape.size.begin() + static_cast<std::ptrdiff_t>(i),
                        [](std::size_t size) { return size > 1; })) // else no such cell
            subtract(cells, margin[i], shape, i);
    writer_.publish(key);
    return cells;
}

// The cells in which no variable is at its last level. The two largest variables span the tables that the kernel
// counts at once, the descent goes through the others.
void Counter::count_inner(Variables set, const std::size_t* stride, std::uint32_t* cells) {
    std::array<Axis, max_variables> axes;
    std::size_t size = 0;
    for (const std::int32_t variable : set) {
        const Column& column = table_.column(static_cast<std::size_t>(variable));
        const int visited = static_cast<int>(column.domain()) - 1;
        if (visited == 0)
            return; // no such cell
        axes[size] = {&column, visited, stride[size]};
        ++size;
    }
    for (std::size_t place = size - 2; place < size; ++place)
        for (std::size_t i = 0; i < place; ++i)
            if (axes[i].visited > axes[place].visited)
                std::swap(axes[i], axes[place]);
    count_strata({axes.data(), size - 2}, axes[size - 2], axes[size - 1], cells, false);
}

} // namespace bitsep
