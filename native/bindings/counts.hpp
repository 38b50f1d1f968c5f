// Checks of counts that were made elsewhere: occupied cells, or a dense table.
#pragma once

#include "convert.hpp"

namespace bitsep::bindings {

inline void check_domains(std::int64_t kx, std::int64_t ky) {
    constexpr std::int64_t most = 0x7fffffff; // of the codes of a column
    if (kx < 1 || ky < 1 || kx > most || ky > most)
        throw std::invalid_argument("kx, ky: domain sizes must be at least 1 and less than 2^31.");
}

inline void check_codes(std::span<const std::int64_t> codes, std::int64_t end) {
    for (const std::int64_t code : codes)
        if (code < 0 || code >= end)
            throw std::invalid_argument("codes: must be the number of a level.");
}

inline Sizes checked_sizes(std::int64_t kx, std::int64_t ky, double product_z, const In<std::int64_t>& stratum,
                           const In<std::int64_t>& x, const In<std::int64_t>& y, const In<std::int64_t>& count) {
    check_domains(kx, ky);
    if (x.shape(0) != stratum.shape(0) || y.shape(0) != stratum.shape(0) || count.shape(0) != stratum.shape(0))
        throw std::invalid_argument("stratum, x, y, count: must have the same length.");
    check_codes(span_of(x), kx);
    check_codes(span_of(y), ky);
    return {kx, ky, product_z, checked_sum(span_of(count), "counts")};
}

inline Sizes checked_sizes(std::int64_t kx, std::int64_t ky, double product_z, const In<std::int64_t>& cells) {
    check_domains(kx, ky);
    if (static_cast<std::int64_t>(cells.shape(0)) % (kx * ky) != 0)
        throw std::invalid_argument("cells: must fit the domain sizes.");
    return {kx, ky, product_z, checked_sum(span_of(cells), "counts")};
}

} // namespace bitsep::bindings
