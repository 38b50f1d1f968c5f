#include "thread_pool.hpp"
#include "bitsep/process.hpp"

#include <algorithm>
#include <system_error>
#include <thread>
#include <utility>

namespace bitsep {

ThreadPool& ThreadPool::instance() {
    static const PerProcess<ThreadPool>& pool = *new PerProcess<ThreadPool>; // workers use it until the process ends
    return pool.own();
}

namespace {

// Created when the library is loaded: later, a fork could interrupt the creation.
[[maybe_unused]] const ThreadPool& created = ThreadPool::instance();
[[maybe_unused]] const std::size_t counted = ThreadPool::processors();

} // namespace

std::size_t ThreadPool::processors() {
    static const std::size_t number = std::thread::hardware_concurrency();
    return number;
}

void ThreadPool::submit(std::size_t workers, const std::shared_ptr<Job>& job) {
    {
        const std::lock_guard lock(mutex_);
        jobs_.insert(jobs_.end(), workers, job);
        try {
            for (; idle_ < jobs_.size() && threads_ < std::max(workers, processors()); ++idle_, ++threads_)
                std::thread([this] { work(); }).detach();
        } catch (const std::system_error&) { // no more threads
        }
    }
    for (std::size_t i = 0; i < workers; ++i)
        submitted_.notify_one();
}

void ThreadPool::withdraw(const std::shared_ptr<Job>& job) {
    const std::lock_guard lock(mutex_);
    std::erase(jobs_, job);
}

void ThreadPool::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        submitted_.wait(lock, [this] { return !jobs_.empty(); });
        std::shared_ptr<Job> job = std::move(jobs_.front());
        jobs_.pop_front();
        --idle_;
        lock.unlock();
        job->run();
        job.reset();
        lock.lock();
        ++idle_;
    }
}

} // namespace bitsep
