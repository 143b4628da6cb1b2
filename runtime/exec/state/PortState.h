//===- PortState.h - an output port that ends a segment ----------*- C++ -*-===//
#pragma once
#include "runtime/exec/counters/Counters.h"
#include "sluice/abi.h"

namespace sluice {

struct Domain;
struct InPort;

/// What the runtime knows of one output port that ends a segment: one cache line. The batch that
/// the port fills is in Ctx::ports, where generated code finds it. `counted`, `busy` and `closed`
/// are written by whoever is inside the domain of the port's operator, the limit by its source
/// (Pace.cpp), all else before any thread runs.
struct alignas(64) PortState {
  const OutPortDesc *desc = nullptr;
  /// The one consumer, where the stream leads to one boundary only: no partitioner, no feedback
  /// loop, no dropping queue. Else null.
  InPort *only = nullptr;
  /// Where `only` itself forwards in place: the only consumer of its output port and the domain
  /// of that. Prefetched while `only` runs.
  struct {
    InPort *only;
    Domain *domain;
  } onward = {};
  OutPortCounters counted = {};
  uint32_t limit = 0;   // rows at which the batch is forwarded (Pace.cpp)
  uint32_t pool = 0;    // index of the BatchPool that its batches come from
  uint32_t bytes = 0;   // of a batch, without its payload
  bool busy = false;    // its consumers are running
  bool closed = false;  // it has submitted its final punctuation
  bool inPlace = false; // it forwards the batch that its segment was given and has none of its own
  /// `only` has no other producer, forwards in place and is in the same replica: callPlain() in
  /// Chain.cpp may run it.
  bool plain = false;
};
static_assert(sizeof(PortState) == 64, "a forward touches one line of its port");

} // namespace sluice
