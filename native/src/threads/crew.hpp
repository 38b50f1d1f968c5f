// Threads that stay from one call to the next: a search makes many short calls, and a thread takes as long to start as
// hundreds of tests.
#pragma once

#include <functional>
#include <vector>

#include "bitsep/process.hpp"

namespace bitsep {

struct Helper;

// Some helpers, all at the same work until it returns; they are free for others once this goes out of scope.
class Crew {
public:
    // `work` must outlive the crew and let no exception out.
    Crew(std::size_t helpers, const std::function<void()>& work);
    ~Crew();
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    // Those who have not begun need not any more.
    void dismiss();
    // Whether nobody is at work, after that.
    bool done() const;
    // Whether this is a forked process, which has none of the helpers.
    bool lost() const;

private:
    std::vector<Helper*> helpers_;
    std::uint64_t epoch_ = process_epoch();
};

} // namespace bitsep
