#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

#include "rows.hpp"

namespace bitsep {

std::span<const ScoreEntry> scores() {
    static const std::vector<ScoreEntry> all = [] {
        std::vector<ScoreEntry> entries = maximum_likelihood_scores();
        std::ranges::move(bayesian_scores(), std::back_inserter(entries));
        return entries;
    }();
    return all;
}

std::unique_ptr<const Score> make_score(std::string_view name, const Settings::Values& options) {
    const auto all = scores();
    const auto entry = std::ranges::find(all, name, &ScoreEntry::name);
    if (entry == all.end())
        throw std::invalid_argument("name: unknown score '" + std::string(name) + "'.");
    return entry->make(Settings(entry->options, {}, options));
}

} // namespace bitsep
