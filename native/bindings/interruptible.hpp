// Work that takes long: without the GIL, with progress, and stopped by Ctrl-C.
#pragma once

#include <optional>

#include "gil.hpp"

namespace bitsep::bindings {

// Raises in Python where the interpreter ends or a signal (Ctrl-C) asks to stop.
inline void stop_if_asked() {
    if (must_stop())
        PyErr_SetString(PyExc_RuntimeError, "the interpreter is shutting down");
    else if (PyErr_CheckSignals() == 0)
        return;
    throw nb::python_error();
}

// Runs work(tick) without the GIL. On every tick Python's signals are answered (Ctrl-C) and the progress callback is
// called; an exception of either stops the run and is raised here.
template <class Work>
void run_interruptible(const nb::object& progress, Work&& work) {
    std::optional<nb::python_error> raised;
    const Tick tick = [&](std::size_t finished, std::size_t total) {
        const BorrowedGil gil;
        try {
            stop_if_asked();
            if (!progress.is_none())
                progress(finished, total);
            return true;
        } catch (nb::python_error& error) {
            raised.emplace(std::move(error));
            return false;
        }
    };
    {
        const ReleasedGil released; // seconds to hours of counting; arrays are held by the caller
        work(tick);
    }
    if (raised)
        throw std::move(*raised);
}

} // namespace bitsep::bindings
