//===- Flight.h - how many batches are in flight -----------------*- C++ -*-===//
#pragma once
#include "runtime/exec/source/Source.h"

namespace sluice {

/// Batches that sources let be in flight for each thread that works.
int64_t inFlightEach(const Program &);
/// By a source outside all segments: while more batches are in flight than the threads need, it
/// works at them, or naps.
void holdBack(Source &);
/// Calls holdBack() if the source has queued so many batches that it is to look again.
inline void holdBackIfMany(Source &s) {
  // relaxed: the source reads what it wrote itself.
  if (int64_t(s.queued.load(std::memory_order_relaxed) - s.flight.looksAt) >= 0)
    holdBack(s);
}

} // namespace sluice
