//===- Scheduler.h - workers, their level, their end ------------*- C++ -*-===//
//
// Workers run entries of tokens. Those whose number is not below the level are parked and cost
// nothing. The threads come from outside (Team.h): each calls work() once.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/Flow.h"

namespace sluice::queue {

template <class Sys, class Client> class Scheduler : public Flow<Sys, Client> {
  using Base = Flow<Sys, Client>;
  using Base::ready;

public:
  using Base::options;
  using typename Base::SelfT;
  using typename Base::TokenT;

  Scheduler(const SchedulerOptions &options, Client &client)
      : Base(options, client), level(options.workers), counters(new Counters[threads()]) {}

  /// How many threads call work(): workers, and behind them spares.
  uint32_t threads() const { return options.workers + options.spares; }

  /// For a thread that is not a worker. relaxed: only the number matters.
  SelfT makeSelf() {
    SelfT self;
    self.id = threads() + 1 + others.fetch_add(1, std::memory_order_relaxed);
    return self;
  }
  /// For a thread that may also assist(): up to options.helpers of them.
  SelfT makeHelper() {
    SelfT self = makeSelf();
    self.worker = threads() + helpers.fetch_add(1, std::memory_order_relaxed);
    Sys::check(self.worker < threads() + options.helpers, "more helpers than were announced");
    return self;
  }

  /// By a helper that is behind no token: works as workers do, until `enough()`, asked before each
  /// turn, returns true, or nothing is ready, or `may(TokenT &)` returns false for the entry that
  /// it has found, which then goes to the workers. True: enough.
  template <class Enough, class May> bool assist(SelfT &self, Enough enough, May may) {
    self.own = &ready.of(self.worker);
    bool done = enough();
    for (; !done; done = enough()) {
      TokenT *token = ready.find(self);
      if (token && may(*token)) {
        this->runEntry(self, *token, Sys::now());
        continue;
      }
      ready.handOver(self);
      if (token)
        ready.add(self, *token, true);
      return false;
    }
    ready.handOver(self);
    return true;
  }

  /// A source runs (true) or sleeps. No thread spins while more threads run than there are
  /// processors.
  void setRunning(bool runs) { ready.setRunning(runs); }
  /// Sleeps until a source or a worker runs, or finish() was called; not unless `mayRest()` once
  /// nobody runs.
  template <typename MayRest> void awaitRunning(const MayRest &mayRest) {
    ready.awaitRunning(ended, mayRest);
  }
  /// Whether a source or a worker runs.
  bool isAnybodyRunning() const { return ready.isAnybodyRunning(); }

  /// By a thread that is no worker, is behind no token and is about to sleep: until linger() no
  /// worker is woken for what it adds, if no other thread runs.
  void beginLinger(SelfT &self) { self.lingers = ready.alone(); }
  /// Runs what it has added, and what comes of that, as long as turns take less than waking a
  /// worker, for a quantum at most. Wakes workers for the rest.
  void linger(SelfT &self) {
    int64_t time = Sys::now();
    const int64_t end = time + options.quantumNanos;
    while (self.lingers && time < end && ready.alone()) {
      TokenT *token = ready.findLight(self, options.wakeNanos);
      if (!token)
        break;
      const int64_t start = time;
      this->runEntry(self, *token, start);
      time = Sys::now();
      token->took(time - start);
    }
    self.lingers = false;
    ready.payWakes(self);
  }
  /// By the same thread, if it sleeps in the middle of linger().
  void payWakes(SelfT &self) { ready.payWakes(self); }

  /// By a worker that waits in the middle of an item for longer than it takes to wake another one:
  /// one more may run until endWait(), as long as there are spares. The token stays owned.
  void beginWait(SelfT &self) {
    if (self.worker >= threads())
      return;
    waiting.fetch_add(1, std::memory_order_seq_cst); // as in setLevel()
    if (!Sys::mutant(Mutant::WaitNoWake))
      raised.wakeAll();
  }
  void endWait(SelfT &self) {
    if (self.worker < threads())
      waiting.fetch_sub(1, std::memory_order_relaxed); // a worker too many sees it before long
  }

  /// Sets how many workers may run, 1 to options.workers. By any thread, at any time.
  void setLevel(uint32_t workers) {
    // seq_cst: pairs with the second look of a worker that parks.
    level.store(std::clamp(workers, 1u, options.workers), std::memory_order_seq_cst);
    if (!Sys::mutant(Mutant::LevelNoWake))
      raised.wakeAll();
  }
  /// relaxed: a figure.
  uint32_t getLevel() const { return level.load(std::memory_order_relaxed); }
  /// Bytes that all queues hold, about.
  int64_t heldBytes() const { return this->budget.held(); }

  /// All ports have closed: makes every worker return from work().
  void finish() {
    ended.store(true, std::memory_order_seq_cst); // as in setLevel()
    if (Sys::mutant(Mutant::FinishWakesOne))
      ready.idle.wakeOne();
    else
      ready.idle.wakeAll();
    raised.wakeAll();
    ready.stirred.wakeAll();
  }

  /// The life of a worker, on a thread of its own. `user` is for the client, in Self.
  void work(uint32_t number, void *user = nullptr) {
    SelfT self;
    self.id = number + 1;
    self.worker = number;
    self.own = &ready.of(number);
    self.counters = &counters[number];
    self.user = user;
    setRunning(true);
    int64_t time = Sys::now();
    uint32_t fresh = kFresh; // entries until the next sleep whose turns are noted
    while (!hasEnded()) {
      if (isAboveLevel(number)) {
        park(self);
        lap(self.counters->parked, time);
        continue;
      }
      TokenT *token = ready.find(self);
      if (!token) {
        token = sleep(self);
        fresh = kFresh;
        lap(self.counters->idle, time);
        if (!token)
          continue;
      }
      Counters::add(self.counters->entries, 1);
      const int64_t start = time;
      Counters::add(self.counters->batches, this->runEntry(self, *token, time));
      lap(self.counters->busy, time);
      if (fresh) {
        --fresh;
        token->took(time - start);
      }
    }
    setRunning(false);
  }

  /// Any thread, at any time.
  const Counters &countersOf(uint32_t worker) const { return counters[worker]; }

private:
  /// After a sleep a worker notes how long so many turns take: not under load.
  static constexpr uint32_t kFresh = 64;

  // seq_cst: the second look of a worker, after its announcement. Pairs with setLevel() and others.
  bool hasEnded() const { return ended.load(std::memory_order_seq_cst); }
  bool isAboveLevel(uint32_t number) const {
    return number >=
           level.load(std::memory_order_seq_cst) + waiting.load(std::memory_order_seq_cst);
  }

  /// Adds the time since the last lap to a counter.
  static void lap(std::atomic<uint64_t> &counter, int64_t &time) {
    int64_t now = Sys::now();
    Counters::add(counter, uint64_t(now - time));
    time = now;
  }

  void park(SelfT &self) {
    ready.surrender(self);
    uint32_t key = raised.announce();
    if (isAboveLevel(self.worker) && !hasEnded())
      rest(raised, key);
    else
      raised.cancel();
  }

  /// There is nothing to do: spins a little, then announces itself, looks again and sleeps. Returns
  /// an entry that came meanwhile, or null.
  TokenT *sleep(SelfT &self) {
    if (ready.spare())
      for (int64_t end = Sys::now() + options.wakeNanos / 4; Sys::now() < end;)
        for (int i = 0; i < 32; ++i, Sys::pause())
          if (ready.any())
            return ready.find(self);
    uint32_t key = ready.idle.announce();
    Sys::fence(); // pairs with the fence of a thread that adds an entry
    TokenT *token = Sys::mutant(Mutant::IdleNoLook) ? nullptr : ready.find(self);
    // An entry that is being added hides those behind it, whose wake-ups may have been for this
    // worker: the thread that adds it will wake only one.
    bool hidden = !token && ready.any() && !Sys::mutant(Mutant::IdleNoLook) &&
                  !Sys::mutant(Mutant::IdleTrustsTake);
    if (token || hidden || hasEnded() || isAboveLevel(self.worker))
      ready.idle.cancel();
    else
      rest(ready.idle, key);
    if (hidden)
      Sys::yield();
    return token;
  }

  void rest(EventCount<Sys> &event, uint32_t key) {
    setRunning(false);
    event.wait(key);
    setRunning(true);
  }

  typename Sys::template Atomic<uint32_t> level;
  typename Sys::template Atomic<uint32_t> waiting{0}; // workers that wait in the middle of items
  typename Sys::template Atomic<bool> ended{false};
  typename Sys::template Atomic<uint32_t> others{0}, helpers{0}; // how many were made
  EventCount<Sys> raised;                                        // workers above the level
  std::unique_ptr<Counters[]> counters;
};

} // namespace sluice::queue
