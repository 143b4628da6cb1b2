//===- SchedulerOptions.h - what a scheduler is made with ----------*- C++ -*-===//
#pragma once
#include <algorithm>
#include <cstdint>

namespace sluice::queue {

struct SchedulerOptions {
  uint32_t workers = 1; // the highest level
  uint32_t spares = 0;  // more workers, numbered behind them, that run while as many wait in the
                        // middle of an item (Scheduler::beginWait)
  uint32_t helpers = 0; // threads from outside that may work for a while (Scheduler::assist)
  uint32_t tokens = 1;
  uint32_t cpus = 1;                 // hardware threads that may be used
  int64_t budget = int64_t(1) << 30; // bytes that all rings may hold together
  uint32_t quantumBatches = 64;      // batches of one turn of a token, at most
  int64_t quantumNanos = 200'000;    // ns of one turn of a token, about
  int64_t wakeNanos = 17'000; // ns that waking a thread takes; workers spin for about as long

  /// Threads of an OpenMP region that an operator opens in one of `sources` threads outside of the
  /// team: an equal part of the processors that the workers leave, at least 1.
  uint32_t regionThreads(uint32_t sources) const {
    uint32_t busy = tokens ? std::min(workers, cpus) : 0; // without tokens there are no workers
    return std::max((cpus - busy) / sources, 1u);
  }
};

} // namespace sluice::queue
