#include "bitsep/engine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "threads/schedule.hpp"

namespace bitsep {

namespace {

constexpr std::size_t grain_of_tests = 16;

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

// Fills the buffer with a pool, all but one variable, which is there or not.
std::span<const std::int32_t> without(std::span<const std::int32_t> pool, std::int32_t one,
                                      std::vector<std::int32_t>& buffer) {
    buffer.resize(pool.size());
    return {buffer.begin(), std::remove_copy(pool.begin(), pool.end(), buffer.begin(), one)};
}

// Does one task after the other: tries sets, remembers the best two. Holds the buffers, for tasks are short and many,
// and memory for each would cost more than its tests; every thread has its own.
class Search {
public:
    Search(Tester& tester, const Tasks& tasks) : tester_(tester), tasks_(tasks) {}

    // Valid until the next.
    template <class Alive>
    const Finding& run(std::size_t task, Alive&& alive) {
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
            if (try_all(first, {}, wanted, alive))
                break;
            if (size > 0 && try_all(second, first, wanted, alive)) // the empty set was tried with the first pool
                break;
        }
        return found_;
    }

private:
    // Tries the subsets of `pool` that do not lie within `known`. True: the search is over.
    template <class Alive>
    bool try_all(std::span<const std::int32_t> pool, std::span<const std::int32_t> known, std::size_t size,
                 Alive&& alive) {
        is_known_.resize(pool.size());
        for (std::size_t i = 0; i < pool.size(); ++i)
            is_known_[i] = std::binary_search(known.begin(), known.end(), pool[i]);
        for (Subsets subset(position_, pool.size(), size); !subset.done(); subset.next()) {
            if (!known.empty() && std::all_of((*subset).begin(), (*subset).end(), [&](auto i) { return is_known_[i]; }))
                continue;
            if (!alive())
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

double binomial(std::size_t n, std::int64_t k) {
    double value = 1;
    for (std::int64_t i = 1; i <= k; ++i)
        value = value * (static_cast<double>(n) - static_cast<double>(k - i)) / static_cast<double>(i);
    return std::max(value, 0.0);
}

// Where each thread's part of the items ends, if parts are of one size.
std::vector<std::size_t> parts_of(std::size_t total, int threads) {
    constexpr std::size_t most = 1024; // more threads help nobody
    std::vector<std::size_t> ends(std::max<std::size_t>(1, std::min({static_cast<std::size_t>(threads), total, most})));
    for (std::size_t part = 0; part < ends.size(); ++part)
        ends[part] = total * (part + 1) / ends.size();
    return ends;
}

// Who searches what. Every thread has neighboring tasks of its own: they share variables, and so the counts it made
// before, which another thread would have to fetch. The longest come first, so that what others may take from it at the
// end is short.
struct Plan {
    std::vector<std::size_t> order, ends; // the tasks one after the other, and where each thread's own end

    Plan(const Tasks& tasks, int threads) : order(tasks.x.size()), ends(parts_of(order.size(), threads)) {
        std::iota(order.begin(), order.end(), std::size_t{0});
        if (tasks.max_size == 0)
            return; // one test each
        const std::vector<double> tests = tests_at_most(tasks);
        const auto parts = static_cast<double>(ends.size());
        const double share = std::accumulate(tests.begin(), tests.end(), 0.0) / parts;
        std::size_t begin = 0;
        for (std::size_t part = 0; part < ends.size(); begin = ends[part++]) {
            if (part + 1 < ends.size()) {
                double taken = 0;
                for (ends[part] = begin; ends[part] < tests.size() && taken < share; ++ends[part])
                    taken += tests[ends[part]];
            }
            longest_first(tests, begin, ends[part]);
        }
    }

private:
    static std::vector<double> tests_at_most(const Tasks& tasks) {
        const auto sets = [&](const Ragged& pools) {
            std::vector<double> number(pools.size());
            for (std::size_t row = 0; row < number.size(); ++row)
                number[row] = binomial(pools[row].size(), tasks.max_size);
            return number;
        };
        const std::vector<double> first = sets(tasks.first), second = sets(tasks.second);
        std::vector<double> tests(tasks.x.size(), 1.0);
        for (std::size_t task = 0; task < tests.size(); ++task)
            if (tasks.pools_of_variables)
                tests[task] +=
                    first[static_cast<std::size_t>(tasks.x[task])] + first[static_cast<std::size_t>(tasks.y[task])];
            else
                tests[task] += (first.empty() ? 0.0 : first[task]) + (second.empty() ? 0.0 : second[task]);
        return tests;
    }

    // Tasks of about the same length stay in their order, among neighbors. Where there are few, length counts more.
    void longest_first(const std::vector<double>& tests, std::size_t begin, std::size_t end) {
        constexpr std::uint64_t lengths = 512;
        const int bits = end - begin < 64 ? 3 : 1; // of the mantissa, besides the exponent
        const auto length = [&](std::size_t task) {
            const std::uint64_t size = (std::bit_cast<std::uint64_t>(tests[task]) >> (52 - bits)) - (1023u << bits);
            return lengths - 1 - std::min(size, lengths - 1);
        };
        std::array<std::size_t, lengths + 1> place{};
        for (std::size_t task = begin; task < end; ++task)
            ++place[length(task) + 1];
        std::partial_sum(place.begin(), place.end(), place.begin());
        for (std::size_t task = begin; task < end; ++task)
            order[begin + place[length(task)]++] = task;
    }
};

} // namespace

void Tester::prepare(std::size_t, std::size_t, std::size_t) {}

// Bitmaps that two threads want at the same time keep one of them waiting: with many tests ahead, each builds its
// share, and then goes on through those of the others.
void CountingTester::prepare(std::size_t part, std::size_t parts, std::size_t items) {
    const std::size_t columns = table_.size();
    if (parts == 1 || items < columns || table_.weighted())
        return;
    const std::size_t begin = columns * part / parts, own = columns * (part + 1) / parts - begin;
    bool built = false;
    for (std::size_t i = 0; i < columns; ++i) {
        if (i == own && !built)
            return; // all were there before
        const Column& column = table_.column((begin + i) % columns);
        if (column.can_have_bitmaps())
            built = column.try_to_build_bitmaps() || built;
    }
}

bool evaluate(const MakeTester& make_tester, const Queries& queries, int threads, const Tick& tick,
              std::span<Record> results) {
    const std::vector<std::size_t> ends = parts_of(queries.x.size(), threads);
    const auto at_work = [&](std::size_t thread) {
        auto tester = make_tester();
        tester->prepare(thread, ends.size(), queries.x.size());
        return tester;
    };
    return share(ends, grain_of_tests, tick, at_work, [&](auto& tester, std::size_t item, auto&&) {
        results[item] = tester->test(queries.x[item], queries.y[item], queries.given[item]);
    });
}

void count_dense(const Table& table, const Queries& queries, std::span<const std::int64_t> offsets,
                 std::span<std::int64_t> cells, int threads) {
    const Tick nobody_listens;
    const auto at_work = [&](std::size_t) { return std::make_unique<Counter>(table); };
    share(parts_of(queries.x.size(), threads), grain_of_tests, nobody_listens, at_work,
          [&](auto& counter, std::size_t item, auto&&) {
              counter->add_dense(static_cast<std::size_t>(queries.x[item]), static_cast<std::size_t>(queries.y[item]),
                                 queries.given[item],
                                 cells.subspan(static_cast<std::size_t>(offsets[item]),
                                               static_cast<std::size_t>(offsets[item + 1] - offsets[item])));
          });
}

bool separate(const MakeTester& make_tester, const Tasks& tasks, int threads, const Tick& tick, Answers& answers) {
    const Plan plan(tasks, threads);
    const std::size_t parts = plan.ends.size();
    answers = Answers(tasks.x.size(), parts);

    struct AtWork {
        AtWork(std::unique_ptr<Tester> made, const Tasks& all, Answers& to, std::size_t number)
            : tester(std::move(made)), search(*tester, all), answers(to), thread(number) {}
        ~AtWork() { answers.merge(thread, std::move(results)); }
        AtWork(const AtWork&) = delete;
        AtWork& operator=(const AtWork&) = delete;

        std::unique_ptr<Tester> tester;
        Search search;
        Answers& answers;
        std::size_t thread;
        Answers::ThreadResults results;
    };
    const auto at_work = [&](std::size_t thread) {
        auto made = std::make_unique<AtWork>(make_tester(), tasks, answers, thread);
        made->tester->prepare(thread, parts, tasks.x.size());
        made->results.reserve(tasks.x.size() / parts);
        return made;
    };
    return share(plan.ends, grain_of_tests, tick, at_work, [&](auto& at, std::size_t item, auto&& alive) {
        const std::size_t task = plan.order[item];
        const Finding& found = at->search.run(task, alive);
        answers.set(task, at->thread, at->results.add(found), found.separated);
    });
}

} // namespace bitsep
