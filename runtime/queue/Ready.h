//===- Ready.h - entries of tokens, and idle workers -------------*- C++ -*-===//
#pragma once
#include "runtime/queue/OwnQueue.h"
#include "runtime/queue/Port.h"

namespace sluice::queue {

/// What one worker has done: ns and numbers, which only grow. Written by the worker only, read by
/// any thread at any time. relaxed: each is a figure of its own.
struct alignas(128) Counters {
  std::atomic<uint64_t> busy{0}, idle{0}, parked{0}, blocked{0}; // ns; parked: above the level
  std::atomic<uint64_t> batches{0}, entries{0}, steals{0};
  static void add(std::atomic<uint64_t> &counter, uint64_t amount) {
    counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
};

/// What a thread must have to push: a worker, the thread of a source, the timer. By that thread.
template <class Sys> struct Self {
  using Queue = OwnQueue<Sys, OwnershipToken<Sys> *>;
  uint32_t id = 0;              // the owner in tokens; not 0
  uint32_t worker = ~0u;        // number of the worker; of a helper, a number behind those; else ~0
  Queue *own = nullptr;         // its entries, while it works
  Counters *counters = nullptr; // of a worker
  int64_t account = 0;          // bytes that it has not yet charged to the budget
  uint32_t looks = 0;           // how often it looked for work
  bool lingers = false;         // it wakes no worker for what it adds, as it may run that itself
  uint32_t owed = 0;            // wake-ups that it has kept back while it lingers
  void *user = nullptr;         // the client's
};

/// The entries of all tokens that have something to run, and the workers that sleep until there are
/// some.
template <class Sys> class Ready {
  using Queue = typename Self<Sys>::Queue;

public:
  /// `threads`: workers, spares and helpers. `cpus`: hardware threads that may be used.
  Ready(uint32_t threads, uint32_t tokens, uint32_t cpus) : cpus(cpus), injected(tokens) {
    for (uint32_t i = 0; i < threads; ++i)
      queues.push_back(std::make_unique<Queue>(std::min(tokens, kOwnEntries)));
  }

  Queue &of(uint32_t worker) { return *queues[worker]; }

  /// Adds the entry of a token whose Q this thread has set; wakes a sleeper, unless it lingers.
  /// `again`: the token has just had its turn, so other entries come first.
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
    // This thread: entry, fence, look for sleepers. A sleeper: announcement, fence, look for
    // entries. One of the two sees the other.
    if (!Sys::mutant(Mutant::AddNoFence))
      Sys::fence();
    idle.wakeOne();
  }

  /// By a thread that lingers: takes an entry from outside whose turn is known to take `nanos` ns
  /// at most; null: there is none.
  OwnershipToken<Sys> *findLight(Self<Sys> &self, int64_t nanos) {
    OwnershipToken<Sys> *token = injected.take();
    if (!token || token->isLight(nanos))
      return token;
    add(self, *token, true);
    return nullptr;
  }
  /// Wakes workers for what a lingering thread has added and nobody has run.
  void payWakes(Self<Sys> &self) {
    uint32_t owed = self.owed;
    self.owed = 0;
    if (!owed || Sys::mutant(Mutant::LingerNoWake))
      return;
    Sys::fence(); // as in add()
    for (; owed && any(); --owed)
      idle.wakeOne();
  }

  /// Something was published behind the token, or (`again`) what is there may be run now.
  void notify(Self<Sys> &self, OwnershipToken<Sys> &token, bool again = false) {
    if (token.notify())
      add(self, token, again);
  }

  /// Releases the token. `more`: there is something to run.
  inline __attribute__((always_inline)) void release(Self<Sys> &self, OwnershipToken<Sys> &token,
                                                     bool more) {
    if (token.release(self.id, more, [&] { return anyToRun(token); }))
      add(self, token, true);
    if (!Sys::mutant(Mutant::WakeOnlyWithSpace) ||
        token.ports->ring.size() < token.ports->ring.capacity())
      token.space.wakeAll(); // whether or not there is space: a waiter that finds no owner helps
  }

  /// Removes an entry: one of the worker's own, the newest first; else one from outside; else one
  /// of another worker. Every 16th time those from outside come first, then the worker's oldest, so
  /// that none can starve behind tokens that always have more to run. Null: there is none.
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

  /// By a worker that is about to park: its entries go outside, and another worker gets the wake-up
  /// that this one may have used up.
  void surrender(Self<Sys> &self) {
    disown(self);
    Sys::fence(); // as in add()
    if (any() && !Sys::mutant(Mutant::SurrenderNoWake))
      idle.wakeOne();
  }
  /// By a thread that has helped: its entries go outside. A worker that looked meanwhile may sleep,
  /// so as many are woken.
  void handOver(Self<Sys> &self) {
    uint32_t moved = disown(self);
    self.own = nullptr;
    if (!moved || Sys::mutant(Mutant::HandOverNoWake))
      return;
    Sys::fence(); // as in add()
    for (; moved && any(); --moved)
      idle.wakeOne();
  }

  /// A guess: there is an entry.
  bool any() const {
    if (!injected.empty())
      return true;
    for (const auto &queue : queues)
      if (!queue->empty())
        return true;
    return false;
  }

  /// True if a thread may spin: no more threads want to run than there are processors. relaxed: a
  /// guess.
  bool spare() const { return running.load(std::memory_order_relaxed) <= int32_t(cpus); }

  /// True if no thread but this one runs. relaxed: a guess.
  bool alone() const { return running.load(std::memory_order_relaxed) <= 1; }

  /// A thread that runs code of the program begins to run (true) or sleeps.
  void setRunning(bool runs) {
    // seq_cst: pairs with the second look of awaitRunning().
    if (running.fetch_add(runs ? 1 : -1, std::memory_order_seq_cst) == 0 && runs)
      stirred.wakeAll();
  }
  /// seq_cst: the second look of a sleeper, after its announcement.
  bool isAnybodyRunning() const { return running.load(std::memory_order_seq_cst) > 0; }
  /// Sleeps while no thread runs and `mayRest()`, until `ended`. `mayRest` sees all that threads
  /// have done that do not run any more.
  template <typename MayRest>
  void awaitRunning(const typename Sys::template Atomic<bool> &ended, const MayRest &mayRest) {
    auto rests = [&] {
      return !isAnybodyRunning() && !ended.load(std::memory_order_seq_cst) && mayRest();
    };
    while (rests()) {
      uint32_t key = stirred.announce();
      if (rests())
        stirred.wait(key);
      else
        stirred.cancel();
    }
  }

  EventCount<Sys> idle;    // workers that wait for an entry
  EventCount<Sys> stirred; // who waits for a thread to run, or for the end

private:
  /// Moves the entries of a thread outside. Returns how many there were.
  uint32_t disown(Self<Sys> &self) {
    uint32_t moved = 0;
    for (; OwnershipToken<Sys> *token = self.own->surrender(); ++moved)
      if (!injected.add(token))
        Sys::check(false, "more entries than tokens");
    return moved;
  }

  /// Threads that run, sources included.
  typename Sys::template Atomic<int32_t> running{0};
  static constexpr uint32_t kOwnEntries = 1024;
  const uint32_t cpus;
  std::vector<std::unique_ptr<Queue>> queues; // of workers and spares, then of helpers
  /// Entries from outside: added by threads that are no workers, or without place in their own
  /// queue.
  ReadyQueue<Sys, OwnershipToken<Sys> *> injected;
};

} // namespace sluice::queue
