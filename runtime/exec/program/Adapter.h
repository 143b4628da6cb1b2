//===- Adapter.h - what changes a program while it runs ---------*- C++ -*-===//
//
// The side of runtime/adapt that a run sees: it is given a program whose queues are
// set up, has a thread while sources run, and the last token.
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
  /// On a thread of its own, until `end` or the program is told to stop.
  virtual void run(const os::Event &end) = 0;
  /// All threads have ended.
  virtual void finish(int exitCode) = 0;
  /// What it did, for --stats: a line, or nothing.
  virtual std::string summary() const = 0;
};

/// What --elastic and --trace ask for, before any thread runs; `result` stays null if that is
/// nothing. 0, or the exit code.
int makeAdapter(Program &, std::unique_ptr<Adapter> &result);
/// The policies, one a line, and with `policy` its constants: for --help.
std::string policyHelp(const std::string &policy);

} // namespace sluice
