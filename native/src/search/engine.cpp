#include "bitsep/engine.hpp"

#include "search/separator_search.hpp"
#include "threads/parallel.hpp"

namespace bitsep {

namespace {

constexpr std::size_t grain_of_tests = 16;

} // namespace

bool evaluate(const MakeTester& make_tester, const Queries& queries, const Workers& workers, const Tick& tick,
              std::span<Record> results) {
    const auto make_context = [&](std::size_t) { return make_tester(); };
    return for_each_item(workers, queries.x.size(), grain_of_tests, tick, make_context,
                         [&](auto& tester, std::size_t item, auto&&) {
                             results[item] = tester->test(queries.x[item], queries.y[item], queries.given[item]);
                         });
}

void count_dense(const Table& table, const Queries& queries, std::span<const std::int64_t> offsets,
                 std::span<std::int64_t> cells, const Workers& workers) {
    const Tick no_tick;
    const auto make_context = [&](std::size_t) { return std::make_unique<Counter>(table); };
    for_each_item(workers, queries.x.size(), grain_of_tests, no_tick, make_context,
                  [&](auto& counter, std::size_t item, auto&&) {
                      counter->add_dense(static_cast<std::size_t>(queries.x[item]),
                                         static_cast<std::size_t>(queries.y[item]), queries.given[item],
                                         cells.subspan(static_cast<std::size_t>(offsets[item]),
                                                       static_cast<std::size_t>(offsets[item + 1] - offsets[item])));
                  });
}

bool separate(const MakeTester& make_tester, const Tasks& tasks, const Workers& workers, const Tick& tick,
              Answers& answers) {
    answers = Answers(tasks.x.size(), workers.threads());

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
        context->results.reserve(tasks.x.size() / workers.threads());
        return context;
    };
    return for_each_item(workers, tasks.x.size(), grain_of_tests, tick, make_context,
                         [&](auto& context, std::size_t task, auto&& go_on) {
                             const Finding& found = context->search.run(task, go_on);
                             answers.set(task, context->thread, context->results.add(found), found.separated);
                         });
}

} // namespace bitsep
