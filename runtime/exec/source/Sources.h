//===- Sources.h - threads of sources, waiting, the timer ---------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/abi.h"
#include <cstdint>
#include <vector>

namespace sluice {

class Adapter;
struct Source;
struct Thread;

/// Makes a Source for each source operator.
void findSources(Program &);
/// How far reachable() goes.
enum class Reach {
  All,
  Segment, // what is called inside the segment that the operator heads
  Turn     // what is run in the turns of a source: no port that delays
};
/// By operator: true if tuples of operator `start` may reach it; true for `start` itself.
std::vector<bool> reachable(const ProgramDesc &, uint32_t start, Reach = Reach::All);
/// True if the tables say where every stream leads. If not, any operator may reach any other.
bool knowsConsumers(const ProgramDesc &);
/// By operator: true if it is in the segment that operator `op` heads.
std::vector<bool> segmentOf(const ProgramDesc &, uint32_t op);
/// Starts a thread for each source, and those that run beside them; returns when all have ended.
void runSources(Program &, Adapter *);
/// The timer. A slow source would keep rows back: at each tick the limit of each batch that holds
/// rows becomes 1, so that the next row forwards it. While every thread is parked there are no such
/// batches, and the timer sleeps.
void tickUntil(Program &, os::Event &end);
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
