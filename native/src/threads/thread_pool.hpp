// Threads that are kept from one call to the next: starting a thread takes longer than hundreds of tests.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>

namespace bitsep {

// Workers sleep while they have no job. They are detached and end with the process.
class ThreadPool {
public:
    struct Job {
        virtual ~Job() = default;
        virtual void run() = 0; // lets no exception out
    };

    // The pool of this process. A forked process has a pool of its own, with no workers at first.
    static ThreadPool& instance();
    static std::size_t processors(); // that it may use

    // So many workers are to run the job, as soon as they are idle. Starts threads if too few are, but has no more than
    // this call asks for or than there are processors. If the system has no more threads, fewer workers run the job.
    void submit(std::size_t workers, const std::shared_ptr<Job>& job);
    // Workers that have not begun the job do not run it.
    void withdraw(const std::shared_ptr<Job>& job);

private:
    [[noreturn]] void work();

    std::mutex mutex_; // guards the members below
    std::condition_variable submitted_;
    std::deque<std::shared_ptr<Job>> jobs_;
    std::size_t threads_ = 0, idle_ = 0;
};

} // namespace bitsep
