//===- backtrace.h - where a thread is --------------------------*- C++ -*-===//
#pragma once

namespace sluice::os {

/// Writes the calls on the stack of this thread to a descriptor, a line each: the address, and the
/// function if its name is known. For handlers of faults: it allocates nothing.
void writeBacktrace(int fd);

} // namespace sluice::os
