//===- Sources.h - threads of sources, waiting, the timer ---------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"
#include <cstdint>
#include <vector>

namespace sluice {

class Adapter;
struct Source;
struct Thread;

/// Makes a Source for each source operator.
void findSources(Program &);
/// By operator: true if it is in the segment that operator `op` heads.
std::vector<bool> segmentOf(const ProgramDesc &, uint32_t op);
/// Starts a thread for each source, and those that run beside them; returns when all have ended.
void runSources(Program &, Adapter *);
/// A source, outside all segments, has forwarded `rows` rows of an output port: others get a turn
/// if one is due. 0; or -1: who has filled the port is to stop.
int32_t atTop(Source &, uint32_t port, uint64_t rows);
/// Where sources take turns: others get a turn if one is due.
void yieldTurn(Source &, uint64_t rows);
/// Where sources take turns, by the holder of the baton: ends the daemons if all else has ended.
void endDaemons(Program &);
/// True if the program was told to stop so long ago that this thread is to drop its work.
bool overdue(Thread &);
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
/// True if the source is to wait for that; not if the program was told to stop.
bool isHeldBack(const Source &);

} // namespace sluice
