//===- Output.h - buffered standard output ----------------------*- C++ -*-===//
//
// Print, println and sinks on /dev/stdout share one buffer, so that what they write keeps its
// order. It is flushed before a source waits, by the timer at the latest after some milliseconds,
// and at the end; on a terminal after each line. Any thread may write.
//
// A text may be shown below all that, on standard error. It goes away when something else is
// written to the same terminal. So whoever has a message for standard error while the program runs
// writes it with tell(), or sl_message() (abi.h), and nobody writes there directly.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include <cstddef>
#include <string>
#include <string_view>

namespace sluice {

class Output {
public:
  /// What write() returns once a buffer of text was printed after standard output had failed.
  static constexpr int kLost = 1;

  explicit Output(int fd = 1);
  // These return 0, or a negative errno of standard output once; after an error nothing more is
  // written there, and write() returns a positive number once a buffer of text is lost.
  int write(const char *text, size_t length);
  int flush();
  /// Whether there is anything to flush.
  bool isPending();
  /// The error of standard output, a negative errno, from the first one on; 0 before.
  int failure();
  /// Writes a text to standard error, behind all that was written, in place of what is shown below.
  int message(std::string_view text);
  /// Shows lines on standard error, a terminal, in place of those before. Not behind half a line.
  void showBelow(const std::string &lines);

private:
  // By who holds the lock.
  int flushLocked();
  int send(const char *text, size_t length);

  // Protects what follows. Whoever holds it asks for no memory: a thread that gets none stands
  // still, or ends the program with a message (memory/OutOfMemory.cpp).
  os::Lock lock;
  std::string buffer;
  int fd;
  bool terminal;
  int error = 0;     // see failure()
  bool whole = true; // the last line has its end
};

} // namespace sluice
