//===- Adapter.h - what changes a program while it runs ---------*- C++ -*-===//
//
// The side of runtime/adapt that a run sees. It is given a program whose queues are set up, and has
// a thread while sources run.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include <memory>
#include <string>

namespace sluice {

struct Program;

class Adapter {
public:
  virtual ~Adapter() = default;
  /// Changes the program, on a thread of its own, until `end` or until the program is told to stop.
  virtual void run(const os::Event &end) = 0;
  /// Completes the trace, after all threads have ended.
  virtual void finish(int exitCode) = 0;
  /// What it did, for --stats: a line, or nothing. After all threads have ended.
  virtual std::string summary() const = 0;
};

/// Makes what --elastic and --trace ask for, before any thread runs; `result` stays null if that is
/// nothing. 0, or the exit code: an option is wrong, which was reported.
int makeAdapter(Program &, std::unique_ptr<Adapter> &result);

} // namespace sluice
