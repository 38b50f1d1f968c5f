#include "bitsep/engine.hpp"

#include <algorithm>
#include <numeric>

#include "schedule.hpp"

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

// Buffers of a search; searches are short and many, and memory for each would cost more than its tests.
struct Scratch {
    std::vector<std::size_t> position;
    std::vector<char> is_known;
    std::vector<std::int32_t> given, first, second;
};

// Fills the buffer with a pool, all but one variable, which is there or not.
std::span<const std::int32_t> without(std::span<const std::int32_t> pool, std::int32_t one,
                                      std::vector<std::int32_t>& buffer) {
    buffer.resize(pool.size());
    return {buffer.begin(), std::remove_copy(pool.begin(), pool.end(), buffer.begin(), one)};
}

// One task: tries sets, remembers the best two.
class Search {
public:
    Search(Tester& tester, const Tasks& tasks, std::size_t task, Separator& found, Scratch& scratch)
        : tester_(tester), tasks_(tasks), task_(task), found_(found), scratch_(scratch), given_(scratch.given) {}

    template <class Alive>
    void run(Alive&& alive) {
        const auto x = tasks_.x[task_], y = tasks_.y[task_];
        const auto pool_of = [&](std::int32_t one, std::int32_t other, auto& buffer) {
            return without(tasks_.first[static_cast<std::size_t>(one)], other, buffer);
        };
        const bool shared = tasks_.pools_of_variables;
        const auto first = shared ? pool_of(x, y, scratch_.first) : tasks_.first[task_];
        const auto second = shared ? pool_of(y, x, scratch_.second) : tasks_.second[task_];
        for (std::int64_t size = tasks_.min_size; size <= tasks_.max_size; ++size) {
            const auto wanted = static_cast<std::size_t>(size);
            if (wanted > first.size() && wanted > second.size())
                break;
            if (try_all(first, {}, wanted, alive))
                return;
            if (size > 0 && try_all(second, first, wanted, alive)) // the empty set was tried with the first pool
                return;
        }
    }

private:
    // Tries the subsets of `pool` that do not lie within `known`. True: the search is over.
    template <class Alive>
    bool try_all(std::span<const std::int32_t> pool, std::span<const std::int32_t> known, std::size_t size,
                 Alive&& alive) {
        auto& is_known = scratch_.is_known;
        is_known.resize(pool.size());
        for (std::size_t i = 0; i < pool.size(); ++i)
            is_known[i] = std::binary_search(known.begin(), known.end(), pool[i]);
        for (Subsets subset(scratch_.position, pool.size(), size); !subset.done(); subset.next()) {
            if (!known.empty() && std::all_of((*subset).begin(), (*subset).end(), [&](auto i) { return is_known[i]; }))
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
                set_runner_up(found_.given.get(), found_.record);
            found_.given = given_;
            found_.record = record;
            found_.separated = separates;
        } else if (!found_.has_runner_up || record.score_bits < found_.runner_up_record.score_bits) {
            set_runner_up(given_, record);
        }
        return tasks_.stop_at_first && separates;
    }

    void set_runner_up(std::span<const std::int32_t> given, const Record& record) {
        found_.runner_up = given;
        found_.runner_up_record = record;
        found_.has_runner_up = true;
    }

    Tester& tester_;
    const Tasks& tasks_;
    std::size_t task_;
    Separator& found_;
    Scratch& scratch_;
    std::vector<std::int32_t>& given_;
};

double binomial(std::size_t n, std::int64_t k) {
    double value = 1;
    for (std::int64_t i = 1; i <= k; ++i)
        value = value * (static_cast<double>(n) - static_cast<double>(k - i)) / static_cast<double>(i);
    return std::max(value, 0.0);
}

// Where each thread's part of the items ends, if parts are of one size.
std::vector<std::size_t> parts_of(std::size_t total, int threads) {
    std::vector<std::size_t> ends(std::max<std::size_t>(1, std::min(static_cast<std::size_t>(threads), total)));
    for (std::size_t part = 0; part < ends.size(); ++part)
        ends[part] = total * (part + 1) / ends.size();
    return ends;
}

