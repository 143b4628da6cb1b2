//===- OutOfMemory.h - a program that has no memory left ----------*- C++ -*-===//
//
// The thread that finds no memory cannot go on, and cannot leave its segment: values are half made.
// So it ends the program itself. It waits until no other thread can be inside what it looks at,
// reports which operator needed the memory, closes the sinks, and ends the process.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>

namespace sluice {

struct Program;
struct RunOptions;

/// From now on outOfMemory() ends the process of a program that is not made yet. Until there is an
/// EndsWithoutMemory the options stay where they are.
void endAtStartWithoutMemory(const char *name, const RunOptions &);

/// While it lives outOfMemory() (memory/Memory.h) ends this program, and so does `new`.
class EndsWithoutMemory {
public:
  explicit EndsWithoutMemory(Program &);
  ~EndsWithoutMemory();
  EndsWithoutMemory(const EndsWithoutMemory &) = delete;

private:
  void (*before)(); // the handler of `new`
};

} // namespace sluice
