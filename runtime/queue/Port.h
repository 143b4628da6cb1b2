//===- Port.h - a boundary: a mode, a token and a ring -----------*- C++ -*-===//
#pragma once
#include "runtime/queue/OwnershipToken.h"
#include "runtime/queue/ReorderWindow.h"
#include "runtime/queue/Ring.h"
#include <vector>

namespace sluice::queue {

enum class Mode : uint8_t {
  Direct, // the thread that pushes runs the item, if no other is behind the token
  Queued  // the item is always appended
};

template <class Sys> struct Port;

/// The ports of a cycle in the graph of tokens. Pushes along edges inside never wait; pushes from
/// outside wait while a port of the cycle is beyond its bound.
template <class Sys> struct Loop {
  std::vector<Port<Sys> *> ports;
};

/// Two cache lines: what a push or a call touches, then what the owner of the token touches. Fields
/// that are not atomic are set before threads run.
template <class Sys> struct alignas(64) Port {
  /// Adds the port to those behind `token`; before any thread runs.
  Port(OwnershipToken<Sys> &token, Bounds bounds, Mode mode = Mode::Direct)
      : mode(mode), token(token), ring(bounds) {
    Port *first = token.ports;
    next = first ? first->next : this;
    (first ? first->next : token.ports) = this;
  }
  Port(const Port &) = delete;

  /// Sets the mode, by any thread at any time, from the next push on. relaxed: the mode says what a
  /// push tries first, and both are right at any time.
  void setMode(Mode value) { mode.store(value, std::memory_order_relaxed); }

  /// Every producer has ended, timers first. By the owner of the token. relaxed: for checks only.
  void close() {
    Sys::check(ring.empty(), "a port closes that holds items");
    closed.store(true, std::memory_order_relaxed);
  }
  bool isClosed() const { return closed.load(std::memory_order_relaxed); }

  typename Sys::template Atomic<Mode> mode;
  std::atomic<bool> closed{false};
  bool sole = false; // one thread at a time pushes to it and no timer does; it is in no loop and
                     // the only port behind its token
  OwnershipToken<Sys> &token;
  Loop<Sys> *loop = nullptr; // the loop that the port is in, or null
  Ring<Sys> ring;            // its first part ends the first line
  Port *next;                // a circle of the ports behind the same token
  void *user = nullptr;      // the client's

  /// Prefetches what a push or a call touches; or both lines.
  void prefetchPush() const { __builtin_prefetch(this, 1); }
  void prefetch() const {
    __builtin_prefetch(this);
    __builtin_prefetch(reinterpret_cast<const char *>(this) + 64);
  }
};
static_assert(sizeof(Port<RealSys>) == 128 && alignof(Ring<RealSys>) == 8);

/// By the owner: true if anything behind the token is published.
template <class Sys> bool anyPublished(OwnershipToken<Sys> &token) {
  Port<Sys> *first = token.ports, *port = first;
  do {
    if (port->ring.pub())
      return true;
    port = port->next;
  } while (port != first && !Sys::mutant(Mutant::ReleaseForgetsOthers));
  return false;
}

/// By the owner: true if there is anything to run now.
template <class Sys> bool anyToRun(OwnershipToken<Sys> &token) {
  return anyPublished(token) && (!token.reorder || token.reorder->admits());
}

} // namespace sluice::queue
