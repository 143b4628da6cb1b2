//===- Delays.h - ports that delay --------------------------------*- C++ -*-===//
//
// At a port that delays (InPortDesc::delays) tuples wait for their time. Where there are workers
// one thread waits for all such ports, and gives what is due to the workers. Where sources take
// turns each such port has a thread that takes turns as well: a daemon source, whose tuples are
// those that have waited. It rests while nothing waits, and ends when everything has ended. To a
// checkpoint it is as any other source that waits.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/abi.h"

namespace sluice {

struct InPort;
struct Source;

/// Where there are workers, by a thread of its own until `end`: what is due at ports that delay is
/// run. Nothing is while a checkpoint is made.
void releaseDelayed(Program &, os::Event &end);
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