// Who searches what. Every thread has neighbouring tasks of its own: they share variables, and so the counts it made
// before, which another thread would have to fetch. The longest come first, so that what others may take from it at the
// end is short.
struct Plan {
    std::vector<std::size_t> order, ends; // the tasks one after the other, and where each thread's own end

    Plan(const Tasks& tasks, int threads) : order(tasks.x.size()), ends(parts_of(order.size(), threads)) {
        const std::size_t total = order.size();
        std::vector<double> until(total + 1), tests(total); // at most, in all tasks before, and in each
        for (std::size_t task = 0; task < total; ++task) {
            const auto sets = [&](const Ragged& pools, std::int32_t variable) {
                const std::size_t row = tasks.pools_of_variables ? static_cast<std::size_t>(variable) : task;
                return binomial(pools[row].size(), tasks.max_size);
            };
            tests[task] = 1 + sets(tasks.first, tasks.x[task]) +
                          sets(tasks.pools_of_variables ? tasks.first : tasks.second, tasks.y[task]);
            until[task + 1] = until[task] + tests[task];
        }
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto parts = static_cast<double>(ends.size());
        auto begin = order.begin();
        for (std::size_t part = 0; part < ends.size(); ++part) {
            const double share = until.back() * static_cast<double>(part + 1) / parts;
            if (part + 1 < ends.size())
                ends[part] =
                    static_cast<std::size_t>(std::lower_bound(until.begin(), until.end(), share) - until.begin());
            const auto end = order.begin() + static_cast<std::ptrdiff_t>(ends[part]);
            std::stable_sort(begin, end, [&](auto a, auto b) { return tests[a] > tests[b]; });
            begin = end;
        }
    }
};

} // namespace

void Tester::prepare(std::size_t, std::size_t, std::size_t) {}

// Bitmaps that two threads want at the same time keep one of them waiting: with many tests ahead, each makes its share.
void CountingTester::prepare(std::size_t part, std::size_t parts, std::size_t items) {
    if (parts == 1 || items < table_.size() || table_.weighted())
        return;
    const std::size_t end = table_.size() * (part + 1) / parts;
    for (std::size_t column = table_.size() * part / parts; column < end; ++column)
        if (table_.column(column).can_have_bitmaps())
            table_.column(column).present();
}

bool evaluate(const MakeTester& make_tester, const Queries& queries, int threads, const Tick& tick,
              std::span<Record> results) {
    return share(make_tester, parts_of(queries.x.size(), threads), grain_of_tests, tick,
                 [&](Tester& tester, std::size_t item, auto&&) {
                     results[item] = tester.test(queries.x[item], queries.y[item], queries.given[item]);
                 });
}

void count_dense(const Table& table, const Queries& queries, std::span<const std::int64_t> offsets,
                 std::span<std::int64_t> cells, int threads) {
    std::atomic<std::size_t> next{0};
    const std::function<void()> run = [&] {
        Counter counter(table);
        for (std::size_t item; (item = next.fetch_add(1)) < queries.x.size();)
            counter.add_dense(static_cast<std::size_t>(queries.x[item]), static_cast<std::size_t>(queries.y[item]),
                              queries.given[item],
                              cells.subspan(static_cast<std::size_t>(offsets[item]),
                                            static_cast<std::size_t>(offsets[item + 1] - offsets[item])));
    };
    const Crew crew(static_cast<std::size_t>(std::max(threads, 1) - 1), run);
    run();
}

bool separate(const MakeTester& make_tester, const Tasks& tasks, int threads, const Tick& tick,
              std::span<Separator> results) {
    const Plan plan(tasks, threads);
    return share(make_tester, plan.ends, grain_of_tests, tick, [&](Tester& tester, std::size_t item, auto&& alive) {
        thread_local Scratch kept;
        Scratch scratch = std::move(kept); // a progress callback may start another search on this thread
        Search(tester, tasks, plan.order[item], results[plan.order[item]], scratch).run(alive);
        kept = std::move(scratch);
    });
}

} // namespace bitsep
