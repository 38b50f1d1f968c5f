// One algorithm for all instruction sets. Included inside a namespace that defines:
//   Vector, load(p), store(p, v), both(a, b), words (per vector), tile (levels of X or Y taken at once),
//   Tally: counts the bits of vectors given to add(); total() is their sum. `Tally::burst` vectors may be added between
//   two calls of settle().  settle_totals(tallies, totals): the totals of an array of tallies.
//   Codes, load_codes(p): 64 codes; matches(codes, level): a word with a bit for each that is the level;
//   bits_of(word): how many are set;
//   Lookup, load_lookup(p): 16 codes; look_up(lookup, codes, p): stores what it has for 64 of them, missing ones as
//   they are.

void count_levels(const std::int8_t* codes, std::size_t count, int levels, std::int64_t* counts) {
    for (std::size_t word = 0; word < count; ++word) {
        const Codes row = load_codes(codes + 64 * word);
        for (int level = 0; level < levels; ++level)
            counts[level] += bits_of(matches(row, static_cast<std::int8_t>(level)));
        counts[levels] += bits_of(matches(row, -1));
    }
}

void recode(const std::int8_t* codes, std::size_t count, const std::int8_t* table, std::int8_t* target) {
    const Lookup lookup = load_lookup(table);
    for (std::size_t word = 0; word < count; ++word)
        look_up(lookup, load_codes(codes + 64 * word), target + 64 * word);
}

void mark_levels(const std::int8_t* codes, std::size_t count, int levels, std::uint64_t* bitmaps, std::size_t stride) {
    for (std::size_t word = 0; word < count; ++word) {
        const Codes row = load_codes(codes + 64 * word);
        std::uint64_t present = 0;
        for (int level = 0; level < levels; ++level) {
            const std::uint64_t bits = matches(row, static_cast<std::int8_t>(level));
            bitmaps[static_cast<std::size_t>(level) * stride + word] = bits;
            present |= bits;
        }
        bitmaps[static_cast<std::size_t>(levels) * stride + word] = present;
    }
}

enum class Mask { none, one, joint };

// A tile of NX × NY cells; with its row and column margins and the size of the mask, as far as they are wanted.
template <int NX, int NY, Mask mask, bool Rows, bool Columns>
void count_tile(const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* const* xs,
                const std::uint64_t* const* ys, std::size_t count, std::uint32_t (&totals)[NX * NY + NX + NY + 1]) {
    constexpr int row = NX * NY, column = row + NX, whole = column + NY;
    Tally tally[whole + 1];
    for (std::size_t begin = 0; begin < count; begin += Tally::burst * words) {
        const std::size_t end = std::min(count, begin + Tally::burst * words);
        for (std::size_t word = begin; word < end; word += words) {
            Vector rows = load(xs[0] + word), x[NX];
            if constexpr (mask != Mask::none) {
                rows = load(a + word);
                if constexpr (mask == Mask::joint)
                    rows = both(rows, load(b + word));
                if constexpr (Rows && Columns)
                    tally[whole].add(rows);
            }
            for (int i = 0; i < NX; ++i) {
                x[i] = load(xs[i] + word);
                if constexpr (mask != Mask::none) {
                    x[i] = both(x[i], rows);
                    if constexpr (Rows)
                        tally[row + i].add(x[i]);
                }
            }
            for (int j = 0; j < NY; ++j) {
                const Vector y = load(ys[j] + word);
                if constexpr (Columns)
                    tally[column + j].add(both(y, rows));
                for (int i = 0; i < NX; ++i)
                    tally[i * NY + j].add(both(x[i], y));
            }
        }
        for (Tally& one : tally)
            one.settle();
    }
    settle_totals(tally, totals);
}

// Adds a tile to the table it is part of. `right` and `below` lead from its first cell to the margins.
template <int NX, int NY, Mask mask, bool Rows, bool Columns>
void add_tile(const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* const* xs,
              const std::uint64_t* const* ys, std::size_t count, StratumCounts out, std::size_t right,
              std::size_t below) {
    std::uint32_t totals[NX * NY + NX + NY + 1];
    count_tile<NX, NY, mask, Rows, Columns>(a, b, xs, ys, count, totals);
    for (int i = 0; i < NX; ++i)
        for (int j = 0; j < NY; ++j)
            *out.at(i, j) += totals[i * NY + j];
    if constexpr (Rows)
        for (int i = 0; i < NX; ++i)
            out.at(i, 0)[right] += totals[NX * NY + i];
    if constexpr (Columns)
        for (int j = 0; j < NY; ++j)
            out.at(0, j)[below] += totals[NX * NY + NX + j];
    if constexpr (Rows && Columns)
        out.cells[right + below] += totals[NX * NY + NX + NY];
}

