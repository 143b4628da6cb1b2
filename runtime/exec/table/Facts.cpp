//===- Facts.cpp - facts that follow from the table ----------------------===//
#include "runtime/exec/table/Facts.h"
#include <algorithm>
#include <bit>

namespace sluice {

/// Batches that the ring of a port may hold, a power of two; each has at most rowsTo() rows.
static uint32_t queueItems(const InPortDesc &in) {
  return in.queueSize ? std::bit_floor(std::min(in.queueSize, 4u)) : 16;
}

uint32_t queueItems(const InPortDesc &in, uint32_t ports) {
  uint32_t items = queueItems(in);
  while (!in.queueSize && items > 4 && uint64_t(items) * ports > 4096)
    items /= 2;
  return items;
}

uint32_t rowsTo(const InPortDesc &in) {
  if (in.policy != QueuePolicy::Wait)
    return 1; // each tuple is kept or dropped alone
  return in.queueSize ? in.queueSize / queueItems(in) : UINT32_MAX;
}

std::vector<bool> fedByDaemons(const ProgramDesc &desc) {
  std::vector<bool> result(desc.inPortCount, true);
  forEachEdge(desc, [&](uint32_t out, uint32_t, uint32_t in) {
    if (!desc.operators[desc.outPorts[out].op].daemon)
      result[in] = false;
  });
  return result;
}

} // namespace sluice
