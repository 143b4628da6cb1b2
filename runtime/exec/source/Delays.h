//===- Delays.h - ports that delay, where sources take turns -----*- C++ -*-===//
//
// At a port that delays (InPortDesc::delays) tuples wait for their time. Where there are workers
// one of them waits (Dropping.h). Where sources take turns each such port has a thread that takes
// turns as well: a daemon source, whose tuples are those that have waited. It rests while nothing
// waits, and ends when everything has ended.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/abi.h"

namespace sluice {

struct InPort;
struct Source;

/// Where sources take turns: makes a Source for each port that delays.
void findDelays(Program &);
/// The life of the thread of such a source, inside its first turn.
void runDelay(Source &);
/// By the holder of the baton: a batch comes to a port that delays and belongs to it from now on.
void keepForLater(Thread &, InPort &, Batch *);
/// By the holder of the baton: true if nothing waits at any such port.
bool nothingWaits(const Program &);
/// All other sources have ended: lets those of ports that delay end once nothing waits.
void endDelays(Program &);

} // namespace sluice
