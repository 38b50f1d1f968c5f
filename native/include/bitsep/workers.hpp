// The threads of one call.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace bitsep {

// The calling thread and, once there is work for them, workers of the thread pool. A search is one call that runs many
// batches of work: the workers stay with it from batch to batch, and go back to the pool, where they sleep, when this
// goes out of scope.
class Workers {
public:
    Workers(int threads); // with the calling thread; not explicit, so that a call may be given a plain number
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    std::size_t threads() const { return threads_; }

    // Workers, about as many as asked for, begin to run `work`, each once. Returns at once. `work` must let no
    // exception out and live until the workers have finished.
    void start(std::size_t workers, const std::function<void()>& work) const;
    // No further worker begins. Whether those that have begun have finished; waits for them for at most this time.
    bool finished_within(std::chrono::milliseconds patience) const;

private:
    struct Shared;
    std::size_t threads_;
    std::shared_ptr<Shared> shared_; // none for one thread
};

} // namespace bitsep
