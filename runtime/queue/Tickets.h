//===- Tickets.h - running what several threads share -----------*- C++ -*-===//
//
// What Flow does where a token has a window whose width is above one. Of the client
// it needs, beside what Flow.h says:
//
//     int32_t runTicket(Self &, Run &, Item); // a queued item; frees it. Asks pushes()
//                                             // before each output
//     int32_t handOut(Self &, Run &);         // pushes run.outputs downstream; null: none.
//                                             // The last time for this run: ended
//     bool isAlone(PortT &, Item);            // it must run alone: by run(), behind the token
//
// and where the window has shards:
//
//     void split(Self &, OwnershipToken &);             // state is to be shards' from now on
//     void unite(Self &, OwnershipToken &);             // one thread is to have it all again
//     void partition(Self &, Run &, Item);         // run.outputs := what parts are run with
//     int32_t runPart(Self &, Run &, uint32_t shard);
//     void join(Self &, Run &);               // all have run: run.outputs := what they put out
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

  static bool areUsed(const TokenT &token) {
    return token.reorder && (token.reorder->shares() || isSplit(token));
  }
  /// By the owner: state is shards'.
  static bool isSplit(const TokenT &token) { return token.hasTickets() && token.reorder->shards; }
  /// And is to be, or else one thread's as soon as no ticket is out.
  static bool staysSplit(const TokenT &token) {
    return isSplit(token) && token.reorder->getWidth() > 1;
  }

  /// By the owner of the token: the item at the head of the ring.
  Item pop(SelfT &self, PortT &port) {
    auto entry = port.ring.pop();
    budget.charge(self.account, -int64_t(entry.bytes));
    if (entry.overflow)
      budget.chargeOverflow(-int64_t(entry.bytes));
    return entry.item;
  }

  /// By the owner of the token, which is let go: runs one batch. False: there is none,
  /// or the window is full.
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

  /// By the owner; all are released: what is behind the token is run by one thread again.
  void endTickets(SelfT &self, TokenT &token) {
    if constexpr (kHasShards)
      if (isSplit(token))
        client.unite(self, token);
    token.noteTickets(false);
  }

  /// A run has an output of so many bytes. True: its turn has come, all that it has kept
  /// was handed out, and the output is to be pushed; false: it is kept.
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

  /// What follows must not come before what earlier tickets put out.
  void takeTurn(SelfT &self, RunT &run) {
    if (run.turn)
      return;
    awaitTurn(self, windowOf(run), run);
    begin(self, run);
  }

  /// Any thread, at any time.
  void setWidth(SelfT &self, PortT &port, uint32_t width) {
    port.token.reorder->setWidth(width);
    if (!Sys::mutant(Mutant::WidthNoNotify))
      tell(self, port);
  }

private:
  //===--- state by key -----------------------------------------------------===//

  static constexpr bool kHasShards =
      requires(Client &c, SelfT &self, RunT &run) { c.join(self, run); };

  void split(SelfT &self, TokenT &token) {
    if constexpr (kHasShards)
      client.split(self, token);
  }

  /// By the owner; nothing that was taken runs any more.
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

  /// There may be room for tickets: if anything waits for one, workers are told. Who
  /// found no room has looked again behind a fence.
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

  /// The turn has come: what was kept goes first.
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

  void finish(SelfT &self, RunT &run) {
    ReorderWindow<Sys> &reorder = windowOf(run);
    PortT &port = *run.port;
    reorder.done(run);
    if (!run.turn && !reorder.turn.win(self.id))
      return tell(self, port); // one may run; who has the turn has been told
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

  /// Waits for the tickets before this one. They are run by other threads, which never
  /// wait for this one: a run pushes only in its turn, and then further downstream.
  void awaitTurn(SelfT &self, ReorderWindow<Sys> &reorder, RunT &run) {
    constexpr bool told = requires { client.beginWait(self); };
    if constexpr (told)
      client.beginWait(self);
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
      client.endWait(self, *run.port, 0); // not for space
  }

  Client &client;
  Budget<Sys> &budget;
  Ready<Sys> &ready;
};

} // namespace sluice::queue
