// Running without the GIL, and taking it back, also while the interpreter ends.
//
// A thread that asks for the GIL of an interpreter that has begun to end does not come back: it is unwound through our
// frames or hangs. Before that happens `wait_for_native_calls`, an exit handler, stops all native calls and waits until
// they have returned to Python. A call that does not return in time never asks for the GIL again.
#pragma once

#include "convert.hpp"

namespace bitsep::bindings {

// Releases the GIL for its lifetime. What the work uses is held by the caller.
class ReleasedGil {
public:
    ReleasedGil();
    ~ReleasedGil();
    ReleasedGil(const ReleasedGil&) = delete;
    ReleasedGil& operator=(const ReleasedGil&) = delete;

private:
    PyThreadState* state_;
};

// Takes the GIL for its lifetime, inside the lifetime of a ReleasedGil on the same thread.
class BorrowedGil {
public:
    BorrowedGil();
    ~BorrowedGil();
    BorrowedGil(const BorrowedGil&) = delete;
    BorrowedGil& operator=(const BorrowedGil&) = delete;

private:
    PyGILState_STATE state_;
};

// Whether calls of this thread must stop because the interpreter ends.
bool must_stop();

void register_gil(nb::module_& m);

} // namespace bitsep::bindings
