#include "support.hpp"

using namespace bitsep;

TEST_CASE("levels are counted by every kernel") {
    std::mt19937 random(1);
    for (const std::int64_t levels : {1, 3, 16, 17, 100})
        for (const std::size_t rows : {std::size_t{1}, std::size_t{64}, std::size_t{1000}}) {
            const Data data = random_rows(random, {levels}, rows, 0.1);
            std::vector<std::int64_t> expected(static_cast<std::size_t>(levels) + 1);
            for (const std::int8_t code : data.columns[0])
                ++expected[code < 0 ? expected.size() - 1 : static_cast<std::size_t>(code)];
            for (const Kernel* kernel : available_kernels()) {
                force_kernel(kernel->name);
                CHECK(level_counts(std::span<const std::int8_t>(data.columns[0]), levels) == expected);
            }
        }
    force_kernel("");
}

TEST_CASE("codes out of range are refused") {
    for (const int code : {-2, 2}) {
        const std::vector<std::int8_t> narrow{0, static_cast<std::int8_t>(code)};
        const std::vector<std::int32_t> wide{0, code};
        CHECK_THROWS_AS(level_counts(std::span<const std::int8_t>(narrow), 2), std::invalid_argument);
        CHECK_THROWS_AS(level_counts(std::span<const std::int32_t>(wide), 2), std::invalid_argument);
    }
    CHECK_THROWS_AS(level_counts(std::span<const std::int8_t>(), -1), std::invalid_argument);
}

TEST_CASE("codes are replaced by every kernel") {
    std::mt19937 random(5);
    for (const Kernel* kernel : available_kernels()) {
        force_kernel(kernel->name);
        for (const int levels : {1, 3, 16, 17, 128})
            for (const std::size_t rows : {std::size_t{1}, std::size_t{64}, std::size_t{1000}}) {
                std::vector<std::int8_t> codes(rows), table(static_cast<std::size_t>(levels)), expected;
                for (std::int8_t& entry : table)
                    entry = static_cast<std::int8_t>(static_cast<int>(random() % 101) - 1);
                for (std::int8_t& code : codes) {
                    code = static_cast<std::int8_t>(static_cast<int>(random() % static_cast<unsigned>(levels + 1)) - 1);
                    expected.push_back(code < 0 ? code : table[static_cast<std::size_t>(code)]);
                }
                CHECK(recoded(codes, table) == expected);
            }
    }
    force_kernel("");
}

TEST_CASE("bitmaps mark the rows of a level") {
    std::mt19937 random(6);
    const Data data = random_rows(random, {5}, 1000, 0.1);
    const Table table = data.table();
    const Column& column = table.column(0);
    for (std::size_t row = 0; row < data.rows(); ++row) {
        const auto bit = [&](const std::uint64_t* words) { return (words[row / 64] >> (row % 64) & 1) != 0; };
        for (std::int64_t level = 0; level < 5; ++level)
            CHECK(bit(column.bitmap(level)) == (data.columns[0][row] == level));
        CHECK(bit(column.present()) == (data.columns[0][row] >= 0));
    }
}

TEST_CASE("a table refuses columns and weights that do not fit") {
    const std::vector<std::int8_t> codes{0, 1};
    const std::vector<std::int64_t> weights{1, 2, 3};
    const auto columns = [&] {
        std::vector<Column> made;
        made.emplace_back(std::span<const std::int8_t>(codes), 2);
        return made;
    };
    CHECK_THROWS_AS(Table(columns(), 3, {}), std::invalid_argument);
    CHECK_THROWS_AS(Table(columns(), 2, weights), std::invalid_argument);
}
