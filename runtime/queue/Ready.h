//===- Ready.h - entries of tokens, and who sleeps for want of them -*- C++ -*-===//
#pragma once
#include "runtime/queue/OwnQueue.h"
#include "runtime/queue/Port.h"

namespace sluice::queue {

/// What one worker did; written by it alone, read by anybody at any time.
/// Nanoseconds and numbers only grow: a sample is a difference of two readings.
struct alignas(128) Counters {
  std::atomic<uint64_t> busy{0}, idle{0}, parked{0}, blocked{0}; // parked: above the level
  std::atomic<uint64_t> batches{0}, entries{0}, steals{0};
  static void add(std::atomic<uint64_t> &counter, uint64_t amount) {
    counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
};

/// What a thread must have to push: a worker, a source thread, the timer.
template <class Sys> struct Self {
  using Queue = OwnQueue<Sys, OwnershipToken<Sys> *>;
  uint32_t id = 0;       // never 0 once made
  uint32_t worker = ~0u; // its number if it is one; behind theirs, if it may help
  Queue *own = nullptr;  // its entries, while it works
  Counters *counters = nullptr;
  int64_t account = 0;  // with the budget
  uint32_t looks = 0;   // how often it looked for work
  bool lingers = false; // it wakes nobody for what it adds: it may run that itself
  uint32_t owed = 0;    // wake-ups that it has kept back so
  void *user = nullptr; // the client's
};

template <class Sys> class Ready {
  using Queue = typename Self<Sys>::Queue;

public:
  /// `threads`: that ever work.
  Ready(uint32_t threads, uint32_t tokens, uint32_t cpus) : cpus(cpus), injected(tokens) {
    for (uint32_t i = 0; i < threads; ++i)
      queues.push_back(std::make_unique<Queue>(std::min(tokens, kOwnEntries)));
  }

  Queue &of(uint32_t worker) { return *queues[worker]; }

  /// Adds the entry of a token whose Q this thread has set; wakes a sleeper, unless it lingers.
  /// `again`: it has just been run; what that pushed to comes first.
  __attribute__((noinline)) void add(Self<Sys> &self, OwnershipToken<Sys> &token, bool again) {
    OwnershipToken<Sys> *outside = !self.own ? &token
                                   : again   ? self.own->addLast(&token)
                                             : self.own->addFirst(&token);
    if (outside && !injected.add(outside))
      Sys::check(false, "more entries than tokens");
    if (self.lingers) {
      ++self.owed;
      return;
    }
    // Entry, fence, look for sleepers; a sleeper: announcement, fence, look for
    // entries. One of the two sees the other.
    if (!Sys::mutant(Mutant::AddNoFence))
      Sys::fence();
    idle.wakeOne();
  }

  /// By a thread that lingers: an entry from outside whose turn takes that long at most; or null.
  OwnershipToken<Sys> *findLight(Self<Sys> &self, int64_t nanos) {
    OwnershipToken<Sys> *token = injected.take();
    if (!token || token->isLight(nanos))
      return token;
    add(self, *token, true);
    return nullptr;
  }
  /// What a thread that lingers has added and nobody has run is for workers: they are woken now.
  void payWakes(Self<Sys> &self) {
    uint32_t owed = self.owed;
    self.owed = 0;
    if (!owed || Sys::mutant(Mutant::LingerNoWake))
      return;
    Sys::fence(); // as in add()
    for (; owed && any(); --owed)
      idle.wakeOne();
  }

  /// Something was published behind the token; `again`: what was there before may be run now.
  void notify(Self<Sys> &self, OwnershipToken<Sys> &token, bool again = false) {
    if (token.notify())
      add(self, token, again);
  }

  /// Lets go of the token. `more`: there is something to run.
  inline __attribute__((always_inline)) void release(Self<Sys> &self, OwnershipToken<Sys> &token,
                                                     bool more) {
    if (token.release(self.id, more, [&] { return anyToRun(token); }))
      add(self, token, true);
    if (!Sys::mutant(Mutant::WakeOnlyWithSpace) ||
        token.ports->ring.size() < token.ports->ring.capacity())
      token.space.wakeAll(); // space or not: a waiter that finds no owner helps
  }

  /// Removes an entry: the worker's own, the newest first, one from outside, one of another
  /// worker. Every 16th time those from outside go first, then the worker's oldest, so that none
  /// can starve behind tokens that are never done.
  OwnershipToken<Sys> *find(Self<Sys> &self) {
    bool oldest = self.looks++ % 16 == 15;
    if (oldest)
      if (OwnershipToken<Sys> *token = injected.take())
        return token;
    if (OwnershipToken<Sys> *token = self.own->take(oldest))
      return token;
    if (OwnershipToken<Sys> *token = injected.take())
      return token;
    uint32_t count = uint32_t(queues.size());
    for (uint32_t i = 1; i < count; ++i)
      if (OwnershipToken<Sys> *token = queues[(self.worker + i) % count]->steal()) {
        if (self.counters)
          Counters::add(self.counters->steals, 1);
        return token;
      }
    return nullptr;
  }

  /// A worker that goes to park: its entries become everybody's, and the wake-up
  /// that it may have used up is given to another.
  void surrender(Self<Sys> &self) {
    disown(self);
    Sys::fence(); // as in add()
    if (any() && !Sys::mutant(Mutant::SurrenderNoWake))
      idle.wakeOne();
  }
  /// A thread that has helped: its entries become everybody's. Who looked while one was on its way
  /// may sleep.
  void handOver(Self<Sys> &self) {
    uint32_t moved = disown(self);
    self.own = nullptr;
    if (!moved || Sys::mutant(Mutant::HandOverNoWake))
      return;
    Sys::fence(); // as in add()
    for (; moved && any(); --moved)
      idle.wakeOne();
  }

  bool any() const {
    if (!injected.empty())
      return true;
    for (const auto &queue : queues)
      if (!queue->empty())
        return true;
    return false;
  }

  /// May somebody spin? Not when more threads want to run than there are cores.
  bool spare() const { return running.load(std::memory_order_relaxed) <= int32_t(cpus); }

  /// Nobody runs, or only this thread does, which runs.
  bool alone() const { return running.load(std::memory_order_relaxed) <= 1; }

  /// A thread that runs code of the program begins to (true), or parks.
  void setRunning(bool runs) {
    // seq_cst: against the second look of awaitRunning().
    if (running.fetch_add(runs ? 1 : -1, std::memory_order_seq_cst) == 0 && runs)
      stirred.wakeAll();
  }
  bool isAnybodyRunning() const { return running.load(std::memory_order_seq_cst) > 0; }
  /// Sleeps while every thread is parked, unless `ended`.
  void awaitRunning(const typename Sys::template Atomic<bool> &ended) {
    auto rests = [&] { return !isAnybodyRunning() && !ended.load(std::memory_order_seq_cst); };
    while (rests()) {
      uint32_t key = stirred.announce();
      if (rests())
        stirred.wait(key);
      else
        stirred.cancel();
    }
  }

  EventCount<Sys> idle;
  EventCount<Sys> stirred; // somebody runs, or the end

private:
  /// Its entries go outside. How many there were.
  uint32_t disown(Self<Sys> &self) {
    uint32_t moved = 0;
    for (; OwnershipToken<Sys> *token = self.own->surrender(); ++moved)
      if (!injected.add(token))
        Sys::check(false, "more entries than tokens");
    return moved;
  }

  /// Threads that are not parked, sources included.
  typename Sys::template Atomic<int32_t> running{0};
  static constexpr uint32_t kOwnEntries = 1024;
  const uint32_t cpus;
  std::vector<std::unique_ptr<Queue>> queues; // by worker, then of those that may help
  ReadyQueue<Sys, OwnershipToken<Sys> *> injected;
};

} // namespace sluice::queue
