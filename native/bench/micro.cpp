// The innermost loop against the machine: how many 64-bit words a second are ANDed, counted and added up, by a plain
// loop over two streams and by bitsep's kernels on the same bytes; and how far a whole test is from that. Prints JSON.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "bitsep/counter.hpp"
#include "bitsep/kernels.hpp"
#include "bitsep/table.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif
#if defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace {

using bitsep::Kernel;
using Stream = std::uint64_t (*)(const std::uint64_t*, const std::uint64_t*, std::size_t);

constexpr std::size_t l2_bytes = 512 << 10, l1_bytes = 16 << 10;
constexpr int rounds = 60;

volatile std::uint64_t sink; // keeps the compiler from removing the computation

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Seconds of one call: the best of some rounds, each of as many calls as take half a millisecond. A loop in the cache
// has one speed; slower rounds were disturbed by other programs.
template <class Call>
double seconds(Call&& call) {
    const double start = now();
    call();
    const int calls = std::max(1, static_cast<int>(5e-4 / std::max(now() - start, 1e-9)));
    double best = 1e9;
    for (int round = 0; round < rounds; ++round) {
        const double begin = now();
        for (int i = 0; i < calls; ++i)
            call();
        best = std::min(best, (now() - begin) / calls);
    }
    return best;
}

// The machine's own rate: a plain loop per instruction set, unrolled so that additions do not wait for each other.

std::uint64_t stream_portable(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
    std::uint64_t sums[4] = {};
    for (std::size_t i = 0; i < words; i += 4)
        for (std::size_t j = 0; j < 4; ++j)
            sums[j] += static_cast<std::uint64_t>(__builtin_popcountll(a[i + j] & b[i + j]));
    return sums[0] + sums[1] + sums[2] + sums[3];
}

#if defined(__x86_64__) && defined(__GNUC__)

__attribute__((target("avx512f,avx512vpopcntdq"))) std::uint64_t
stream_avx512(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
    __m512i s0 = _mm512_setzero_si512(), s1 = s0, s2 = s0, s3 = s0;
    for (std::size_t i = 0; i < words; i += 32) {
        const __m512i v0 = _mm512_and_si512(_mm512_load_si512(a + i), _mm512_load_si512(b + i));
        const __m512i v1 = _mm512_and_si512(_mm512_load_si512(a + i + 8), _mm512_load_si512(b + i + 8));
        const __m512i v2 = _mm512_and_si512(_mm512_load_si512(a + i + 16), _mm512_load_si512(b + i + 16));
        const __m512i v3 = _mm512_and_si512(_mm512_load_si512(a + i + 24), _mm512_load_si512(b + i + 24));
        s0 = _mm512_add_epi64(s0, _mm512_popcnt_epi64(v0));
        s1 = _mm512_add_epi64(s1, _mm512_popcnt_epi64(v1));
        s2 = _mm512_add_epi64(s2, _mm512_popcnt_epi64(v2));
        s3 = _mm512_add_epi64(s3, _mm512_popcnt_epi64(v3));
    }
    alignas(64) std::uint64_t lanes[8];
    _mm512_store_si512(lanes, _mm512_add_epi64(_mm512_add_epi64(s0, s1), _mm512_add_epi64(s2, s3)));
    std::uint64_t sum = 0;
    for (const std::uint64_t lane : lanes)
        sum += lane;
    return sum;
}

// AVX2 has no popcount of vectors: two lookups of four bits each, summed per vector.
__attribute__((target("avx2"))) std::uint64_t stream_avx2(const std::uint64_t* a, const std::uint64_t* b,
                                                          std::size_t words) {
    const __m256i of_nibble = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3,
                                               1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(0x0f), zero = _mm256_setzero_si256();
    __m256i sum = zero;
    for (std::size_t i = 0; i < words;) {
        __m256i bytes = zero;
        for (const std::size_t end = std::min(words, i + 4 * 31); i < end; i += 4) {
            const __m256i v = _mm256_and_si256(_mm256_load_si256(reinterpret_cast<const __m256i*>(a + i)),
                                               _mm256_load_si256(reinterpret_cast<const __m256i*>(b + i)));
            bytes = _mm256_add_epi8(bytes, _mm256_shuffle_epi8(of_nibble, _mm256_and_si256(v, low)));
            bytes =
                _mm256_add_epi8(bytes, _mm256_shuffle_epi8(of_nibble, _mm256_and_si256(_mm256_srli_epi16(v, 4), low)));
        }
        sum = _mm256_add_epi64(sum, _mm256_sad_epu8(bytes, zero));
    }
    alignas(32) std::uint64_t lanes[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), sum);
    return lanes[0] + lanes[1] + lanes[2] + lanes[3];
}

