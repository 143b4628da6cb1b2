//===- Flow.h - pushing, helping, waiting, running ---------------*- C++ -*-===//
//
// The protocol of a port; README.md has its invariants. The client runs items:
//
//   struct Client {
//     using Saved = ...;                        // what enter() keeps for leave()
//     Saved enter(Self &, OwnershipToken &);    // the thread has won the token
//     void leave(Self &, OwnershipToken &, const Saved &); // it is about to release the token
//     int32_t run(Self &, Port &, Item);        // runs a queued item and frees it
//     int32_t runInline(Self &, Port &, Item);  // runs an item that stays the caller's
//     void beginSpace(Self &, Port &);          // all or none: around a wait for space in the
//     void endSpace(Self &, uint64_t nanos);    // ring of the port,
//     void beginTurn(Self &);                   // and around one for the ticket before
//     void endTurn(Self &);
//   };
//
// A status below 0 says that the program is failing and that the client has reported it. Here it is
// only passed on to the caller of a push; everything queued is still run.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/SchedulerOptions.h"
#include "runtime/queue/Tickets.h"

namespace sluice::queue {

enum class Pushed {
  Ran,   // the item was run and is still the caller's
  Queued // the item belongs to the ring
};

/// How the thread that pushes an item may run it.
enum class Entered : uint8_t {
  No,    // it may not: the item is to be pushed
  Owner, // it has won the token
  Alone  // it is alone with the port and has not touched the token
};

template <class Sys, class Client> class Flow {
public:
  using SelfT = Self<Sys>;
  using PortT = Port<Sys>;
  using TokenT = OwnershipToken<Sys>;
  using Saved = typename Client::Saved;

  Flow(const SchedulerOptions &options, Client &client)
      : options(options), client(client), budget(options.budget),
        ready(options.workers + options.spares + options.helpers, options.tokens, options.cpus),
        tickets(client, budget, ready) {}

  /// Wins the token of the port and runs what is before the next item, if that can be done at once.
  /// The caller may then run the item, up to leave(). Not for ports of loops. relaxed: as
  /// Port::setMode() says.
  inline __attribute__((always_inline)) Entered enter(SelfT &self, PortT &port, Saved &saved,
                                                      int32_t &status) {
    Sys::check(!port.isClosed(), "a push to a port that has closed");
    if (port.mode.load(std::memory_order_relaxed) != Mode::Direct)
      return Entered::No;
    if (isAlone(port)) {
      saved = client.enter(self, port.token);
      return Entered::Alone;
    }
    return win(self, port, saved, status) ? Entered::Owner : Entered::No;
  }
  /// The same for a port whose mode is direct, where the thread is not alone with it.
  inline __attribute__((always_inline)) bool win(SelfT &self, PortT &port, Saved &saved,
                                                 int32_t &status) {
    return port.token.win(self.id) && runEarlier(self, port, saved, status);
  }
  /// True if the thread is alone with the port: only this one pushes to it, and all that was pushed
  /// has run. Until it pushes again a thread that wins the token finds nothing, so an item may be
  /// run without the token.
  static inline __attribute__((always_inline)) bool isAlone(PortT &port) {
    return (port.sole || Sys::mutant(Mutant::AloneWithOthers)) && isAloneAtSole(port);
  }
  /// The same for a port that is known to be Port::sole.
  static inline __attribute__((always_inline)) bool isAloneAtSole(PortT &port) {
    return port.ring.isClear() || seesClear(port);
  }
  /// Ends what enter() or win() has begun.
  inline __attribute__((always_inline)) void leave(SelfT &self, TokenT &token, const Saved &saved,
                                                   Entered how) {
    client.leave(self, token, saved);
    if (how == Entered::Owner)
      ready.release(self, token, false); // a thread that has published meanwhile has set Q or D
  }

  /// Runs the item or appends it; waits while the ring is full. Not by a thread that is behind the
  /// token of the port: such an edge is in a loop.
  Pushed push(SelfT &self, PortT &port, Item item, uint32_t bytes, int32_t &status) {
    status = 0;
    Sys::check(!port.isClosed(), "a push to a port that has closed");
    if (port.loop)
      settleLoop(self, *port.loop, bytes, status);
    Saved saved;
    if (Entered how = enter(self, port, saved, status); how != Entered::No) {
      runInline(self, port, item, saved, how, status);
      return Pushed::Ran;
    }
    while (awaitsCall(port) || !port.ring.tryPush(item, bytes, !budget.over())) {
      makeSpace(self, port, bytes, status);
      if (Entered how = enter(self, port, saved, status); how != Entered::No) {
        runInline(self, port, item, saved, how, status);
        return Pushed::Ran;
      }
    }
    budget.charge(self.account, bytes);
    notify(self, port);
    return Pushed::Queued;
  }

  /// For an edge inside a loop: appends the item, never waits. False: it was not appended, as the
  /// ring is beyond its bound and the budget for that is used up.
  bool pushLoop(SelfT &self, PortT &port, Item item, uint32_t bytes) {
    if (budget.overflowing() && port.ring.pastBound())
      return false;
    if (Sys::mutant(Mutant::LoopWaits)) {
      int32_t status = 0;
      while (!port.ring.tryPush(item, bytes, true))
        makeSpace(self, port, bytes, status);
    } else {
      append(self, port, item, bytes);
    }
    notify(self, port);
    return true;
  }

  /// Appends the item, never waits. The client sends one at a time to a port.
  void pushTimer(SelfT &self, PortT &port, Item item, uint32_t bytes) {
    append(self, port, item, bytes);
    notify(self, port);
  }

  /// By a worker that has removed the entry of the token: runs items of its ports in turn, up to a
  /// quantum from `start`, which is now. Returns how many it has run.
  uint32_t runEntry(SelfT &self, TokenT &token, int64_t start) {
    if (!token.take(self.id))
      return 0;
    if (int32_t status = 0; Tickets<Sys, Client>::areUsed(token))
      return tickets.runOne(self, token, status);
    if (!anyPublished(token)) {
      // All was run before; a thread that is alone with the port may be behind the token.
      ready.release(self, token, false);
      return 0;
    }
    auto saved = client.enter(self, token);
    uint32_t ran = 0;
    PortT *port = token.ports, *stop = port;
    for (;;) {
      if (port->ring.pub()) {
        if (ran && isOver(token, ran, start)) // reads the clock only if there is more than one
          break;
        runOne(self, *port);
        ++ran;
        stop = port->next;
        port = stop;
      } else if ((port = port->next) == stop) {
        break; // no port has anything published
      }
    }
    token.ports = port; // the next turn begins there
    client.leave(self, token, saved);
    ready.release(self, token, anyToRun(token));
    return ran;
  }

  /// Sets how many threads may run what is behind the token at the same time, if it has a reorder
  /// window. By any thread, at any time.
  void setWidth(SelfT &self, PortT &port, uint32_t width) { tickets.setWidth(self, port, width); }
  /// For a thread that runs a ticket: see Tickets.h.
  bool pushes(SelfT &self, Run<Sys> &run, uint32_t bytes) {
    return tickets.pushes(self, run, bytes);
  }
  void takeTurn(SelfT &self, Run<Sys> &run) { tickets.takeTurn(self, run); }

  const SchedulerOptions options;

protected:
  Client &client;
  Budget<Sys> budget;
  Ready<Sys> ready;

private:
  Tickets<Sys, Client> tickets;

  void runInline(SelfT &self, PortT &port, Item item, const Saved &saved, Entered how,
                 int32_t &status) {
    worst(status, client.runInline(self, port, item));
    leave(self, port.token, saved, how);
  }

  /// True if the producer of a port waits, as if the ring were full, because it is to call the port
  /// and cannot: what is queued must have run before. If it went on pushing as fast as the owner
  /// runs, the queue would never end. relaxed: as Port::setMode() says.
  static bool awaitsCall(const PortT &port) {
    return port.sole && port.mode.load(std::memory_order_relaxed) == Mode::Direct &&
           !(port.token.reorder && port.token.reorder->getWidth() > 1) &&
           !Sys::mutant(Mutant::CallGoesOnQueueing);
  }

  /// Looks at the ring, then at the owner: in the other order the last item could be popped in
  /// between.
  static __attribute__((noinline)) bool seesClear(PortT &port) {
    bool early = Sys::mutant(Mutant::AloneOwnerFirst) && port.token.isFree();
    if (!port.ring.drained() ||
        !(early || Sys::mutant(Mutant::AloneIgnoresOwner) || port.token.isFree()) ||
        (port.token.hasTickets() && !Sys::mutant(Mutant::AloneAmongTickets)))
      return false;
    port.ring.noteClear();
    return true;
  }

  int32_t runOne(SelfT &self, PortT &port) {
    Sys::check(port.token.isOwnedBy(self.id),
               "a thread runs what is behind a token that it does not own");
    return client.run(self, port, tickets.pop(self, port));
  }

  /// True if the turn of the token is over.
  bool isOver(const TokenT &token, uint32_t ran, int64_t start) const {
    return ran >= options.quantumBatches || Tickets<Sys, Client>::areUsed(token) ||
           Sys::now() - start >= options.quantumNanos;
  }

  static void worst(int32_t &status, int32_t other) {
    if (other < status)
      status = other;
  }

  /// The token was won: runs what is before the next item. False: the item must be queued, and the
  /// token is released. A slot below the tail is reserved and not yet published, or the run of a
  /// ticket has not ended, or the state stays split to shards.
  inline __attribute__((always_inline)) bool runEarlier(SelfT &self, PortT &port, Saved &saved,
                                                        int32_t &status) {
    if (port.token.hasTickets()) {
      if ((!port.token.reorder->idle() && !Sys::mutant(Mutant::InlineAmongTickets)) ||
          (Tickets<Sys, Client>::staysSplit(port.token) &&
           !Sys::mutant(Mutant::InlineAmongShards))) {
        ready.release(self, port.token, false);
        return false;
      }
      if (!Sys::mutant(Mutant::InlineAmongShards))
        tickets.endTickets(self, port.token);
    }
    saved = client.enter(self, port.token);
    // All that this producer has pushed before is below this tail: this thread has pushed it, or
    // one that has passed its part on through the token upstream.
    uint64_t end = port.ring.tailIndex();
    if (end == 0 || runBefore(self, port, end, status)) // 0: nothing was ever queued
      return true;
    leave(self, port.token, saved, Entered::Owner);
    return false;
  }

  /// Runs what is before `end`. False: part of it is not published.
  __attribute__((noinline)) bool runBefore(SelfT &self, PortT &port, uint64_t end,
                                           int32_t &status) {
    while (port.ring.headIndex() < end && port.ring.pub())
      worst(status, runOne(self, port));
    return Sys::mutant(Mutant::InlineIfNotPublished) || port.ring.headIndex() == end;
  }

  void append(SelfT &self, PortT &port, Item item, uint32_t bytes) {
    Sys::check(!port.isClosed(), "a push to a port that has closed");
    budget.charge(self.account, bytes);
    if (port.ring.pushAlways(item, bytes))
      budget.chargeOverflow(bytes);
  }

  void notify(SelfT &self, PortT &port) {
    if (Sys::mutant(Mutant::NotifyOnlyIfEmpty) && port.ring.size() > 1)
      return;
    ready.notify(self, port.token);
  }

  //===--- back-pressure ----------------------------------------------------===//

  /// Before a push from outside: waits while a port of the loop is beyond its bound.
  void settleLoop(SelfT &self, Loop<Sys> &loop, uint32_t bytes, int32_t &status) {
    for (PortT *port : loop.ports)
      while (port->ring.pastBound())
        makeSpace(self, *port, bytes, status);
  }

  /// One step towards space in the ring, or towards a call: helps, or waits until the token is
  /// released.
  void makeSpace(SelfT &self, PortT &port, uint32_t bytes, int32_t &status) {
    if (port.token.isOwnedBy(self.id))
      Sys::broken("a thread waits for a token that it owns: an edge of a loop is not marked");
    if (help(self, port, status))
      return;
    ready.payWakes(self);
    constexpr bool told = requires { client.beginSpace(self, port); };
    if constexpr (told)
      client.beginSpace(self, port);
    int64_t start = Sys::now();
    if (!spinForOwner(port, bytes))
      awaitOwner(port, bytes);
    uint64_t nanos = uint64_t(Sys::now() - start);
    if (self.counters)
      Counters::add(self.counters->blocked, nanos);
    if constexpr (told)
      client.endSpace(self, nanos);
  }

  void awaitOwner(PortT &port, uint32_t bytes) {
    TokenT &token = port.token;
    uint32_t key = token.space.announce();
    if (Sys::mutant(Mutant::ParkUnannounced) || mustWait(port, bytes)) {
      if (Sys::mutant(Mutant::KeyAfterLook))
        key = token.space.key();
      ready.setRunning(false);
      token.space.wait(key);
      ready.setRunning(true);
    } else {
      token.space.cancel();
    }
  }

  /// True if there is neither space nor anything to help with.
  bool mustWait(PortT &port, uint32_t bytes) {
    bool full = port.ring.full(bytes, !budget.over()) || awaitsCall(port);
    return full && (port.token.isOwned() || sharedFully(port.token) ||
                    Sys::mutant(Mutant::ParkWithoutOwner));
  }
  /// True if no more tickets may be taken: the threads that run them will release them and wake
  /// waiters.
  static bool sharedFully(const TokenT &token) { return token.reorder && token.reorder->isFull(); }

  /// Wins the token, if it has no owner, and runs up to as many items as the ring holds, or for a
  /// quantum. There is no limit of depth: what it runs may have to help further downstream.
  bool help(SelfT &self, PortT &port, int32_t &status) {
    TokenT &token = port.token;
    if (!token.win(self.id))
      return false;
    if (Tickets<Sys, Client>::areUsed(token))
      return tickets.runOne(self, token, status) || yieldForFirst(port, !sharedFully(token));
    auto saved = client.enter(self, token);
    int64_t end = Sys::now() + options.quantumNanos;
    uint32_t ran = 0;
    while (ran < port.ring.capacity() && port.ring.pub()) {
      worst(status, runOne(self, port));
      ++ran;
      if (Sys::now() >= end)
        break;
    }
    client.leave(self, token, saved);
    ready.release(self, token, anyToRun(token));
    return ran || yieldForFirst(port, true);
  }
  /// There was nothing to run although the ring is not empty: the first slot is reserved, and its
  /// producer is about to publish it.
  static bool yieldForFirst(PortT &port, bool open) {
    if (open && !port.ring.empty())
      Sys::yield();
    return open;
  }

  /// Spins for about as long as waking a thread takes. True: something has changed.
  bool spinForOwner(PortT &port, uint32_t bytes) {
    if (!ready.spare())
      return false;
    for (int64_t end = Sys::now() + options.wakeNanos; Sys::now() < end;)
      for (int i = 0; i < 16; ++i) {
        if (!mustWait(port, bytes))
          return true;
        Sys::pause();
      }
    return false;
  }
};

} // namespace sluice::queue
