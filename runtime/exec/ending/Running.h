//===- Running.h - who runs which operator ----------------------*- C++ -*-===//
//
// What other threads, and the end of a program in the middle of a run, know of a thread.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>
#include <vector>

namespace sluice {

struct Program;
struct Thread;

/// While it lives the thread of the system that made it runs `t`.
class RunsAs {
public:
  explicit RunsAs(Thread &t);
  ~RunsAs();
  RunsAs(const RunsAs &) = delete;

private:
  Thread *before;
};
/// What the calling thread of the system runs; null: none of a program.
Thread *runningThread();

/// The input port whose segment the thread runs; ~0: none. By the thread, or while it stays where
/// it is.
uint32_t portOf(const Thread &);
/// The operators whose code the thread may be in: those of the segment that it runs, first the one
/// that heads it. Empty: none.
std::vector<uint32_t> operatorsOf(const Thread &);

} // namespace sluice
