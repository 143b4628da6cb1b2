//===- Output.h - buffered standard output ----------------------*- C++ -*-===//
//
// Print, println and sinks on /dev/stdout share one buffer, so that what they write keeps its
// order. It is flushed before the program waits and at its end; on a terminal after each line. Any
// thread may write.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include <cstddef>
#include <string>

namespace sluice {

class Output {
public:
  explicit Output(int fd = 1);
  /// Both return 0, or a negative errno once; after an error nothing more is written.
  int write(const char *text, size_t length);
  int flush();

private:
  int flushLocked(); // by who holds the lock

  os::Lock lock; // protects what follows
  std::string buffer;
  int fd;
  bool terminal;
  bool dead = false; // an error was returned
};

} // namespace sluice
