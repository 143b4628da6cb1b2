//===- EndInside.h - the end of a program in the middle of a run -*- C++ -*-===//
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

/// By who is about to call endInside(), which one thread does: another one stays here for ever, and
/// the same one ends the process. `self`: what the calling thread runs, or null.
void claimEnd(Thread *self);

/// Waits until no thread but `inside` is inside a domain, for half a second at most; then calls
/// `report`, closes the sinks that are still but for operators `leaves`, and ends the process with
/// exit code 1. `inside`: a thread that stays where it is, or null.
[[noreturn]] void endInside(Program &, Thread *inside, const std::vector<uint32_t> &leaves,
                            const std::function<void(const StillDomains &)> &report);

/// A thread waits in the middle of a segment for what another thread does. Once the program ends so
/// endStill() does not return.
void beginStill(Thread &);
void endStill(Thread &);
/// By a thread that is Thread::still and about to forward, or to call a native operator. If another
/// thread ends the program without it this does not return: sinks may be closed.
void stayIfEnded();

} // namespace sluice
