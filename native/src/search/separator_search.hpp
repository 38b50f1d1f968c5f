// The search for a separator of one pair: which sets are tried, in which order, and which are kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "bitsep/engine.hpp"

namespace bitsep {

// Subsets of one size of a pool, in lexicographic order of positions.
class Subsets {
public:
    Subsets(std::vector<std::size_t>& buffer, std::size_t pool, std::size_t size) : pool_(pool), position_(buffer) {
        position_.resize(size);
        std::iota(position_.begin(), position_.end(), std::size_t{0});
        done_ = size > pool;
    }
    bool done() const { return done_; }
    const std::vector<std::size_t>& operator*() const { return position_; }
    void next() {
        const std::size_t size = position_.size();
        std::size_t i = size;
        while (i > 0 && position_[i - 1] == pool_ - size + i - 1)
            --i;
        if (i == 0) {
            done_ = true;
            return;
        }
        ++position_[i - 1];
        for (; i < size; ++i)
            position_[i] = position_[i - 1] + 1;
    }

private:
    std::size_t pool_;
    std::vector<std::size_t>& position_;
    bool done_;
};

// Copies a pool into the buffer, without one variable if it is a member.
inline std::span<const std::int32_t> without(std::span<const std::int32_t> pool, std::int32_t one,
                                             std::vector<std::int32_t>& buffer) {
    buffer.resize(pool.size());
    return {buffer.begin(), std::remove_copy(pool.begin(), pool.end(), buffer.begin(), one)};
}

// Runs one task after the other: tries sets and keeps the best two. Each thread has its own, with buffers that are used
// again: tasks are short, and allocating memory for each would cost more than its tests.
class SeparatorSearch {
public:
    SeparatorSearch(Tester& tester, const Tasks& tasks) : tester_(tester), tasks_(tasks) {}

    // The result is valid until the next run.
    template <class GoOn>
    const Finding& run(std::size_t task, GoOn&& go_on) {
        task_ = task;
        found_.clear();
        const auto x = tasks_.x[task], y = tasks_.y[task];
        const auto pool_of = [&](std::int32_t one, std::int32_t other, auto& buffer) {
            return without(tasks_.first[static_cast<std::size_t>(one)], other, buffer);
        };
        const bool shared = tasks_.pools_of_variables;
        const auto first = shared ? pool_of(x, y, first_) : tasks_.first[task];
        const auto second = shared ? pool_of(y, x, second_) : tasks_.second[task];
        for (std::int64_t size = tasks_.min_size; size <= tasks_.max_size; ++size) {
            const auto wanted = static_cast<std::size_t>(size);
            if (wanted > first.size() && wanted > second.size())
                break;
            if (try_all(first, {}, wanted, go_on))
                break;
            if (size > 0 && try_all(second, first, wanted, go_on)) // the empty set was tried with the first pool
                break;
        }
        return found_;
    }

private:
    // Tries the subsets of `pool` that are not subsets of `known`. Returns true if the search is over.
    template <class GoOn>
    bool try_all(std::span<const std::int32_t> pool, std::span<const std::int32_t> known, std::size_t size,
                 GoOn&& go_on) {
        is_known_.resize(pool.size());
        for (std::size_t i = 0; i < pool.size(); ++i)
            is_known_[i] = std::binary_search(known.begin(), known.end(), pool[i]);
        for (Subsets subset(position_, pool.size(), size); !subset.done(); subset.next()) {
            if (!known.empty() && std::all_of((*subset).begin(), (*subset).end(), [&](auto i) { return is_known_[i]; }))
                continue;
            if (!go_on())
                return true;
            const auto always = tasks_.always[task_];
            given_.assign(always.begin(), always.end());
            for (const std::size_t i : *subset)
                given_.push_back(pool[i]);
            std::sort(given_.begin(), given_.end());
            if (try_one())
                return true;
        }
        return false;
    }

    bool try_one() {
        const Record record = tester_.test(tasks_.x[task_], tasks_.y[task_], given_);
        ++found_.tests;
        const bool separates = record.independent;
        // A separator that ends the search comes first whatever its score; otherwise the lowest score does.
        const bool best =
            found_.tests == 1 || (tasks_.stop_at_first && separates) || record.score_bits < found_.record.score_bits;
        if (best) {
            if (found_.tests > 1)
                set_runner_up(found_.given, found_.record);
            found_.given = given_;
            found_.record = record;
            found_.separated = separates;
        } else if (!found_.has_runner_up || record.score_bits < found_.runner_up_record.score_bits) {
            set_runner_up(given_, record);
        }
        return tasks_.stop_at_first && separates;
    }

    void set_runner_up(const std::vector<std::int32_t>& given, const Record& record) {
        found_.runner_up = given;
        found_.runner_up_record = record;
        found_.has_runner_up = true;
    }

    Tester& tester_;
    const Tasks& tasks_;
    std::size_t task_ = 0;
    Finding found_;
    std::vector<std::size_t> position_;
    std::vector<char> is_known_;
    std::vector<std::int32_t> given_, first_, second_;
};

} // namespace bitsep
