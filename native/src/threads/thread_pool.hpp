// Threads that are kept from one call to the next: starting a thread takes as long as hundreds of tests.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>

namespace bitsep {

// Workers sleep while they have no job. They are detached and end with the process.
class ThreadPool {
public:
    using Job = std::function<void()>;

    // The pool of this process. A forked process has a pool of its own, with no workers at first.
    static ThreadPool& instance();

    // As many workers run the job, each once. Starts threads if too few are idle; if the system has no more threads,
    // fewer workers run it. The job must let no exception out.
    void submit(std::size_t workers, const Job& job);

private:
    [[noreturn]] void work();

    std::mutex mutex_; // guards the members below
    std::condition_variable submitted_;
    std::deque<Job> jobs_; // never more than idle workers
    std::size_t idle_ = 0; // workers that will take the next job
};

} // namespace bitsep
