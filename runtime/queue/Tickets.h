//===- Tickets.h - running what several threads share -----------*- C++ -*-===//
//
// What Flow does where a word has a window whose width is above one. Of the client
// it needs, beside what Flow.h says:
//
//     int32_t runTicket(Self &, Run &, Item); // a queued item; frees it. Asks pushes()
//                                             // before each output
//     int32_t handOut(Self &, Run &);         // pushes run.outputs downstream; null: none.
//                                             // The last time for this run: ended
//     bool isAlone(PortT &, Item);            // it must run alone: by run(), behind the word
//
// and where the window has lanes:
//
//     void split(Self &, Word &);             // state is to be lanes' from now on
//     void unite(Self &, Word &);             // one thread is to have it all again
//     void deal(Self &, Run &, Item);         // run.outputs := what parts are run with
//     int32_t runPart(Self &, Run &, uint32_t lane);
//     void join(Self &, Run &);               // all have run: run.outputs := what they put out
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/Ready.h"

namespace sluice::queue {

template <class Sys, class Client> class Tickets {
  using SelfT = Self<Sys>;
  using PortT = Port<Sys>;
  using WordT = Word<Sys>;
  using RunT = Run<Sys>;

public:
  Tickets(Client &client, Budget<Sys> &budget, Ready<Sys> &ready)
      : client(client), budget(budget), ready(ready) {}

  static bool areUsed(const WordT &word) {
    return word.window && (word.window->shares() || isSplit(word));
  }
  /// By the owner: state is lanes'.
  static bool isSplit(const WordT &word) { return word.hasTickets() && word.window->lanes; }
  /// And is to be, or else one thread's as soon as no ticket is out.
  static bool staysSplit(const WordT &word) { return isSplit(word) && word.window->getWidth() > 1; }

  /// By the owner of the word: the item at the head of the ring.
  Item pop(SelfT &self, PortT &port) {
    auto entry = port.ring.pop();
    budget.charge(self.account, -int64_t(entry.bytes));
    if (entry.overflow)
      budget.chargeOverflow(-int64_t(entry.bytes));
    return entry.item;
  }

  /// By the owner of the word, which is let go: runs one batch. False: there is none,
  /// or the window is full.
  bool runOne(SelfT &self, WordT &word, int32_t &status) {
    PortT *port = published(word);
    bool whole = isSplit(word) && !staysSplit(word);
    bool alone = port && (whole || client.isAlone(*port, port->ring.front()));
    word.window->setAlone(alone);
    if (!port || (!word.window->admits() && !(whole && Sys::mutant(Mutant::UnitesWithTickets)))) {
      ready.release(self, word, false);
      return false;
    }
    word.ports = port->next; // the next turn begins there
    if (whole)
      endTickets(self, word);
    if (alone) {
      runAlone(self, word, *port, status);
      return true;
    }
    if (word.window->lanes && !word.hasTickets())
      split(self, word);
    word.noteTickets(true);
    RunT run{port, word.window->take()};
    if (Sys::mutant(Mutant::TicketAfterRelease))
      ready.release(self, word, anyToRun(word));
    Item item = pop(self, *port);
    if (!Sys::mutant(Mutant::TicketAfterRelease))
      ready.release(self, word, anyToRun(word));
    if (port->word.window->lanes) {
      runParts(self, run, item, status);
      return true;
    }
    status = std::min(status, client.runTicket(self, run, item));
    finish(self, run);
    return true;
  }

  /// By the owner; all are released: what is behind the word is run by one thread again.
  void endTickets(SelfT &self, WordT &word) {
    if constexpr (kHasLanes)
      if (isSplit(word))
        client.unite(self, word);
    word.noteTickets(false);
  }

  /// A run has an output of so many bytes. True: its turn has come, all that it has kept
  /// was handed out, and the output is to be pushed; false: it is kept.
  bool pushes(SelfT &self, RunT &run, uint32_t bytes) {
    if (run.turn)
      return true;
    Window<Sys> &window = windowOf(run);
    constexpr auto kWaits = Mutant::TurnWaitsForBytes;
    if (Sys::mutant(kWaits) || !window.isDue(run.ticket) || !window.turn.win(self.id)) {
      window.keep(bytes);
      if (!window.keepsTooMuch()) {
        run.bytes += bytes;
        return false;
      }
      while (Sys::mutant(kWaits) && window.keepsTooMuch())
        Sys::yield();
      window.keep(-int64_t(bytes));
      awaitTurn(self, window, run);
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
    port.word.window->setWidth(width);
    if (!Sys::mutant(Mutant::WidthNoNotify))
      tell(self, port);
  }

private:
  //===--- state by key -----------------------------------------------------===//

  static constexpr bool kHasLanes =
      requires(Client &c, SelfT &self, RunT &run) { c.join(self, run); };

  void split(SelfT &self, WordT &word) {
    if constexpr (kHasLanes)
      client.split(self, word);
  }

  /// By the owner; nothing that was taken runs any more.
  void runAlone(SelfT &self, WordT &word, PortT &port, int32_t &status) {
    auto saved = client.enter(self, word);
    status = std::min(status, client.run(self, port, pop(self, port)));
    client.leave(self, word, saved);
    word.window->setAlone(false);
    ready.release(self, word, anyToRun(word));
  }

  void runParts(SelfT &self, RunT &run, Item item, int32_t &status) {
    if constexpr (kHasLanes) {
      Lanes<Sys> &lanes = *windowOf(run).lanes;
      client.deal(self, run, item);
      lanes.deal(run);
      lanes.work(
          self.id, run.ticket,
          [&](RunT &part, uint32_t lane) {
            status = std::min(status, client.runPart(self, part, lane));
          },
          [&](RunT &whole) {
            client.join(self, whole);
            finish(self, whole);
          });
    }
  }

  static Window<Sys> &windowOf(RunT &run) { return *run.port->word.window; }

  static PortT *published(WordT &word) {
    PortT *port = word.ports;
    do {
      if (port->ring.pub())
        return port;
      port = port->next;
    } while (port != word.ports);
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
      ready.notify(self, port.word, true);
    if (!Sys::mutant(Mutant::ReleasedNoWake))
      port.word.space.wakeAll();
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
    Window<Sys> &window = windowOf(run);
    PortT &port = *run.port;
    window.done(run);
    if (!run.turn && !window.turn.win(self.id))
      return tell(self, port); // one may run; who has the turn has been told
    bool any = false;
    for (RunT next;;) {
      while (window.next(next)) {
        any = true;
        release(self, next, window);
        if (Sys::mutant(Mutant::ReleaseOwnOnly))
          break;
      }
      bool late =
          Sys::mutant(Mutant::TurnCleansLate) && window.turn.isDirty() && !window.next(next);
      if (window.turn.letGo(self.id))
        break;
      if (late && window.turn.letGo(self.id))
        break;
    }
    if (!any)
      tell(self, port);
    if (!Sys::mutant(Mutant::TurnNoWake))
      window.turns.wakeAll();
  }

  void release(SelfT &self, RunT &run, Window<Sys> &window) {
    if (Sys::mutant(Mutant::ReleasedFirst))
      window.moveOn();
    handOut(self, run);
    if (!Sys::mutant(Mutant::ReleasedFirst))
      window.moveOn();
    if (!Sys::mutant(Mutant::ReleasedNoNotify))
      tell(self, *run.port);
  }

  /// Waits for the tickets before this one. They are run by other threads, which never
  /// wait for this one: a run pushes only in its turn, and then further downstream.
  void awaitTurn(SelfT &self, Window<Sys> &window, RunT &run) {
    constexpr bool told = requires { client.beginWait(self); };
    if constexpr (told)
      client.beginWait(self);
    while (!window.isDue(run.ticket) || !window.turn.win(self.id)) {
      uint32_t key = window.turns.announce();
      if ((window.turn.isFree() && window.isDue(run.ticket)) && !Sys::mutant(Mutant::TurnNoLook)) {
        window.turns.cancel();
        continue;
      }
      ready.setRunning(false);
      window.turns.wait(key);
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
