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

namespace sluice::trace {
struct Header;
class Writer;
} // namespace sluice::trace

namespace sluice {

struct Program;

class Adapter {
public:
  virtual ~Adapter() = default;
  /// Changes the program, on a thread of its own, until `end` or until the program is told to stop.
  virtual void run(const os::Event &end) = 0;
  /// Completes the trace, after all threads have ended.
  virtual void finish(int exitCode) = 0;
  /// Whether it is to have a thread: it may change something, or writes a trace.
  virtual bool isOfUse() const = 0;
  /// The header of a trace, with the configuration at the start. Any thread.
  virtual const trace::Header &header() const = 0;
  /// What it writes, or would write if there were a trace. Any thread.
  virtual trace::Writer &writer() = 0;
  /// Pauses the adaptation or resumes it. Any thread.
  virtual void pause(bool) = 0;
  /// What it did, for --stats: a line, or nothing. After all threads have ended.
  virtual std::string summary() const = 0;
};

/// Makes what --elastic and --trace ask for, before any thread runs. 0, or the exit code: an option
/// is wrong, which was reported.
int makeAdapter(Program &, std::unique_ptr<Adapter> &result);

} // namespace sluice
