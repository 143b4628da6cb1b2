//===- Port.h - where a boundary hands batches over -------------*- C++ -*-===//
#pragma once
#include "runtime/queue/OwnershipToken.h"
#include "runtime/queue/ReorderWindow.h"
#include "runtime/queue/Ring.h"
#include <vector>

namespace sluice::queue {

enum class Mode : uint8_t {
  Direct, // run by who pushes, if nobody else is behind the token
  Queued  // always appended
};

template <class Sys> struct Port;

/// Ports of a cycle in the graph of tokens: edges inside never wait, pushes from
/// outside wait while any of the ports is past its bound.
template <class Sys> struct Loop {
  std::vector<Port<Sys> *> ports;
};

/// Two cache lines: what a push or a call looks at, and what the owner of the token does.
template <class Sys> struct alignas(64) Port {
  /// Joins the circle of ports behind `token`; before any thread runs.
  Port(OwnershipToken<Sys> &token, Bounds bounds, Mode mode = Mode::Direct)
      : mode(mode), token(token), ring(bounds) {
    Port *first = token.ports;
    next = first ? first->next : this;
    (first ? first->next : token.ports) = this;
  }
  Port(const Port &) = delete;

  /// May change at any time; counts from the next push. relaxed: the mode says
  /// which way a push tries first, either way is right at any time.
  void setMode(Mode value) { mode.store(value, std::memory_order_relaxed); }

  /// Final has come from every producer (timers end first). By the owner.
  void close() {
    Sys::check(ring.empty(), "a port closes that holds items");
    closed.store(true, std::memory_order_relaxed); // for assertions only
  }
  bool isClosed() const { return closed.load(std::memory_order_relaxed); }

  typename Sys::template Atomic<Mode> mode;
  std::atomic<bool> closed{false};
  bool sole = false; // one thread at a time pushes to it, no timer, and it is in no loop: the only
                     // port behind its token
  OwnershipToken<Sys> &token;
  Loop<Sys> *loop = nullptr; // if an edge into this port is inside of a loop
  Ring<Sys> ring;            // its first part ends the first line
  Port *next;                // behind the same token
  void *user = nullptr;      // the client's

  /// Asks for what a push or a call looks at; or for all.
  void prefetchPush() const { __builtin_prefetch(this, 1); }
  void prefetch() const {
    __builtin_prefetch(this);
    __builtin_prefetch(reinterpret_cast<const char *>(this) + 64);
  }
};
static_assert(sizeof(Port<RealSys>) == 128 && alignof(Ring<RealSys>) == 8);

/// The owner asks: is anything behind the token published?
template <class Sys> bool anyPublished(OwnershipToken<Sys> &token) {
  Port<Sys> *first = token.ports, *port = first;
  do {
    if (port->ring.pub())
      return true;
    port = port->next;
  } while (port != first && !Sys::mutant(Mutant::ReleaseForgetsOthers));
  return false;
}

/// The owner asks: is there anything to run now?
template <class Sys> bool anyToRun(OwnershipToken<Sys> &token) {
  return anyPublished(token) && (!token.reorder || token.reorder->admits());
}

} // namespace sluice::queue
