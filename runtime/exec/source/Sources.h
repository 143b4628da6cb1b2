//===- Sources.h - threads of sources, waiting, the timer --------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"
#include <cstdint>

namespace sluice {

struct Source;

/// Makes a Source for each source operator.
void findSources(Program &);
/// Starts a thread for each source, and those that run beside them; returns when all have ended.
void runSources(Program &);
/// A source, outside all segments, has forwarded `rows` rows: others get a turn if one is due.
/// 0; or -1: the source is to stop.
int32_t atTop(Source &, uint64_t rows);
/// True if the program was told to stop so long ago that this thread is to drop its work.
bool overdue(Thread &);
/// The thread is about to wait, for `nanos` ns or (below 0) for an unknown time. Forwards all that
/// it has. True: another thread takes its place meanwhile, by the baton or as one more worker.
bool enterWait(Thread &, int64_t nanos);
/// The wait is over. `released`: what enterWait() returned.
void leaveWait(Thread &, bool released);

} // namespace sluice
