//===- Output.h - buffered standard output ----------------------*- C++ -*-===//
//
// Print, println and sinks on /dev/stdout share one buffer, so that what they write keeps its
// order. It is flushed before the program waits and at its end; on a terminal after each line. Any
// thread may write.
//
// A text may be shown below all that, on standard error. It goes away when something else is
// written to the same terminal.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include <cstddef>
#include <string>

namespace sluice {

struct Program;

class Output {
public:
  explicit Output(int fd = 1);
  /// Both return 0, or a negative errno once; after an error nothing more is written.
  int write(const char *text, size_t length);
  int flush();
  /// Flushes, and takes away what is shown below: before something is written to standard error.
  int makeWay();
  /// Shows lines on standard error, a terminal, in place of those before. Not behind half a line.
  void showBelow(const std::string &lines);

private:
  // By who holds the lock.
  int flushLocked();
  int send(const char *text, size_t length);
  std::string erasure();

  os::Lock lock; // protects what follows
  std::string buffer;
  int fd;
  bool terminal;
  bool dead = false;  // an error was returned
  bool whole = true;  // the last line has its end
  uint32_t below = 0; // lines that are shown
};

/// Flushes the standard output of the program. A failure ends it.
void flushOutput(Program &);

} // namespace sluice
