//===- Counters.cpp - what a run has done so far --------------------------===//
#include "runtime/exec/counters/Counters.h"
#include "runtime/exec/counters/Meter.h"
#include "runtime/memory/Memory.h"
#include <cstdlib>

namespace sluice {

CounterTable::CounterTable(uint32_t inPorts) {
  // calloc: pages that are never touched take no memory. One line more on both sides, so that no
  // data of another thread is in a line of these.
  constexpr size_t line = alignof(InPortCounters);
  size_t bytes = inPorts * sizeof(InPortCounters) + 3 * line;
  memory = calloc(1, bytes);
  if (!memory)
    outOfMemory(bytes);
  in = reinterpret_cast<InPortCounters *>((uintptr_t(memory) + 2 * line - 1) & -line);
}

CounterTable::~CounterTable() { free(memory); }

void CycleClock::calibrate() {
  cost = ~uint64_t(0);
  for (int i = 0; i < 100; ++i) {
    uint64_t start = now();
    cost = std::min(cost, now() - start);
  }
}

} // namespace sluice
