// What each mechanism of the threads gains: the same skeleton search with one thread, with two as shipped, and with two
// and one mechanism replaced by a plainer one, in turns. Prints JSON: for every variant the seconds that one in ten
// searches stays below (those that no other process disturbed), the median, and their ratios to the shipped code (above
// 1: the mechanism gains). Also prints how long a worker takes to wake up, and a new thread to start.
//
// The number of repetitions is the environment variable REPETITIONS, 301 if not set.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "bitsep/engine.hpp"
#include "bitsep/skeleton.hpp"
#include "bitsep/table.hpp"
#include "bitsep/test.hpp"
#include "search/separator_search.hpp"
#include "threads/parallel.hpp"

namespace {

using bitsep::Answers, bitsep::Tasks, bitsep::Workers;

constexpr std::size_t variables = 60, grain = 16;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Samples of a random network: 2 to 4 levels, up to three parents among the ten variables before or, one in eight,
// among the first three, which get many neighbors.
struct Data {
    std::vector<std::vector<std::int8_t>> codes{variables};
    std::vector<std::int64_t> levels;

    explicit Data(std::size_t rows) {
        std::mt19937_64 random(7);
        for (std::size_t v = 0; v < variables; ++v) {
            levels.push_back(2 + static_cast<std::int64_t>(random() % 3));
            std::vector<std::size_t> parents;
            for (std::uint64_t i = random() % 4; i > 0 && v > 0; --i)
                parents.push_back(random() % 8 == 0 ? random() % std::min<std::size_t>(v, 3)
                                                    : v - 1 - random() % std::min<std::size_t>(v, 10));
            for (std::size_t row = 0; row < rows; ++row) {
                std::uint64_t code = 0;
                for (const std::size_t parent : parents)
                    code = 3 * code + static_cast<std::uint64_t>(codes[parent][row]);
                if (parents.empty() || random() % 3 == 0)
                    code = random();
                codes[v].push_back(static_cast<std::int8_t>(code % static_cast<std::uint64_t>(levels[v])));
            }
        }
    }
    bitsep::Table table() const {
        std::vector<bitsep::Column> columns;
        for (std::size_t v = 0; v < variables; ++v)
            columns.emplace_back(bitsep::Codes(std::span<const std::int8_t>(codes[v])), levels[v]);
        return bitsep::Table(std::move(columns), codes[0].size(), {});
    }
};

// A thread's view of the tasks: its tester, its search, and where its results go.
struct Context {
    Context(std::unique_ptr<bitsep::Tester> made, const Tasks& tasks)
        : tester(std::move(made)), search(*tester, tasks) {}
    std::unique_ptr<bitsep::Tester> tester;
    bitsep::SeparatorSearch search;
};

// One batch through an index that all threads share, instead of a range for each.
void shared_index(const bitsep::MakeTester& make, const Tasks& tasks, const Workers& workers, Answers& answers) {
    answers = Answers(tasks.x.size(), workers.threads());
    std::atomic<std::size_t> next_item{0}, next_thread{0};
    const std::function<void()> run = [&] {
        const std::size_t thread = next_thread.fetch_add(1);
        if (thread >= workers.threads())
            return;
        Context context(make(), tasks);
        Answers::ThreadResults results;
        for (std::size_t begin; (begin = next_item.fetch_add(grain)) < tasks.x.size();)
            for (std::size_t task = begin; task < std::min(begin + grain, tasks.x.size()); ++task) {
                const auto& found = context.search.run(task, [] { return true; });
                answers.set(task, thread, results.add(found), found.separated);
            }
        answers.merge(thread, std::move(results));
    };
    workers.start(workers.threads() - 1, run);
    run();
    while (!workers.finished_within(std::chrono::milliseconds(50))) {
    }
}

// One batch as shipped but for the results: all threads append to the same, under a lock.
void shared_results(const bitsep::MakeTester& make, const Tasks& tasks, const Workers& workers, Answers& answers) {
    answers = Answers(tasks.x.size(), 1);
    Answers::ThreadResults results;
    std::mutex mutex;
    bitsep::for_each_item(
        workers, tasks.x.size(), grain, nullptr, [&](std::size_t) { return std::make_unique<Context>(make(), tasks); },
        [&](auto& context, std::size_t task, auto&& go_on) {
            const auto& found = context->search.run(task, go_on);
            const std::lock_guard lock(mutex);
            answers.set(task, 0, results.add(found), found.separated);
        });
    answers.merge(0, std::move(results));
}

struct Variant {
    const char* name;
    std::function<void(const bitsep::Table&, const bitsep::Test&, const Workers&, bitsep::SkeletonSearch&)> search;
};

template <class Separate>
auto searching(Separate separate) {
    return [=](const bitsep::Table& table, const bitsep::Test& test, const Workers& workers,
               bitsep::SkeletonSearch& search) {
        const auto make = [&] { return std::make_unique<bitsep::CountingTester>(table, test); };
        search.run([&](const Tasks& tasks, Answers& answers) {
            separate(make, tasks, workers, answers);
            return true;
        });
    };
}

const auto shipped = [](const auto& make, const Tasks& tasks, const Workers& workers, Answers& answers) {
    bitsep::separate(make, tasks, workers, nullptr, answers);
};
const auto one_thread = [](const auto& make, const Tasks& tasks, const Workers&, Answers& answers) {
    bitsep::separate(make, tasks, 1, nullptr, answers);
};
// Workers go back to the pool and sleep between two sizes.
const auto workers_per_size = [](const auto& make, const Tasks& tasks, const Workers& workers, Answers& answers) {
    bitsep::separate(make, tasks, static_cast<int>(workers.threads()), nullptr, answers);
};

// Of so many of ten values the largest, if they are the smallest: 5 gives the median.
double tenths(std::size_t number, std::vector<double> values) {
    const std::size_t place = values.size() * number / 10;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place), values.end());
    return values[place];
}

