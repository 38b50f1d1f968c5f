// Plug-in information against a threshold that depends on sizes only.
#include "families.hpp"
#include "strata.hpp"

namespace bitsep {

namespace {

const Option threshold_option{"threshold"}; // bits per row

struct Cmi : Rule {
    explicit Cmi(const Settings& settings) : bits_per_row_needed(settings.number(threshold_option.name)) {}

    template <class Sum>
    double finish(Record& record, const NoTerms<Sum>&, const Sizes&) const {
        record.threshold_bits = static_cast<double>(record.n) * bits_per_row_needed;
        return record.information_bits;
    }

    double bits_per_row_needed;
};

struct Jic : Rule {
    explicit Jic(const Settings& settings) : z_size(settings) {}

    template <class Sum>
    double finish(Record& record, const NoTerms<Sum>&, const Sizes& sizes) const {
        const auto kx = static_cast<double>(sizes.kx), ky = static_cast<double>(sizes.ky);
        const auto rows = static_cast<double>(record.n);
        record.threshold_bits =
            record.n > 0 ? (kx - 1) * (ky - 1) * z_size.of(record, sizes) / 2 * std::log2(rows) : 0.0;
        return record.information_bits;
    }

    ZSize z_size;
};

} // namespace

std::vector<TestEntry> information_tests() {
    return {
        entry<Cmi>("cmi", "plug-in conditional mutual information above a fixed threshold", "information",
                   {threshold_option}),
        entry<Jic>("jic", "plug-in CMI above the asymptotic complexity (Suzuki 2016)", "information", {z_size_option}),
    };
}

} // namespace bitsep