#endif
#if defined(__aarch64__)

std::uint64_t stream_neon(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
    uint64x2_t sum = vdupq_n_u64(0);
    for (std::size_t i = 0; i < words;) {
        uint8x16_t bytes = vdupq_n_u8(0);
        for (const std::size_t end = std::min(words, i + 2 * 31); i < end; i += 2)
            bytes = vaddq_u8(bytes, vcntq_u8(vreinterpretq_u8_u64(vandq_u64(vld1q_u64(a + i), vld1q_u64(b + i)))));
        sum = vaddq_u64(sum, vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(bytes))));
    }
    return vaddvq_u64(sum);
}

#endif

Stream stream_of(std::string_view name) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (name == "avx512")
        return stream_avx512;
    if (name == "avx2")
        return stream_avx2;
#endif
#if defined(__aarch64__)
    if (name == "neon")
        return stream_neon;
#endif
    (void)name;
    return stream_portable;
}

// Words a second of the plain loop over two streams that fill `bytes` together.
double stream_rate(Stream stream, const std::uint64_t* data, std::size_t bytes) {
    const std::size_t words = bytes / sizeof(std::uint64_t) / 2;
    return static_cast<double>(words) / seconds([&] { sink = sink + stream(data, data + words, words); });
}

// How many words two threads get through in the time one needs for its own, the median of some rounds of about
// a tenth of a millisecond each: what the machine allows any program to gain from its second core.
double two_threads_ratio(Stream stream, const std::uint64_t* data) {
    const std::size_t words = l1_bytes / sizeof(std::uint64_t) / 2;
    const auto work = [&] {
        const double begin = now();
        std::uint64_t bits = 0;
        for (int i = 0; i < 1000; ++i)
            bits += stream(data, data + words, words);
        sink = sink + bits;
        return now() - begin;
    };
    std::vector<double> ratios;
    for (int round = 0; round < rounds; ++round) {
        const double alone = work();
        std::atomic<int> ready{0};
        double other = 0;
        std::thread second([&] {
            ++ready;
            while (ready < 2) {
            }
            other = work();
        });
        while (ready < 1) {
        }
        ++ready;
        const double together = std::max(work(), 1e-9);
        second.join();
        ratios.push_back(2 * alone / std::max(together, other));
    }
    std::sort(ratios.begin(), ratios.end());
    return ratios[ratios.size() / 2];
}

// Words a second of a kernel whose bitmaps fill the same bytes: each cell, margin and total counts once per word.
double kernel_rate(const Kernel& kernel, const std::uint64_t* data, int nx, int ny, bool stratum) {
    constexpr std::size_t block = 256; // words a counter takes at a time
    const int bitmaps = nx + ny + (stratum ? 2 : 0);
    const std::size_t words = l2_bytes / sizeof(std::uint64_t) / static_cast<std::size_t>(bitmaps) / block * block;
    std::vector<std::uint32_t> cells(static_cast<std::size_t>((nx + 1) * (ny + 1)));
    const bitsep::StratumCounts out{cells.data(), static_cast<std::size_t>(ny + 1), 1, stratum};
    std::vector<const std::uint64_t*> at(static_cast<std::size_t>(bitmaps));
    const double spent = seconds([&] {
        for (std::size_t begin = 0; begin < words; begin += block) {
            for (std::size_t i = 0; i < at.size(); ++i)
                at[i] = data + i * words + begin;
            const std::uint64_t* const* xs = at.data();
            const std::uint64_t* const* ys = at.data() + nx;
            if (stratum)
                kernel.count_stratum(at[static_cast<std::size_t>(nx + ny)], at[static_cast<std::size_t>(nx + ny + 1)],
                                     xs, nx, ys, ny, block, out);
            else
                kernel.count_pairs(xs, nx, ys, ny, block, out);
        }
        sink = sink + cells[0];
    });
    const int counted = nx * ny + (stratum ? nx + ny + 1 : 0);
    return static_cast<double>(words) * counted / spent;
}

