// Options of a test or a score: what there is to set, and what a caller has set.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bitsep {

struct Option {
    std::string_view name;
    // The words that are allowed, the default first. Empty: a finite number of at least 0, by default `number`.
    std::vector<std::string_view> choices = {};
    double number = 0;
};

// The options in force, defaults included.
class Settings {
public:
    using Value = std::variant<std::string, double>;
    using Values = std::map<std::string, Value, std::less<>>;

    // Throws std::invalid_argument where alpha does not lie between 0 and 1, min_effect is not a finite number of at
    // least 0, or a value does not fit an option.
    Settings(std::span<const Option> options, std::optional<double> alpha, const Values& given, double min_effect = 0);

    const std::optional<double>& alpha() const { return alpha_; } // as given
    double min_effect() const { return min_effect_; }             // bits per row that every test demands besides
    double number(std::string_view option) const { return std::get<double>(values_.find(option)->second); }
    const std::string& choice(std::string_view option) const {
        return std::get<std::string>(values_.find(option)->second);
    }

private:
    std::optional<double> alpha_;
    double min_effect_;
    Values values_;
};

} // namespace bitsep
