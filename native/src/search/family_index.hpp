// Numbers for families, in the order in which they are first asked for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace bitsep {

// A hash table with open addressing: one memory access finds out that a family is new, which most are.
class FamilyIndex {
public:
    std::size_t size() const { return ends_.size() - 1; }

    // The number of a variable with these parents; size() before the call if it is new.
    std::size_t number_of(std::int32_t variable, std::span<const std::int32_t> parents) {
        if (2 * (size() + 1) > slots_.size())
            grow();
        const std::uint64_t hash = hash_of(variable, parents);
        std::size_t place = hash & (slots_.size() - 1);
        for (; slots_[place].number != none; place = (place + 1) & (slots_.size() - 1))
            if (slots_[place].tag == tag_of(hash) && is(slots_[place].number, variable, parents))
                return slots_[place].number;
        const std::size_t number = size();
        slots_[place] = {static_cast<std::uint32_t>(number), tag_of(hash)};
        members_.push_back(static_cast<std::uint16_t>(variable));
        members_.insert(members_.end(), parents.begin(), parents.end());
        ends_.push_back(members_.size());
        return number;
    }

private:
    static constexpr std::uint32_t none = UINT32_MAX;
    struct Slot {
        std::uint32_t number = none, tag = 0;
    };

    template <class Parents>
    static std::uint64_t hash_of(std::int32_t variable, const Parents& parents) {
        const auto mix = [](std::uint64_t bits) {
            bits *= 0x9e3779b97f4a7c15u; // SplitMix64 (Steele, Lea & Flood 2014)
            return bits ^ (bits >> 29);
        };
        std::uint64_t hash = mix(static_cast<std::uint64_t>(variable) + 1);
        for (const auto parent : parents)
            hash = mix(hash + static_cast<std::uint64_t>(parent) + 1);
        return hash;
    }
    static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

    std::span<const std::uint16_t> members(std::size_t number) const {
        return {members_.begin() + static_cast<std::ptrdiff_t>(ends_[number]),
                members_.begin() + static_cast<std::ptrdiff_t>(ends_[number + 1])};
    }
    bool is(std::size_t number, std::int32_t variable, std::span<const std::int32_t> parents) const {
        const auto known = members(number);
        return known[0] == variable && std::ranges::equal(known.subspan(1), parents);
    }
    void grow() {
        slots_.assign(std::max<std::size_t>(1024, 2 * slots_.size()), {});
        for (std::size_t number = 0; number < size(); ++number) {
            const auto known = members(number);
            const std::uint64_t hash = hash_of(known[0], known.subspan(1));
            std::size_t place = hash & (slots_.size() - 1);
            while (slots_[place].number != none)
                place = (place + 1) & (slots_.size() - 1);
            slots_[place] = {static_cast<std::uint32_t>(number), tag_of(hash)};
        }
    }

    std::vector<Slot> slots_;
    std::vector<std::uint16_t> members_; // variable and parents of one family after the other
    std::vector<std::size_t> ends_{0};
};

} // namespace bitsep