template <Mask mask, bool Rows, bool Columns, int NX = tile, int NY = tile>
void add_tile_of(int nx, int ny, const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* const* xs,
                 const std::uint64_t* const* ys, std::size_t count, StratumCounts out, std::size_t right,
                 std::size_t below) {
    if constexpr (NX > 1) {
        if (nx < NX)
            return add_tile_of<mask, Rows, Columns, NX - 1, NY>(nx, ny, a, b, xs, ys, count, out, right, below);
    }
    if constexpr (NY > 1) {
        if (ny < NY)
            return add_tile_of<mask, Rows, Columns, NX, NY - 1>(nx, ny, a, b, xs, ys, count, out, right, below);
    }
    add_tile<NX, NY, mask, Rows, Columns>(a, b, xs, ys, count, out, right, below);
}

// The table in tiles that fit the registers; margins are taken along in the first row and column of tiles.
template <Mask mask>
void add_tiles(const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* const* xs, int nx,
               const std::uint64_t* const* ys, int ny, std::size_t count, StratumCounts out) {
    constexpr bool can_have = mask != Mask::none;
    for (int i = 0; i < nx; i += tile)
        for (int j = 0; j < ny; j += tile) {
            const int wide = std::min(tile, nx - i), high = std::min(tile, ny - j);
            const bool rows = can_have && out.margins && j == 0, columns = can_have && out.margins && i == 0;
            StratumCounts part = out;
            part.cells = out.at(i, j);
            const auto right = static_cast<std::size_t>(ny - j) * out.column, // to the margin of the rows
                below = static_cast<std::size_t>(nx - i) * out.row;
            if (rows && columns)
                add_tile_of<mask, can_have, can_have>(wide, high, a, b, xs + i, ys + j, count, part, right, below);
            else if (rows)
                add_tile_of<mask, can_have, false>(wide, high, a, b, xs + i, ys + j, count, part, right, below);
            else if (columns)
                add_tile_of<mask, false, can_have>(wide, high, a, b, xs + i, ys + j, count, part, right, below);
            else
                add_tile_of<mask, false, false>(wide, high, a, b, xs + i, ys + j, count, part, right, below);
        }
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

// |a & b & c|
std::uint32_t common(const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* c, std::size_t count) {
    Tally bits;
    for (std::size_t begin = 0; begin < count; begin += Tally::burst * words) {
        const std::size_t end = std::min(count, begin + Tally::burst * words);
        for (std::size_t word = begin; word < end; word += words)
            bits.add(both(load(a + word), both(load(b + word), load(c + word))));
        bits.settle();
    }
    return static_cast<std::uint32_t>(bits.total());
}

void count_stratum(const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* const* xs, int nx,
                   const std::uint64_t* const* ys, int ny, std::size_t count, StratumCounts out) {
    if (nx > 0 && ny > 0) {
        if (b == nullptr)
            return add_tiles<Mask::one>(a, b, xs, nx, ys, ny, count, out);
        return add_tiles<Mask::joint>(a, b, xs, nx, ys, ny, count, out);
    }
    // A variable with one level has no cells to count, but the margins of the other still have to be.
    if (!out.margins)
        return;
    const std::uint64_t* second = b == nullptr ? a : b;
    for (int i = 0; i < nx; ++i)
        *out.at(i, ny) += common(a, second, xs[i], count);
    for (int j = 0; j < ny; ++j)
        *out.at(nx, j) += common(a, second, ys[j], count);
    *out.at(nx, ny) += common(a, second, second, count);
}

void count_pairs(const std::uint64_t* const* xs, int nx, const std::uint64_t* const* ys, int ny, std::size_t count,
                 StratumCounts out) {
    add_tiles<Mask::none>(nullptr, nullptr, xs, nx, ys, ny, count, out);
}
