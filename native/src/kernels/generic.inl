// One algorithm for all instruction sets. Included inside a namespace that defines:
//   Vector, load(p), both(a, b), words (per vector), tile (levels of X or Y taken at once), and
//   Tally: counts the bits of vectors given to add(); total() is their sum. `Tally::burst` vectors may be added between
//   two calls of settle().

template <int NX, int NY, bool Masked>
void count_tile(const std::uint64_t* mask, const std::uint64_t* const* xs, const std::uint64_t* const* ys,
                std::size_t count, std::uint32_t* cells, int stride, std::uint32_t* rows, std::uint32_t* columns) {
    Tally cell[NX][NY], row[NX], column[NY];
    for (std::size_t begin = 0; begin < count; begin += Tally::burst * words) {
        const std::size_t end = std::min(count, begin + Tally::burst * words);
        for (std::size_t word = begin; word < end; word += words) {
            Vector x[NX];
            for (int i = 0; i < NX; ++i) {
                x[i] = load(xs[i] + word);
                if constexpr (Masked) {
                    x[i] = both(x[i], load(mask + word));
                    if (rows != nullptr)
                        row[i].add(x[i]);
                }
            }
            for (int j = 0; j < NY; ++j) {
                const Vector y = load(ys[j] + word);
                if constexpr (Masked) {
                    if (columns != nullptr)
                        column[j].add(both(y, load(mask + word)));
                }
                for (int i = 0; i < NX; ++i)
                    cell[i][j].add(both(x[i], y));
            }
        }
        for (int i = 0; i < NX; ++i) {
            row[i].settle();
            for (int j = 0; j < NY; ++j)
                cell[i][j].settle();
        }
        for (int j = 0; j < NY; ++j)
            column[j].settle();
    }
    for (int i = 0; i < NX; ++i) {
        for (int j = 0; j < NY; ++j)
            cells[i * stride + j] += static_cast<std::uint32_t>(cell[i][j].total());
        if (Masked && rows != nullptr)
            rows[i] += static_cast<std::uint32_t>(row[i].total());
    }
    if (Masked && columns != nullptr)
        for (int j = 0; j < NY; ++j)
            columns[j] += static_cast<std::uint32_t>(column[j].total());
}

template <bool Masked, int NX, int NY>
void count_tile_of(int nx, int ny, const std::uint64_t* mask, const std::uint64_t* const* xs,
                   const std::uint64_t* const* ys, std::size_t count, std::uint32_t* cells, int stride,
                   std::uint32_t* rows, std::uint32_t* columns) {
    if constexpr (NX > 1) {
        if (nx < NX)
            return count_tile_of<Masked, NX - 1, NY>(nx, ny, mask, xs, ys, count, cells, stride, rows, columns);
    }
    if constexpr (NY > 1) {
        if (ny < NY)
            return count_tile_of<Masked, NX, NY - 1>(nx, ny, mask, xs, ys, count, cells, stride, rows, columns);
    }
    count_tile<NX, NY, Masked>(mask, xs, ys, count, cells, stride, rows, columns);
}

// The table in tiles that fit the registers; margins are taken along in the first row and column of tiles.
template <bool Masked>
void count_tiles(const std::uint64_t* mask, const std::uint64_t* const* xs, int nx, const std::uint64_t* const* ys,
                 int ny, std::size_t count, std::uint32_t* cells, std::uint32_t* rows, std::uint32_t* columns) {
    for (int i = 0; i < nx; i += tile)
        for (int j = 0; j < ny; j += tile)
            count_tile_of<Masked, tile, tile>(std::min(tile, nx - i), std::min(tile, ny - j), mask, xs + i, ys + j,
                                              count, cells + i * ny + j, ny, j == 0 && rows ? rows + i : nullptr,
                                              i == 0 && columns ? columns + j : nullptr);
}

std::uint64_t intersect(std::uint64_t* target, const std::uint64_t* a, const std::uint64_t* b, std::size_t count) {
    Tally bits;
    for (std::size_t begin = 0; begin < count; begin += Tally::burst * words) {
        const std::size_t end = std::min(count, begin + Tally::burst * words);
        for (std::size_t word = begin; word < end; word += words) {
            const Vector joint = both(load(a + word), load(b + word));
            store(target + word, joint);
            bits.add(joint);
        }
        bits.settle();
    }
    return bits.total();
}

// A variable with one level has no bitmaps to count, but the margins of the other still have to be.
void count_margin(const std::uint64_t* mask, const std::uint64_t* const* levels, int n, std::size_t count,
                  std::uint32_t* margins) {
    for (int i = 0; i < n; ++i) {
        Tally bits;
        for (std::size_t begin = 0; begin < count; begin += Tally::burst * words) {
            const std::size_t end = std::min(count, begin + Tally::burst * words);
            for (std::size_t word = begin; word < end; word += words)
                bits.add(both(load(mask + word), load(levels[i] + word)));
            bits.settle();
        }
        margins[i] += static_cast<std::uint32_t>(bits.total());
    }
}

void count_stratum(const std::uint64_t* mask, const std::uint64_t* const* xs, int nx, const std::uint64_t* const* ys,
                   int ny, std::size_t count, StratumCounts out) {
    if (nx > 0 && ny > 0)
        return count_tiles<true>(mask, xs, nx, ys, ny, count, out.cells, out.rows, out.columns);
    count_margin(mask, xs, nx, count, out.rows);
    count_margin(mask, ys, ny, count, out.columns);
}

void count_pairs(const std::uint64_t* const* xs, int nx, const std::uint64_t* const* ys, int ny, std::size_t count,
                 std::uint32_t* cells) {
    count_tiles<false>(nullptr, xs, nx, ys, ny, count, cells, nullptr, nullptr);
}
