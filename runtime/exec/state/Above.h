//===- Above.h - what dispatch asks of the floors above it -------*- C++ -*-===//
#pragma once
#include "runtime/exec/state/Sent.h"
#include "sluice/abi.h"

namespace sluice {

struct InPort;
struct Source;

/// Functions of higher floors that the way of a batch needs; the ticket half of QueueClient, which
/// is defined in shared, is the one other thing. None is called for a batch that a
/// chain of calls or a queue takes.
struct Above {
  /// Forwards a batch of the ticket that the thread runs (shared/Tickets.h).
  Sent (*inTicket)(Thread &, uint32_t port, Batch *);
  /// Runs a batch over the key shards of its domain (shared/KeyRuns.h). 0 or -1.
  int32_t (*overShards)(Thread &, InPort &, Batch *);
  /// A source, outside all segments, has forwarded rows of an output port (source/Top.h). 0 or -1.
  int32_t (*atTop)(Source &, uint32_t port, uint64_t rows);
  /// A source that has a log is about to forward a batch: writes it (spool/Spool.h). 0 or -1.
  int32_t (*log)(Source &, uint32_t port, Batch *);
  /// Keeps a batch at a port that delays, where sources take turns (source/Delays.h).
  void (*keepForLater)(Thread &, InPort &, Batch *);
};

} // namespace sluice
