// Which processor runs a thread.
#pragma once

namespace bitsep {

// The processor that runs the calling thread; -1 if the system does not tell.
int current_processor();

// Moves the calling thread to another processor if it runs on this one and may run elsewhere; its affinity is the same
// afterwards. Linux often wakes a thread on the processor of the thread that wakes it and leaves both there for
// milliseconds, although others are idle: to the kernel of a virtual machine an idle processor looks like one that the
// host has taken away.
void leave_processor(int processor);

} // namespace bitsep
