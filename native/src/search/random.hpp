// Random numbers that are the same on every platform.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace bitsep {

// SplitMix64 (Steele, Lea & Flood 2014); one stream per seed and number.
class Random {
public:
    Random(std::uint64_t seed, std::uint64_t stream) : state_(seed) {
        state_ = next() ^ (stream * 0xd1342543de82ef95u);
    }

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    std::size_t below(std::size_t end) { return static_cast<std::size_t>(next() % end); }

    template <class T>
    void shuffle(std::vector<T>& items) {
        for (std::size_t i = items.size(); i > 1; --i)
            std::swap(items[i - 1], items[below(i)]);
    }

    // Moves a random item to a random place.
    template <class T>
    void move_one(std::vector<T>& items) {
        const auto from = items.begin() + static_cast<std::ptrdiff_t>(below(items.size()));
        const T item = *from;
        items.erase(from);
        items.insert(items.begin() + static_cast<std::ptrdiff_t>(below(items.size() + 1)), item);
    }

private:
    std::uint64_t state_;
};

} // namespace bitsep
