//===- Meter.h - a thread counts and takes its time -----------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/exec/metrics/Counters.h"
#include <algorithm>

namespace sluice {

struct CycleClock {
  static uint64_t now() { return os::cycles(); }
  /// What lies between two readings that follow each other. Before any thread runs.
  static void calibrate();
  static inline uint64_t cost = 0;
};

/// The counters of one thread, and the thread's side of them. Tests have a clock of
/// their own.
template <class Clock> class Meter : public CounterTable {
public:
  /// `times`: somebody will look at them; `publishes`: they are taken by who looks where the thread
  /// is.
  explicit Meter(uint32_t inPorts, bool times = true, bool publishes = false)
      : CounterTable(inPorts), publishes(publishes), weight(times ? 1 : 0) {}

  /// From here on time is the source's, until end().
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

  /// What is charged, or where the thread is.
  struct Here {
    uint32_t weight;
    uint64_t place;
  };
  Here here() const { return {weight, place.value}; }
  void back(Here before) {
    weight = before.weight;
    if (publishes)
      place.set(before.place);
  }

  /// Nothing that runs now is timed, and where the thread is need not be said: pass() only counts.
  bool passesAll() const { return !weight && !publishes; }

  /// Counts a batch of `rows` rows at input port `id` that is about to be run, and is not
  /// timed: nothing that it calls is, either, up to back(here()). False: it is to be timed, nothing
  /// was done.
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

  /// Runs one batch: `run()`. Nothing of `port` is touched afterwards unless it is timed: it
  /// may be out of the cache by then.
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
      timed(port, run);
    }
  }

  /// Around a wait, which is nobody's time.
  void beginWait() {
    waitStart = Clock::now();
    waitPlace = place.value;
    place.set(Elsewhere);
  }
  void endWait() {
    place.set(waitPlace);
    waited.add(Clock::now() - waitStart);
  }

private:
  /// A clock that stands still while the thread waits.
  uint64_t now() const { return Clock::now() - waited.value; }
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

  template <typename Run> __attribute__((noinline)) void timed(Runs port, Run run) {
    // How many batches this one stands for: as many as the one that it is part of.
    uint32_t share = weight == 1 ? std::max<uint32_t>(1, port.counters.period) : weight;
    uint64_t start = now(), aloneBefore = alone;
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
    // The batches that were not timed went to who called them.
    owner->add(-uint64_t(share - outerWeight) *
               (time - start - Clock::cost - (alone - aloneBefore)));
    port.times.cycles.add(-uint64_t(share) * Clock::cost);
    if (outerWeight == 1)
      plan(port, time - start, own);
    --depth;
  }

  void learn(Runs port, float cycles) {
    port.times.timed.add(1);
    port.counters.usual +=
        (cycles - port.counters.usual) / std::min(float(port.times.timed.value), kRecent);
  }

  /// When the next batch is timed: at random, as what the port gets may be periodic;
  /// soon, if few were. Those that take long (`own`: without what is timed inside them) are always
  /// timed, also with all that they call: for k of them inside each other the innermost takes 1000
  /// k readings.
  void plan(Runs port, uint64_t inclusive, uint64_t own) {
    uint64_t mean =
        std::min({kPeriod, kLong / (uint64_t(port.counters.usual) + 1), port.times.timed.value});
    if (own >= kLong || inclusive >= kLong * depth)
      mean = 1;
    random = random * 1664525 + 1013904223;
    port.counters.period = mean <= 1 ? 1 : uint16_t(1 + (random >> 16) % (2 * mean - 1));
    port.counters.skip = port.counters.period - 1;
  }

  static constexpr uint64_t kPeriod = 64;
  /// What two readings cost, about; and a time in which the kernel is likely to have run somebody
  /// else.
#if defined(__powerpc64__)
  static constexpr uint64_t kReadCycles = 10, kSlice = 512'000;
#else
  static constexpr uint64_t kReadCycles = 70, kSlice = 3'000'000;
#endif
  /// Timing that costs 1/1000. What takes longer and is this many times what is usual stands for
  /// itself alone, whatever the weight: the load has changed, and the next batch is timed, or
  /// somebody else has run.
  static constexpr uint64_t kLong = 1000 * kReadCycles;
  static constexpr float kUnusual = 64, kRecent = 8;

  const bool publishes;
  Counter nobody = {};
  Counter *owner = &nobody;
  uint64_t last = 0, waitStart = 0, waitPlace = 0;
  uint32_t depth = 0; // of segments that are timed
  uint64_t alone = 0; // cycles that stand for themselves although the weight was higher
  uint64_t spent = 0; // by the owner, since it became that
  uint64_t most =
      kSlice;      // that it may take between two readings, if that stands for more than itself
  uint32_t weight; // how many batches the running one stands for; 0: it is not timed
  uint32_t random = 1;
};
using ThreadCounters = Meter<CycleClock>;

} // namespace sluice
