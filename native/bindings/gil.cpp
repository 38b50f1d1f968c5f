#include "gil.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace bitsep::bindings {

namespace {

std::atomic<int> calls{0};       // calls that run without the GIL or are acquiring it
std::atomic<int> asking{0};      // of these, those that are acquiring the GIL
std::atomic<bool> ending{false}; // calls should stop
std::atomic<bool> ended{false};  // the GIL must not be acquired any more
std::thread::id exiting_thread;  // is not restricted: exit handlers that run later may use the library

bool is_exiting_thread() {
    return std::this_thread::get_id() == exiting_thread;
}

// take() asks for the GIL. Either `ended` is seen here, or `asking` is seen by the exit handler.
template <class Take>
auto ask_for_gil(Take&& take) {
    asking.fetch_add(1);
    if (ended.load() && !is_exiting_thread()) {
        asking.fetch_sub(1);
        while (true) // ends with the process
            std::this_thread::sleep_for(std::chrono::hours(1));
    }
    struct Asked {
        ~Asked() { asking.fetch_sub(1); }
    } asked;
    return take();
}

template <class Done>
void wait_until(Done&& done, std::chrono::steady_clock::duration most) {
    const auto since = std::chrono::steady_clock::now();
    while (!done() && std::chrono::steady_clock::now() - since < most)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void wait_for_native_calls() {
    exiting_thread = std::this_thread::get_id();
    ending.store(true);
    const ReleasedGil released;
    const auto only_this_one = [] { return calls.load() == 1; };
    wait_until(only_this_one, std::chrono::seconds(2)); // a call looks up every 50 ms, if a single test takes no longer
    ended.store(true);
    wait_until([] { return asking.load() == 0; }, std::chrono::seconds(10));
}

} // namespace

ReleasedGil::ReleasedGil() {
    calls.fetch_add(1);
    state_ = PyEval_SaveThread();
}

ReleasedGil::~ReleasedGil() {
    ask_for_gil([this] { PyEval_RestoreThread(state_); });
    calls.fetch_sub(1);
}

BorrowedGil::BorrowedGil() : state_(ask_for_gil([] { return PyGILState_Ensure(); })) {}

BorrowedGil::~BorrowedGil() {
    PyGILState_Release(state_);
}

bool must_stop() {
    return ending.load(std::memory_order_relaxed) && !is_exiting_thread();
}

void register_gil(nb::module_& m) {
    m.def("wait_for_native_calls", &wait_for_native_calls, "Stop calls of other threads and wait for their return.");
    nb::module_::import_("atexit").attr("register")(m.attr("wait_for_native_calls"));
}

} // namespace bitsep::bindings
