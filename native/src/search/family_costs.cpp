#include "family_costs.hpp"

#include <algorithm>
#include <cmath>

namespace bitsep {

namespace {

// A power of two above what rounding may change in a score of so many rows, at least 2^-30 bits.
double unit_for(double rows) {
    int exponent = 0;
    std::frexp(0x1p-50 * rows * std::log2(rows + 2), &exponent);
    return std::ldexp(1.0, std::max(exponent, -30));
}

} // namespace

FamilyCosts::FamilyCosts(const GraphRules& rules, std::uint64_t rows, const ScoreFamilies& score)
    : rules_(rules), rows_(static_cast<double>(rows)), unit_(unit_for(rows_)), score_(score),
      observed_(rules.variables, rows_) {}

const Cost& FamilyCosts::get(std::int32_t variable, std::span<const std::int32_t> parents) {
    const std::size_t number = families_.number_of(variable, parents);
    if (number == costs_.size()) {
        costs_.push_back(unknown);
        variables_.push_back(variable);
        parents_.insert(parents_.end(), parents.begin(), parents.end());
        offsets_.push_back(static_cast<std::int64_t>(parents_.size()));
        wanted_.push_back(&costs_.back());
        rows_of_large_tables_ += has_large_table(variable, parents) ? rows_ : 0;
    }
    return costs_[number];
}

bool FamilyCosts::has_large_table(std::int32_t variable, std::span<const std::int32_t> parents) const {
    if (domain_sizes_.empty())
        return false;
    double cells = domain_sizes_[static_cast<std::size_t>(variable)];
    for (const std::int32_t parent : parents)
        cells *= domain_sizes_[static_cast<std::size_t>(parent)];
    return cells > 0x1p14;
}

// Costs that are too long for sums of all variables count as the longest possible, whatever they are.
Cost FamilyCosts::cost_of(double bits) const {
    const double most = 0x1p60 / static_cast<double>(rules_.variables);
    const double units = bits / unit_;
    return units < most ? std::llround(units) : std::llround(most);
}

double FamilyCosts::scaled(const Score::Length& length, double observed, std::size_t parents) const {
    const auto n = static_cast<double>(length.n);
    if (n == 0) // nothing is known about these parents: worse than any others, and than fewer of them
        return observed > 0 ? 64 * rows_ * static_cast<double>(parents) : 0.0;
    return length.bits * (observed / n) +
           missing_standard_errors * std::sqrt(observed * std::max(observed - n, 0.0) / n);
}

bool FamilyCosts::compute() {
    const Families families{variables_, {offsets_, parents_}};
    std::vector<Score::Length> lengths(wanted_.size());
    if (!score_(families, lengths))
        return false;
    for (std::size_t i = 0; i < wanted_.size(); ++i)
        if (families.parents[i].empty())
            observed_[static_cast<std::size_t>(families.variables[i])] = static_cast<double>(lengths[i].n);
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
        const std::size_t size = families.parents[i].size();
        const double structure = size <= rules_.max_parents() ? rules_.structure_bits[size] : 0.0;
        const double observed = observed_[static_cast<std::size_t>(families.variables[i])];
        const double demanded = rules_.min_effect * observed * static_cast<double>(size);
        *wanted_[i] = cost_of(scaled(lengths[i], observed, size) + structure + demanded);
    }
    computed_ += wanted_.size();
    variables_.clear();
    parents_.clear();
    offsets_.assign(1, 0);
    wanted_.clear();
    return true;
}

DagFound FamilyCosts::found(std::vector<std::vector<std::int32_t>> parents) {
    std::vector<double> bits_of;
    for (std::size_t y = 0; y < parents.size(); ++y)
        bits_of.push_back(bits(get(static_cast<std::int32_t>(y), parents[y])));
    return {std::move(parents), std::move(bits_of), computed_};
}

} // namespace bitsep
