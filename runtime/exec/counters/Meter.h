//===- Meter.h - a thread counts and takes its time -----------------*- C++ -*-===//
//
// Time is that of the cycle counter. A thread charges it to what runs: its source, or the input
// port that heads the segment. What is called meanwhile is charged to itself. Time that the thread
// waits is charged to nothing; where the wait is part of the work it is counted beside that time.
//
// Where reading the counter would cost more than 1/1000 of the time of a segment, only one batch in
// up to 64 is timed and stands for those since the last one: such times are estimates. A batch that
// takes far longer than the last ones stands for itself alone: the kernel has run another thread,
// or the load has changed, and then the next batches are timed.
//
// With --profiler=sampling a thread publishes where it is instead and reads no clock: another
// thread looks 100 times a second (Profiler.h).
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/exec/counters/Counters.h"
#include <algorithm>
#include <utility>

namespace sluice {

struct CycleClock {
  static uint64_t now() { return os::cycles(); }
  /// Measures `cost`. Before any thread runs.
  static void calibrate();
  static inline uint64_t cost = 0; // cycles between two readings that follow each other
};

/// The counters of one thread, and what the thread does to them. Tests have a Clock of their own.
template <class Clock> class Meter : public CounterTable {
public:
  /// `times`: take times, as they will be looked at. `publishes`: a Profiler takes them, so publish
  /// where the thread is.
  explicit Meter(uint32_t inPorts, bool times = true, bool publishes = false)
      : CounterTable(inPorts), publishes(publishes), weight(times ? 1 : 0) {}

  /// Charges time to the source from here until end().
  void begin() {
    if (publishes)
      return place.set(InSource);
    last = now();
    owner = &own;
  }
  void end() {
    if (publishes)
      return place.set(Elsewhere);
    charge(now());
    owner = &nobody;
  }

  /// What runs: its weight and place.
  struct Here {
    uint32_t weight;
    uint64_t place;
  };
  /// What runs now; back() restores it after others have run.
  Here here() const { return {weight, place.value}; }
  void back(Here before) {
    weight = before.weight;
    if (publishes)
      place.set(before.place);
  }

  /// True if nothing that runs now is timed, and the place need not be published: pass() only
  /// counts.
  bool passesAll() const { return !weight && !publishes; }

  /// Counts a batch of `rows` rows at input port `id` that is about to run without being timed.
  /// What it calls is not timed either, until back() restores the here() from before. False: it is
  /// to be timed, and nothing was done.
  inline __attribute__((always_inline)) bool pass(uint32_t id, RunCounters &port, uint32_t rows) {
    if (publishes) {
      place.set(AtPort + id);
    } else if (weight == 1) {
      if (!port.skip)
        return false;
      --port.skip;
      weight = 0;
    } else if (weight) {
      return false;
    }
    port.batches.add(1);
    port.rows.add(rows);
    return true;
  }

  /// Counts one batch and runs it: `run()`. Touches nothing of `port` afterwards unless the batch
  /// is timed: it may be out of the cache by then.
  template <typename Run>
  inline __attribute__((always_inline)) void segment(uint32_t id, Runs port, uint32_t rows,
                                                     Run run) {
    Here before = here();
    if (pass(id, port.counters, rows)) {
      run();
      back(before);
    } else {
      port.counters.batches.add(1);
      port.counters.rows.add(rows);
      timed(id, port, run);
    }
  }

  /// Around a wait of the thread, whose time is charged to nothing. `worker`: the wait was part of
  /// the work of that place, as it takes as long whatever the rest of the program does; Elsewhere:
  /// it was not. `pacer`: there it was for a moment to come. `at`: the worker, where it is known
  /// before. Others see both from the beginning.
  void beginWait(uint64_t at = Elsewhere, uint64_t pacer = Elsewhere) {
    waitStart = Clock::now();
    waitPlace = place.value;
    place.set(Elsewhere);
    waitingNow.at.set(at);
    waitingNow.pacer.set(pacer);
    waitingNow.since.set(waitStart);
  }
  void endWait(uint64_t worker = Elsewhere, uint64_t pacer = Elsewhere) {
    place.set(waitPlace);
    waitingNow.since.set(0);
    uint64_t cycles = Clock::now() - waitStart;
    waited.add(cycles);
    if (pacer >= AtPort)
      in[pacer - AtPort].paced.add(cycles);
    if (worker == Elsewhere)
      return;
    worked.add(cycles);
    (worker == InSource ? ownWaited : in[worker - AtPort].waited).add(cycles);
  }
  /// Around a wait for space at an input port, or at none in particular, of which others see from
  /// the beginning that it goes on.
  void beginBlocked(uint64_t at, int64_t since) {
    beginWait();
    blockedNow.begin(at, since);
  }
  void endBlocked(uint64_t nanos) {
    uint64_t at = blockedNow.end();
    endWait();
    blocked.add(nanos);
    if (at >= AtPort) {
      in[at - AtPort].blocked.add(nanos);
      in[at - AtPort].waits.add(1);
    }
  }

  /// Cycles until `clock` that are charged to nothing yet, or a little less. Any thread, at some
  /// moment: ThreadSanitizer need not see it.
  __attribute__((disable_sanitizer_instrumentation)) uint64_t uncharged(uint64_t clock) const {
    uint64_t read = __atomic_load_n(&last, __ATOMIC_RELAXED);
    uint64_t running = clock - waited.get();
    return read && !waitingNow.since.get() && running > read ? running - read : 0;
  }

private:
  /// A clock that stands still while the thread waits.
  uint64_t now() const { return Clock::now() - waited.value; }
  /// Charges the time since the last reading to what runs.
  void charge(uint64_t time) {
    uint64_t cycles = time - last;
    last = time;
    spent += cycles;
    if (weight > 1 && cycles > most) {
      alone += cycles;
      owner->add(cycles);
    } else {
      owner->add(weight * cycles);
    }
  }

  /// Runs one batch and takes its time.
  template <typename Run> __attribute__((noinline)) void timed(uint32_t id, Runs port, Run run) {
    // How many batches this one stands for: as many as the batch that it is part of, if that is
    // timed for several.
    uint32_t share = weight == 1 ? std::max<uint32_t>(1, port.counters.period) : weight;
    uint64_t start = now(), aloneBefore = alone, workedBefore = worked.value;
    charge(start);
    Counter *outerOwner = owner;
    uint32_t outerWeight = weight;
    uint64_t outerSpent = spent, outerMost = most;
    owner = &port.times.cycles;
    weight = share;
    spent = 0;
    most = std::clamp(uint64_t(kUnusual * port.counters.usual), kLong, kSlice);
    ++depth;
    run();
    uint64_t time = now();
    charge(time);
    uint64_t own = spent;
    learn(port, float(std::min(own, most)));
    owner = outerOwner;
    weight = outerWeight;
    spent = outerSpent;
    most = outerMost;
    // The time of the batches that were not timed was charged to their caller.
    owner->add(-uint64_t(share - outerWeight) *
               (time - start - Clock::cost - (alone - aloneBefore)));
    port.times.cycles.add(-uint64_t(share) * Clock::cost);
    if (outerWeight == 1)
      plan(port, time - start + (worked.value - workedBefore), own);
    --depth;
  }

  /// Updates the usual time of a batch.
  void learn(Runs port, float cycles) {
    port.times.timed.add(1);
    port.counters.usual +=
        (cycles - port.counters.usual) / std::min(float(port.times.timed.value), kRecent);
  }

  /// Chooses when the next batch is timed: at random, as what the port gets may be periodic, and
  /// soon if few were timed. Batches that take long are always timed: by themselves (`own`, without
  /// timed batches inside) or with all that they call and wait for (`inclusive`; for k nested ones
  /// the innermost takes 1000 k readings).
  void plan(Runs port, uint64_t inclusive, uint64_t own) {
    uint64_t mean =
        std::min({kPeriod, kLong / (uint64_t(port.counters.usual) + 1), port.times.timed.value});
    if (own >= kLong || inclusive >= kLong * depth)
      mean = 1;
    random = random * 1664525 + 1013904223;
    port.counters.period = mean <= 1 ? 1 : uint16_t(1 + (random >> 16) % (2 * mean - 1));
    port.counters.skip = port.counters.period - 1;
  }

  /// Batches for which one stands, at most, on average.
  static constexpr uint64_t kPeriod = 64;
  /// Cycles that two readings cost, about, and after which the kernel is likely to have run another
  /// thread.
#if defined(__powerpc64__)
  static constexpr uint64_t kReadCycles = 10, kSlice = 512'000;
#else
  static constexpr uint64_t kReadCycles = 70, kSlice = 3'000'000;
#endif
  /// Cycles of which timing costs 1/1000. A batch that takes longer, and kUnusual times what is
  /// usual, stands for itself alone.
  static constexpr uint64_t kLong = 1000 * kReadCycles;
  static constexpr float kUnusual = 64;
  /// Batches over which `usual` is averaged.
  static constexpr float kRecent = 8;

  const bool publishes;
  Counter nobody = {};                   // charged while nothing runs
  Counter *owner = &nobody;              // what time is charged to
  uint64_t last = 0;                     // the last reading
  uint64_t waitStart = 0, waitPlace = 0; // of a wait
  uint32_t depth = 0;                    // nested segments that are timed
  uint64_t alone = 0;     // cycles that stood for themselves although the weight was higher
  uint64_t spent = 0;     // cycles charged to the owner since it became that
  uint64_t most = kSlice; // cycles between two readings above which they stand for themselves
  uint32_t weight;        // how many batches the running one stands for; 0: it is not timed
  uint32_t random = 1;
};
using ThreadCounters = Meter<CycleClock>;

} // namespace sluice
