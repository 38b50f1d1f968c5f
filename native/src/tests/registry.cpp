#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <string>

#include "families.hpp"

namespace bitsep {

std::span<const TestEntry> tests() {
    static const std::vector<TestEntry> all = [] {
        std::vector<TestEntry> entries;
        for (const auto family : families)
            std::ranges::move(family(), std::back_inserter(entries));
        return entries;
    }();
    return all;
}

std::unique_ptr<const Test> make_test(std::string_view name, std::optional<double> alpha,
                                      const Settings::Values& options, double min_effect) {
    const auto all = tests();
    const auto entry = std::ranges::find(all, name, &TestEntry::name);
    if (entry == all.end())
        throw std::invalid_argument("name: unknown test '" + std::string(name) + "'.");
    return entry->make(Settings(entry->options, alpha, options, min_effect));
}

Settings::Settings(std::span<const Option> options, std::optional<double> alpha, const Values& given, double min_effect)
    : alpha_(alpha), min_effect_(min_effect) {
    if (!std::isfinite(min_effect) || min_effect < 0)
        throw std::invalid_argument("min_effect: must be a finite number of at least 0.");
    if (alpha && !(0 < *alpha && *alpha < 1))
        throw std::invalid_argument("alpha: must lie between 0 and 1, both excluded.");
    for (const Option& option : options)
        values_[std::string(option.name)] =
            option.choices.empty() ? Value(option.number) : Value(std::string(option.choices.front()));
    for (const auto& [name, value] : given) {
        const auto option = std::ranges::find(options, name, &Option::name);
        if (option == options.end())
            throw std::invalid_argument("options: no option '" + name + "'.");
        const auto* word = std::get_if<std::string>(&value);
        const bool fits =
            option->choices.empty()
                ? word == nullptr && std::isfinite(std::get<double>(value)) && std::get<double>(value) >= 0
                : word != nullptr && std::ranges::find(option->choices, *word) != option->choices.end();
        if (!fits)
            throw std::invalid_argument("options: the value of '" + name + "' is not allowed.");
        values_[name] = value;
    }
}

} // namespace bitsep
