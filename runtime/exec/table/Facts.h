//===- Facts.h - facts that follow from the table ---------------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"
#include <vector>

namespace sluice {

/// True if the operator makes tuples of its own: it has no input port.
inline bool isSource(const OperatorDesc &op) {
  return op.native >= 0 ? op.inputs == 0 : op.process != nullptr;
}

/// The largest number of rows in a batch to this port: config threadedPort counts in tuples.
uint32_t rowsTo(const InPortDesc &);
/// Batches that the ring of one of `ports` ports may hold, a power of two. What waits in all of
/// them together should not push everything else out of the caches: 4096 batches are 64 MiB at
/// most.
uint32_t queueItems(const InPortDesc &, uint32_t ports);
/// By input port: true if only daemons submit to it. Its ring holds one batch, as a tick that waits
/// behind another one is late, and time for data is short then.
std::vector<bool> fedByDaemons(const ProgramDesc &);
/// How many consumers of the port take batches: the first ones. The others are called.
inline uint32_t batchedConsumers(const OutPortDesc &port) {
  return port.batchBytes ? port.segmentCount : 0;
}
/// Calls f(in port) for each consumer of the port that is called.
template <typename F> void forEachCalled(const OutPortDesc &port, F f) {
  for (uint32_t i = batchedConsumers(port); i < port.consumerCount; ++i)
    f(port.consumers[i]);
}
/// Calls f(out port, consumer's position, in port) for every edge.
template <typename F> void forEachEdge(const ProgramDesc &desc, F f) {
  for (uint32_t out = 0; out < desc.outPortCount; ++out)
    for (uint32_t i = 0; i < desc.outPorts[out].consumerCount; ++i)
      f(out, i, desc.outPorts[out].consumers[i]);
}

} // namespace sluice
