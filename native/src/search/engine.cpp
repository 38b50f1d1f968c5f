#include "bitsep/engine.hpp"

#include "search/separator_search.hpp"
#include "search/task_order.hpp"
#include "threads/parallel.hpp"

namespace bitsep {

namespace {

constexpr std::size_t grain_of_tests = 16;

} // namespace

void Tester::prepare(std::size_t, std::size_t, std::size_t) {}

// If two threads need the bitmaps of a column at the same time, one of them waits. Before many tests each thread
// therefore builds its share, then those that the others have not begun.
void CountingTester::prepare(std::size_t part, std::size_t parts, std::size_t items) {
    const std::size_t columns = table_.size();
    if (parts == 1 || items < columns || table_.weighted())
        return;
    const std::size_t begin = columns * part / parts, own = columns * (part + 1) / parts - begin;
    bool built = false;
    for (std::size_t i = 0; i < columns; ++i) {
        if (i == own && !built)
            return; // all had been built before
        const Column& column = table_.column((begin + i) % columns);
        if (column.can_have_bitmaps())
            built = column.try_to_build_bitmaps() || built;
    }
}

bool evaluate(const MakeTester& make_tester, const Queries& queries, const Workers& workers, const Tick& tick,
              std::span<Record> results) {
    const std::vector<std::size_t> ends = equal_parts(queries.x.size(), workers.threads());
    const auto make_context = [&](std::size_t thread) {
        auto tester = make_tester();
        tester->prepare(thread, ends.size(), queries.x.size());
        return tester;
    };
    return for_each_item(workers, ends, grain_of_tests, tick, make_context,
                         [&](auto& tester, std::size_t item, auto&&) {
                             results[item] = tester->test(queries.x[item], queries.y[item], queries.given[item]);
                         });
}

void count_dense(const Table& table, const Queries& queries, std::span<const std::int64_t> offsets,
                 std::span<std::int64_t> cells, const Workers& workers) {
    const Tick no_tick;
    const auto make_context = [&](std::size_t) { return std::make_unique<Counter>(table); };
    for_each_item(workers, equal_parts(queries.x.size(), workers.threads()), grain_of_tests, no_tick, make_context,
                  [&](auto& counter, std::size_t item, auto&&) {
                      counter->add_dense(static_cast<std::size_t>(queries.x[item]),
                                         static_cast<std::size_t>(queries.y[item]), queries.given[item],
                                         cells.subspan(static_cast<std::size_t>(offsets[item]),
                                                       static_cast<std::size_t>(offsets[item + 1] - offsets[item])));
                  });
}

bool separate(const MakeTester& make_tester, const Tasks& tasks, const Workers& workers, const Tick& tick,
              Answers& answers) {
    const TaskOrder tasks_of(tasks, workers.threads());
    const std::size_t threads = tasks_of.ends.size();
    answers = Answers(tasks.x.size(), threads);

    struct Context {
        Context(std::unique_ptr<Tester> made, const Tasks& all, Answers& to, std::size_t number)
            : tester(std::move(made)), search(*tester, all), answers(to), thread(number) {}
        ~Context() { answers.merge(thread, std::move(results)); }
        Context(const Context&) = delete;
        Context& operator=(const Context&) = delete;

        std::unique_ptr<Tester> tester;
        SeparatorSearch search;
        Answers& answers;
        std::size_t thread;
        Answers::ThreadResults results;
    };
    const auto make_context = [&](std::size_t thread) {
        auto context = std::make_unique<Context>(make_tester(), tasks, answers, thread);
        context->tester->prepare(thread, threads, tasks.x.size());
        context->results.reserve(tasks.x.size() / threads);
        return context;
    };
    return for_each_item(workers, tasks_of.ends, grain_of_tests, tick, make_context,
                         [&](auto& context, std::size_t item, auto&& go_on) {
                             const std::size_t task = tasks_of.order[item];
                             const Finding& found = context->search.run(task, go_on);
                             answers.set(task, context->thread, context->results.add(found), found.separated);
                         });
}

} // namespace bitsep
