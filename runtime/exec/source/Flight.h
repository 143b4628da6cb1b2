//===- Flight.h - how many batches are in flight -----------------*- C++ -*-===//
#pragma once
#include "runtime/exec/state/Source.h"

namespace sluice {

/// Batches that sources let be in flight for each thread that works.
int64_t inFlightEach(const Program &);
/// By a source outside all segments: while more batches are in flight than the threads need, it
/// works at them, or naps.
void holdBack(Source &);
/// Calls holdBack() if the source has queued so many batches that it is to look again.
inline void holdBackIfMany(Source &s) {
  // relaxed: the source reads what it wrote itself.
  if (int64_t(s.counted.queued.load(std::memory_order_relaxed) - s.flight.looksAt) >= 0)
    holdBack(s);
}
/// True if no batch was queued or ran at some moment of this call. Once all sources but daemons
/// have ended, or wait, only a batch and what a daemon submits can queue a batch.
bool isQuiet(const Program &);
/// The same, but batches may wait for their time at ports that delay. While none may leave these
/// (HeldPort::stays).
bool isQuietButForDelays(const Program &);
/// After all sources but daemons have ended: waits until nothing is in flight.
void awaitQuiet(const Program &);

} // namespace sluice
