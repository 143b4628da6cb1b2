//===- Tickets.h - running what several threads share -----------*- C++ -*-===//
//
// What Flow does where a token has a reorder window whose width is above one. It needs of the
// client, in addition to what Flow.h says:
//
//   int32_t runTicket(Self &, Run &, Item); // runs a queued item and frees it; asks pushes()
//                                           // before each output
//   int32_t handOut(Self &, Run &);         // pushes run.outputs downstream; null: none.
//                                           // run.ended: for the last time
//   bool isAlone(Port &, Item);             // true: it must run alone, by run(), behind the token
//
// and where the window has shards:
//
//   void split(Self &, OwnershipToken &);   // gives the state to the shards
//   void unite(Self &, OwnershipToken &);   // puts the state together again
//   void partition(Self &, Run &, Item);    // run.outputs := what parts are run with
//   int32_t runPart(Self &, Run &, uint32_t shard);
//   void join(Self &, Run &);               // all parts have run: run.outputs := what they put out
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/Ready.h"

namespace sluice::queue {

template <class Sys, class Client> class Tickets {
  using SelfT = Self<Sys>;
  using PortT = Port<Sys>;
  using TokenT = OwnershipToken<Sys>;
  using RunT = Run<Sys>;

public:
  Tickets(Client &client, Budget<Sys> &budget, Ready<Sys> &ready)
      : client(client), budget(budget), ready(ready) {}

  /// True if what is behind the token is run by tickets.
  static bool areUsed(const TokenT &token) {
    return token.reorder && (token.reorder->shares() || isSplit(token));
  }
  /// By the owner: true if the state is split to shards.
  static bool isSplit(const TokenT &token) { return token.hasTickets() && token.reorder->shards; }
  /// By the owner: true if it also stays so. Otherwise it is put together as soon as no ticket is
  /// out.
  static bool staysSplit(const TokenT &token) {
    return isSplit(token) && token.reorder->getWidth() > 1;
  }

  /// By the owner of the token: takes the item at the head of the ring out.
  Item pop(SelfT &self, PortT &port) {
    auto entry = port.ring.pop();
    budget.charge(self.account, -int64_t(entry.bytes));
    if (entry.overflow)
      budget.chargeOverflow(-int64_t(entry.bytes));
    return entry.item;
  }

  /// By the owner of the token, which is released: runs one item. False: there is none, or the
  /// window is full.
  bool runOne(SelfT &self, TokenT &token, int32_t &status) {
    PortT *port = published(token);
    bool whole = isSplit(token) && !staysSplit(token);
    bool alone = port && (whole || client.isAlone(*port, port->ring.front()));
    token.reorder->setAlone(alone);
    if (!port || (!token.reorder->admits() && !(whole && Sys::mutant(Mutant::UnitesWithTickets)))) {
      ready.release(self, token, false);
      return false;
    }
    token.ports = port->next; // the next turn begins there
    if (whole)
      endTickets(self, token);
    if (alone) {
      runAlone(self, token, *port, status);
      return true;
    }
    if (token.reorder->shards && !token.hasTickets())
      split(self, token);
    token.noteTickets(true);
    RunT run{port, token.reorder->take()};
    if (Sys::mutant(Mutant::TicketAfterRelease))
      ready.release(self, token, anyToRun(token));
    Item item = pop(self, *port);
    if (!Sys::mutant(Mutant::TicketAfterRelease))
      ready.release(self, token, anyToRun(token));
    if (port->token.reorder->shards) {
      runParts(self, run, item, status);
      return true;
    }
    status = std::min(status, client.runTicket(self, run, item));
    finish(self, run);
    return true;
  }

  /// By the owner, when all tickets are released: what is behind the token is run by one thread
  /// again.
  void endTickets(SelfT &self, TokenT &token) {
    if constexpr (kHasShards)
      if (isSplit(token))
        client.unite(self, token);
    token.noteTickets(false);
  }

  /// By the thread that runs a ticket, for an output of `bytes` bytes. True: the turn has come,
  /// what the run has kept was pushed, and this output is to be pushed. False: it is to be kept.
  bool pushes(SelfT &self, RunT &run, uint32_t bytes) {
    if (run.turn)
      return true;
    ReorderWindow<Sys> &reorder = windowOf(run);
    constexpr auto kWaits = Mutant::TurnWaitsForBytes;
    if (Sys::mutant(kWaits) || !reorder.isDue(run.ticket) || !reorder.turn.win(self.id)) {
      reorder.keep(bytes);
      if (!reorder.keepsTooMuch()) {
        run.bytes += bytes;
        return false;
      }
      while (Sys::mutant(kWaits) && reorder.keepsTooMuch())
        Sys::yield();
      reorder.keep(-int64_t(bytes));
      awaitTurn(self, reorder, run);
    }
    begin(self, run);
    return true;
  }

  /// By the thread that runs a ticket: waits until all that earlier tickets put out was pushed.
  void takeTurn(SelfT &self, RunT &run) {
    if (run.turn)
      return;
    awaitTurn(self, windowOf(run), run);
    begin(self, run);
  }

  /// By any thread, at any time.
  void setWidth(SelfT &self, PortT &port, uint32_t width) {
    port.token.reorder->setWidth(width);
    if (!Sys::mutant(Mutant::WidthNoNotify))
      tell(self, port);
  }

private:
  //===--- keyed state ------------------------------------------------------===//

  static constexpr bool kHasShards =
      requires(Client &c, SelfT &self, RunT &run) { c.join(self, run); };

  void split(SelfT &self, TokenT &token) {
    if constexpr (kHasShards)
      client.split(self, token);
  }

  /// By the owner, when all tickets are released: runs one item without a ticket.
  void runAlone(SelfT &self, TokenT &token, PortT &port, int32_t &status) {
    auto saved = client.enter(self, token);
    status = std::min(status, client.run(self, port, pop(self, port)));
    client.leave(self, token, saved);
    token.reorder->setAlone(false);
    ready.release(self, token, anyToRun(token));
  }

  void runParts(SelfT &self, RunT &run, Item item, int32_t &status) {
    if constexpr (kHasShards) {
      Shards<Sys> &shards = *windowOf(run).shards;
      client.partition(self, run, item);
      shards.partition(run);
      shards.work(
          self.id, run.ticket,
          [&](RunT &part, uint32_t shard) {
            status = std::min(status, client.runPart(self, part, shard));
          },
          [&](RunT &whole) {
            client.join(self, whole);
            finish(self, whole);
          });
    }
  }

  static ReorderWindow<Sys> &windowOf(RunT &run) { return *run.port->token.reorder; }

  static PortT *published(TokenT &token) {
    PortT *port = token.ports;
    do {
      if (port->ring.pub())
        return port;
      port = port->next;
    } while (port != token.ports);
    return nullptr;
  }

  /// There may be room for tickets: if an item waits for one, workers are told. A thread that found
  /// no room has looked again after a fence.
  void tell(SelfT &self, PortT &port) {
    if (!Sys::mutant(Mutant::ReleasedNoFence))
      Sys::fence();
    PortT *any = &port;
    while (any->ring.empty() && any->next != &port)
      any = any->next;
    if (!any->ring.empty())
      ready.notify(self, port.token, true);
    if (!Sys::mutant(Mutant::ReleasedNoWake))
      port.token.space.wakeAll();
  }

  /// The turn has come: pushes what the run has kept.
  void begin(SelfT &self, RunT &run) {
    run.turn = true;
    handOut(self, run);
    run.outputs = nullptr;
    run.bytes = 0;
  }
  void handOut(SelfT &self, RunT &run) {
    client.handOut(self, run);
    windowOf(run).keep(-int64_t(run.bytes));
  }

  /// A run has ended: releases its ticket and those behind it that are done, if this thread gets
  /// the turn.
  void finish(SelfT &self, RunT &run) {
    ReorderWindow<Sys> &reorder = windowOf(run);
    PortT &port = *run.port;
    reorder.done(run);
    if (!run.turn && !reorder.turn.win(self.id))
      return tell(self, port); // one more may run; the thread that has the turn will look again
    bool any = false;
    for (RunT next;;) {
      while (reorder.next(next)) {
        any = true;
        release(self, next, reorder);
        if (Sys::mutant(Mutant::ReleaseOwnOnly))
          break;
      }
      bool late =
          Sys::mutant(Mutant::TurnCleansLate) && reorder.turn.isDirty() && !reorder.next(next);
      if (reorder.turn.letGo(self.id))
        break;
      if (late && reorder.turn.letGo(self.id))
        break;
    }
    if (!any)
      tell(self, port);
    if (!Sys::mutant(Mutant::TurnNoWake))
      reorder.turns.wakeAll();
  }

  void release(SelfT &self, RunT &run, ReorderWindow<Sys> &reorder) {
    if (Sys::mutant(Mutant::ReleasedFirst))
      reorder.moveOn();
    handOut(self, run);
    if (!Sys::mutant(Mutant::ReleasedFirst))
      reorder.moveOn();
    if (!Sys::mutant(Mutant::ReleasedNoNotify))
      tell(self, *run.port);
  }

  /// Waits for the tickets before this one. Other threads run those and never wait for this one: a
  /// run pushes only in its turn, and then further downstream.
  void awaitTurn(SelfT &self, ReorderWindow<Sys> &reorder, RunT &run) {
    constexpr bool told = requires { client.beginTurn(self); };
    if constexpr (told)
      client.beginTurn(self);
    while (!reorder.isDue(run.ticket) || !reorder.turn.win(self.id)) {
      uint32_t key = reorder.turns.announce();
      if ((reorder.turn.isFree() && reorder.isDue(run.ticket)) &&
          !Sys::mutant(Mutant::TurnNoLook)) {
        reorder.turns.cancel();
        continue;
      }
      ready.setRunning(false);
      reorder.turns.wait(key);
      ready.setRunning(true);
    }
    if constexpr (told)
      client.endTurn(self);
  }

  Client &client;
  Budget<Sys> &budget;
  Ready<Sys> &ready;
};

} // namespace sluice::queue