void sleep_a_moment() { // until the workers of the call before are asleep
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

// Seconds until another thread begins to work: a worker of the pool that sleeps, and a new thread.
void print_waking(int repetitions) {
    std::vector<double> waking, starting;
    for (int i = 0; i < repetitions; ++i) {
        std::atomic<double> began{0};
        const std::function<void()> work = [&] { began = now(); };
        sleep_a_moment();
        {
            const Workers workers(2);
            const double begin = now();
            workers.start(1, work);
            while (began == 0) {
            }
            waking.push_back(began - begin);
            workers.finished_within(std::chrono::milliseconds(50));
        }
        sleep_a_moment();
        began = 0;
        const double begin = now();
        std::thread thread(work);
        while (began == 0) {
        }
        starting.push_back(began - begin);
        thread.join();
    }
    std::printf(" {\"waking a worker\": %g, \"starting a thread\": %g}", tenths(1, waking), tenths(1, starting));
}

} // namespace

int main() {
    const Variant variants[] = {
        {"as shipped", searching(shipped)},
        {"one thread", searching(one_thread)},
        {"workers go back to sleep after each size", searching(workers_per_size)},
        {"one shared index instead of ranges with stealing", searching(shared_index)},
        {"one result list under a lock instead of one per thread", searching(shared_results)},
    };
    const char* wanted = std::getenv("REPETITIONS");
    const int most = wanted == nullptr ? 301 : std::atoi(wanted);
    const auto test = bitsep::make_test("g2_adjusted");
    std::printf("[\n");
    print_waking(most);
    for (const std::size_t rows : {10'000u, 100'000u}) {
        const Data data(rows);
        const int repetitions = rows > 10'000 ? std::max(1, most / 3) : most;
        std::vector<std::vector<double>> seconds(std::size(variants));
        for (int repetition = 0; repetition < repetitions; ++repetition)
            for (std::size_t i = 0; i < std::size(variants); ++i) {
                const bitsep::Table table = data.table(); // without bitmaps and counts
                bitsep::SkeletonSearch search(variables, {}, {}, {}, variables, std::size_t{1} << 24);
                sleep_a_moment();
                const double begin = now();
                {
                    const Workers workers(2);
                    variants[i].search(table, *test, workers, search);
                }
                seconds[i].push_back(now() - begin);
            }
        for (std::size_t i = 0; i < std::size(variants); ++i) {
            const double fast = tenths(1, seconds[i]), half = tenths(5, seconds[i]);
            std::printf(",\n {\"rows\": %zu, \"variant\": \"%s\", \"fast\": %g, \"median\": %g, \"fast ratio\": %.3f, "
                        "\"median ratio\": %.3f}",
                        rows, variants[i].name, fast, half, fast / tenths(1, seconds[0]), half / tenths(5, seconds[0]));
        }
    }
    std::printf("\n]\n");
}
