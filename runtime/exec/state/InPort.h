//===- InPort.h - an input port that other domains lead to -------*- C++ -*-===//
#pragma once
#include "runtime/exec/counters/Counters.h"
#include "runtime/exec/state/Domain.h"
#include "runtime/exec/state/DropQueue.h"
#include "runtime/queue/Port.h"
#include "sluice/abi.h"
#include <memory>

namespace sluice {

struct FeedbackLoop;
struct HeldPort;
struct Source;

/// What is called with the batches of an input port.
struct Code {
  SegmentFn segment = nullptr;
  RowsFn rows = nullptr; // InPortDesc::rows
};

/// An input port with a boundary.
struct alignas(64) InPort {
  InPort(Domain &domain, queue::Bounds bounds) : port(domain, bounds), domain(domain) {
    port.user = this;
  }

  // A call touches this line, those of `port` and, unless it is a plain call, that of the domain.
  Code code;
  RunCounters calls = {}; // by who owned the token or was alone with the port
  Counter plain = {};     // rows of plain calls; the output port before it forwarded as many
  InPort *next = this;    // where its in-place output leads, if that may be called plainly
                          // (callPlain() in Chain.cpp); else itself
  uint32_t id = 0;
  uint32_t inPlaceOutput = 0; // InPortDesc::inPlaceOutput
  queue::Port<RealSys> port;
  RunTimes times = {}; // of `calls`; by the same threads

  // What follows is touched seldom.
  Domain &domain;
  uint32_t outside = 0;         // producers that are not in its feedback loop
  bool switchable = false;      // its mode may change while the program runs
  FeedbackLoop *loop = nullptr; // the same object as port.loop
  Source *runner = nullptr;     // of a port that delays, where sources take turns (Delays.h)
  HeldPort *delay = nullptr;    // of a port that delays: counts what waits there; or null
  HeldPort *underWay = nullptr; // counts the batches that are pushed (HeldPort::underWay); or null
  Punctuation finalPunct = {0, PunctuationKind::Final};
  bool closed = false;   // the final punctuation of its loop has arrived; by who owns the token
  Batch finalBatch = {}; // brings that punctuation
  std::unique_ptr<DropQueue> drops; // of a port at which no thread waits for room

  Runs runs() { return {calls, times}; }
  /// How many workers may run it at the same time, at most. 1 where it has state that is not keyed.
  uint32_t maxWidth() const { return domain.isWide() ? kWidest : 1; }
};

static_assert(sizeof(Code) + sizeof(RunCounters) + sizeof(Counter) + sizeof(InPort *) +
                  2 * sizeof(uint32_t) ==
              64);

/// The domain of a port, found in the line that a call touches (in.domain is in another).
inline Domain &domainOf(const InPort &in) { return static_cast<Domain &>(in.port.token); }

/// Batches that wait at the port. Any thread.
inline uint64_t depthOf(const InPort &in) {
  return in.drops ? in.drops->depth() : in.port.ring.size();
}

} // namespace sluice
