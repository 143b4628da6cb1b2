//===- Output.h - buffered standard output ----------------------*- C++ -*-===//
//
// One writer for print and println, and for sinks on /dev/stdout, so that what
// they write keeps its order. Flushed before the program waits and at its end;
// on a terminal at each line. Any thread may write.
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
  /// 0, or a negative errno; after an error nothing more is written.
  int write(const char *text, size_t length);
  int flush();

private:
  int flushLocked();

  os::Lock lock;
  std::string buffer;
  int fd;
  bool terminal;
  bool dead = false;
};

} // namespace sluice
