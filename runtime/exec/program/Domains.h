//===- Domains.h - the domains and boundaries of a program -------*- C++ -*-===//
#pragma once
#include "runtime/exec/dispatch/FeedbackLoop.h"
#include "runtime/exec/dispatch/InPort.h"
#include <memory>
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
/// Calls f(out port, consumer's position, in port) for every edge.
template <typename F> void forEachEdge(const ProgramDesc &desc, F f) {
  for (uint32_t out = 0; out < desc.outPortCount; ++out)
    for (uint32_t i = 0; i < desc.outPorts[out].consumerCount; ++i)
      f(out, i, desc.outPorts[out].consumers[i]);
}

/// The domains of a program and the boundaries between them. See makeDomains().
struct Domains {
  Domains() = default;
  Domains(Domains &&) = default;
  ~Domains();

  /// False: two sources share a domain, or a queue leads into one. Then sources take turns (Baton).
  bool valid = true;
  uint32_t tokens = 0;     // domains with a token
  uint32_t ownThreads = 0; // domains that bring a worker
  uint32_t waiting = 0;    // others with a token whose operators may sleep as part of their work
  std::vector<std::unique_ptr<Domain>> list;
  std::vector<Domain *> ofOperator;             // by id of the operator
  std::vector<std::unique_ptr<InPort>> inPorts; // by id; null: the port has no boundary
  std::vector<std::unique_ptr<FeedbackLoop>> loops;
  std::vector<std::vector<bool>> inLoop; // by output port and consumer: the edge is in a loop
};

} // namespace sluice