// Seconds of one test of variables with three levels, by bitmaps, nothing remembered.
double test_seconds(std::size_t rows, std::size_t given) {
    constexpr std::int64_t levels = 3;
    std::mt19937_64 random(1);
    std::vector<std::vector<std::int8_t>> codes(given + 2, std::vector<std::int8_t>(rows));
    std::vector<bitsep::Column> columns;
    for (auto& column : codes) {
        for (std::int8_t& code : column)
            code = static_cast<std::int8_t>(random() % levels);
        columns.emplace_back(bitsep::Codes(std::span<const std::int8_t>(column)), levels);
    }
    const bitsep::Table table(std::move(columns), rows, {});
    std::vector<std::int32_t> z;
    for (std::size_t i = 0; i < given; ++i)
        z.push_back(static_cast<std::int32_t>(i + 2));
    const auto test = bitsep::make_test("g2_adjusted");
    bitsep::Counter counter(table);
    return seconds([&] { sink = sink + (counter.test(*test, 0, 1, z, bitsep::Way::bitmaps).independent ? 1 : 0); });
}

// Words to be counted for such a test: 2 × 2 cells, 2 + 2 margins and a total per stratum; without Z only the cells.
double words_needed(std::size_t rows, std::size_t given) {
    double strata = 1;
    for (std::size_t i = 0; i < given; ++i)
        strata *= 3;
    return strata * (given == 0 ? 4 : 9) * static_cast<double>(bitsep::bitmap_words(rows));
}

double sort_seconds() {
    std::mt19937_64 random(1);
    std::vector<std::uint64_t> keys(1'000'000), copy;
    for (std::uint64_t& key : keys)
        key = random() % 10'000'000'000;
    double best = 1e9;
    for (int round = 0; round < 5; ++round) {
        copy = keys;
        const double start = now();
        std::sort(copy.begin(), copy.end());
        best = std::min(best, now() - start);
        sink = sink + copy[0];
    }
    return best;
}

} // namespace

int main() {
    bitsep::Words data = bitsep::allocate_words(l2_bytes / sizeof(std::uint64_t));
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i < l2_bytes / sizeof(std::uint64_t); ++i)
        data[i] = random();

    std::printf("{\n \"stream_bytes\": %zu,\n \"kernels\": [\n", l2_bytes);
    const auto kernels = bitsep::available_kernels();
    double machine = 0; // the best rate of the best kernel's instructions, for the whole tests
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const Kernel& kernel = *kernels[i];
        const Stream stream = stream_of(kernel.name);
        const double in_l2 = stream_rate(stream, data.get(), l2_bytes);
        const double in_l1 = stream_rate(stream, data.get(), l1_bytes);
        machine = i == 0 ? std::max(in_l1, in_l2) : machine;
        std::printf("  {\"name\": \"%s\", \"stream_l2\": %.6g, \"stream_l1\": %.6g, \"pairs_2x2\": %.6g, "
                    "\"stratum_2x2\": %.6g, \"stratum_3x3\": %.6g}%s\n",
                    std::string(kernel.name).c_str(), in_l2, in_l1, kernel_rate(kernel, data.get(), 2, 2, false),
                    kernel_rate(kernel, data.get(), 2, 2, true), kernel_rate(kernel, data.get(), 3, 3, true),
                    i + 1 < kernels.size() ? "," : "");
    }
    std::printf(" ],\n \"two_threads\": %.3g,\n \"tests\": [\n",
                two_threads_ratio(stream_of(kernels[0]->name), data.get()));
    const std::size_t sizes[] = {1'000, 10'000, 100'000};
    for (const std::size_t rows : sizes)
        for (std::size_t given = 0; given <= 3; ++given)
            std::printf("  {\"rows\": %zu, \"given\": %zu, \"seconds\": %.6g, \"ideal_seconds\": %.6g, "
                        "\"fixed_seconds\": %.6g}%s\n",
                        rows, given, test_seconds(rows, given), words_needed(rows, given) / machine,
                        test_seconds(512, given), rows == 100'000 && given == 3 ? "" : ",");
    std::printf(" ],\n \"std_sort_seconds\": %.6g\n}\n", sort_seconds());
}
