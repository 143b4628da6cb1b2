//===- Dropping.h - ports that drop what is too much, or delay ----*- C++ -*-===//
#pragma once
#include "sluice/abi.h"
#include <cstdint>

namespace sluice {

struct InPort;

/// A batch comes to a port with a DropQueue. True: it was kept; false: it was dropped and is still
/// the caller's.
bool keepOrDrop(Thread &, InPort &, Batch *);
/// The placeholder of the DropQueue came out of the ring: runs what is kept, up to a quantum. By
/// the owner of the token. 0, or -1: the program is failing.
int32_t runKept(Thread &, InPort &);
/// Where sources take turns: runs the oldest batch that is kept. There is one.
void runOldest(Thread &, InPort &);
/// Before threads run: a port that delays keeps a batch that came to it at the time `arrival`,
/// before the program was saved.
void keepAgain(Program &, InPort &, Batch *, int64_t arrival);

} // namespace sluice
