// Every way of counting and every kernel against the counts by definition, on small tables of rows.
#include "tables.hpp"

using namespace bitsep;
using namespace bitsep::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto kernels = available_kernels();
    static const auto test = make_test("g2_adjusted");
    Bytes bytes(data, size);
    force_kernel(kernels[bytes.below(static_cast<unsigned>(kernels.size()))]->name);
    const std::size_t variables = 2 + bytes.below(4);
    const RandomTable random(bytes, variables, 80, true);
    const Table table = random.table();
    std::vector<std::int32_t> z;
    for (std::size_t v = 2; v < variables; ++v)
        z.push_back(static_cast<std::int32_t>(v));

    const Counts expected = random.counts(0, 1, z);
    Counter counter(table);
    const Counts found = counter.counts(0, 1, z);
    require(found.stratum == expected.stratum && found.x == expected.x && found.y == expected.y &&
                found.count == expected.count,
            "counts are those by definition");

    const Sizes sizes = random.sizes(table, 0, 1, z);
    const Record record = test_cells(*test, sizes, expected.stratum, expected.x, expected.y, expected.count);
    const double cells = static_cast<double>(sizes.kx) * static_cast<double>(sizes.ky) * sizes.product_z;
    for (const Way way : {Way::automatic, Way::margins, Way::bitmaps, Way::row_scan, Way::sort}) {
        const bool few_levels = std::ranges::all_of(random.levels, [](auto k) { return k <= max_bitmap_levels; });
        if ((way == Way::margins || way == Way::bitmaps) && (table.weighted() || !few_levels || cells > 4096))
            continue;
        if (way == Way::row_scan && cells > 4096)
            continue;
        require(identical(counter.test(*test, 0, 1, z, way), record), "every way of counting gives the same record");
    }
    if (cells <= 4096) {
        std::vector<std::int64_t> dense(static_cast<std::size_t>(cells));
        counter.add_dense(0, 1, z, dense);
        require(identical(test_table(*test, sizes, dense), record), "dense counts give the same record");
    }
    return 0;
}
