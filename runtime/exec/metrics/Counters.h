//===- Counters.h - what a run has done so far ------------------*- C++ -*-===//
//
// With plain loads and stores: every thread counts for itself, on cache lines of its
// own, but what is run as a call beside the port, where one thread at a time is. Anybody
// may read at any time. What the program did is the sum over both, what it did
// in a while the difference of two samples.
//
// Time is that of the cycle counter. A thread charges it to what runs: its
// source, or the input port that heads the segment; what is called meanwhile is
// charged to itself, waiting to nobody. Where reading the counter would cost more
// than 1/1000 of the segment's time, only one batch in up to 64 is timed, and
// stands for those since the last: such times are estimates. What takes far longer
// than the last ones did stands for itself: the kernel ran somebody else, or the load
// has changed, and then the next ones are timed.
//
// With --profiler=sampling a thread says where it is instead, on a cache line of
// its own, and reads no clock: another thread looks 100 times a second (Profiler.h).
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace sluice {

struct Program;

/// Written by one thread. All zero is its beginning: large arrays of counters cost
/// only the pages that are touched.
struct Counter {
  uint64_t value;
  void add(uint64_t amount) { __atomic_store_n(&value, value + amount, __ATOMIC_RELAXED); }
  void atLeast(uint64_t amount) {
    if (amount > value)
      __atomic_store_n(&value, amount, __ATOMIC_RELAXED);
  }
  void set(uint64_t now) { __atomic_store_n(&value, now, __ATOMIC_RELAXED); }
  uint64_t get() const { return __atomic_load_n(&value, __ATOMIC_RELAXED); }
};

/// Batches that were run at an input port: as calls by whoever owned its token (then they
/// are beside what such a call reads, see InPort), or otherwise by one thread.
struct RunCounters {
  Counter batches, rows;
  uint16_t skip, period; // batches until the next one that is timed; what it stands for
  float usual; // cycles of one that is timed, without what is timed inside it: the last ones count
               // most
};
/// Their time: what is touched where one of them is timed.
struct RunTimes {
  Counter cycles; // a difference of wrapping numbers: small errors may make it negative
  Counter timed;  // batches
};
/// Both of them, wherever they are.
struct Runs {
  RunCounters &counters;
  RunTimes &times;
};

/// An input port that heads a segment, as one thread saw it.
struct alignas(64) InPortCounters : RunCounters, RunTimes {
  operator Runs() { return {*this, *this}; }
  // given to the port by this thread
  Counter queued, bytes;
  Counter highest; // batches in its ring
  // seldom
  Counter blocked; // ns that its ring was full
  Counter
      fromQueue; // run by this thread, where sources take turns: others are where there is a ring
};
static_assert(sizeof(RunCounters) + sizeof(RunTimes) + 3 * sizeof(Counter) == 64,
              "a hop touches one line");

/// An output port that ends a segment, or that of a source. Not by thread: one thread at a time is
/// inside its operator's domain, and the next one has seen what it wrote.
struct OutPortCounters {
  Counter rows, puncts; // forwarded
  /// Where several threads are inside the domain.
  void addShared(uint64_t moreRows, uint64_t morePuncts) {
    __atomic_fetch_add(&rows.value, moreRows, __ATOMIC_RELAXED);
    __atomic_fetch_add(&puncts.value, morePuncts, __ATOMIC_RELAXED);
  }
};

/// What one thread counted.
struct CounterTable {
  explicit CounterTable(uint32_t inPorts);
  ~CounterTable();
  CounterTable(const CounterTable &) = delete;

  InPortCounters *in;   // by port id
  Counter own = {};     // cycles of the source whose thread it is
  Counter waited = {};  // cycles that the thread waited, for whatever
  Counter blocked = {}; // ns among them that a ring was full

  /// Where the thread is, for a profiler.
  enum : uint64_t { Elsewhere, InSource, AtPort }; // AtPort + port id
  alignas(64) Counter place = {};

private:
  alignas(64) void *memory;
};

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

//===--- reading ----------------------------------------------------------------===//

struct InPortSample {
  uint64_t batches = 0, rows = 0, timed = 0;
  int64_t cycles = 0;
  uint64_t queued = 0, fromQueue = 0, bytes = 0, blocked = 0;
  uint64_t dropped = 0;            // tuples that config threadedPort dropped
  uint64_t highest = 0, depth = 0; // of the ring: since the beginning, and now
  /// Batches that were run by who handed them on.
  uint64_t direct() const { return batches - fromQueue; }
};
struct OutPortSample {
  uint64_t rows = 0, puncts = 0;
};
struct SourceSample {
  uint32_t op = 0;
  int64_t cycles = 0, waited = 0; // waited: for time, for files, for others
  uint64_t blocked = 0;           // ns among them that a ring was full
};
/// In nanoseconds; blocked is part of busy.
struct WorkerSample {
  uint64_t busy = 0, idle = 0, parked = 0, blocked = 0;
  uint64_t batches = 0, entries = 0, steals = 0;
};

/// Ports by id, sources in the order of their operators.
struct Sample {
  int64_t nanos = 0;
  uint64_t cycles = 0; // the same moment on the cycle counter
  std::vector<InPortSample> in;
  std::vector<OutPortSample> out;
  std::vector<SourceSample> sources;
  std::vector<WorkerSample> workers;
  std::vector<uint64_t> latency; // tuples by LatencyCounts::slotOf; empty: not timed
};

/// Any thread, any time from runSources() on.
Sample takeSample(const Program &);
/// What happened between the two; high-water marks and depths are the later ones.
Sample operator-(Sample later, const Sample &earlier);

} // namespace sluice
