//===- EndInside.h - the end of a program in the middle of a run ---*- C++ -*-===//
//
// A thread is where it cannot be brought back from: it has found no memory (memory/OutOfMemory.h),
// or it does not come to an end (Watchdog.h). The process ends without it. Before that, sinks write
// what they keep, where no other thread is inside them.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

namespace sluice {

struct Program;
struct Thread;
class StillDomains;

/// Waits until no thread but `inside` is inside a domain, for half a second at most; then calls
/// `report`, closes the sinks that are still but for operators `leaves`, and ends the process with
/// exit code 1. `inside`: a thread that stays where it is, or null.
[[noreturn]] void endInside(Program &, Thread *inside, const std::vector<uint32_t> &leaves,
                            const std::function<void(const StillDomains &)> &report);

} // namespace sluice
