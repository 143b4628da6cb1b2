//===- Wait.h - waiting for time, files and room ----------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/abi.h"

namespace sluice {

struct Source;
struct Thread;

/// True if the thread is not to wait: the program was told to stop, or only daemons are left and it
/// is one.
bool isToEnd(const Thread &);
/// A wait for something outside of the program, of unknown length, that the caller does itself
/// between begin() and end(). Others may run in place of the thread meanwhile.
class OutsideWait {
public:
  void begin(Thread &);
  void end(Thread &);

private:
  bool gaveWay = false;
};

/// By a source outside all segments: waits while a port that it sends to is held (Holds.h).
void awaitRoom(Source &);
/// True if the source is to wait for that; not if the program was told to stop, nor
/// if it receives from another PE while a checkpoint is made.
bool isHeldBack(const Source &);

} // namespace sluice
