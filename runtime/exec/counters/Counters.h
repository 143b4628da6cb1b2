//===- Counters.h - what a run has done so far ----------------------*- C++ -*-===//
//
// Each thread counts for itself, on cache lines of its own. The exception are calls at a port with
// a boundary: those are counted beside the port (InPort), where one thread at a time is. What the
// program did is the sum of both, and what it did in an interval is the difference of two samples
// (CounterSample.h). Counters.def lists what is counted. How times are taken is in Meter.h.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>

namespace sluice {

/// A number that one thread at a time writes and any thread reads. relaxed: readers need no order
/// between counters, and no read-modify-write is needed. All zero is its beginning, so that of a
/// large array of counters only the pages that are touched take memory.
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

/// Batches that have run at an input port: those that one thread ran, or the calls by whoever owned
/// the token. What is touched for every batch.
struct RunCounters {
  Counter batches, rows;
  uint16_t skip;   // batches until the next one that is timed
  uint16_t period; // batches that this one stands for
  float usual;     // cycles of a timed batch, without timed batches inside; a moving average
};

/// The time of those batches. Touched when one of them is timed.
struct RunTimes {
  Counter cycles; // wraps around; small errors may make the difference of two readings negative
  Counter timed;  // batches that were timed
};

/// Both of them, wherever they are.
struct Runs {
  RunCounters &counters;
  RunTimes &times;
};

/// An input port that heads a segment, as one thread saw it.
struct alignas(64) InPortCounters : RunCounters, RunTimes {
  operator Runs() { return {*this, *this}; }
  Counter queued, bytes; // batches that the thread has queued there, and their bytes
  Counter highest;       // the most batches that it saw in the ring
  // Touched seldom.
  Counter blocked;   // ns that it waited for space in the ring
  Counter fromQueue; // where sources take turns: batches that it ran from a back edge
  Counter waits;     // how often it waited for space in the ring
  Counter waited;    // cycles that it slept as part of the work (Meter::endWait)
  Counter paced;     // cycles that it waited there for a moment to come
};
static_assert(sizeof(RunCounters) + sizeof(RunTimes) + 3 * sizeof(Counter) == 64,
              "a forward touches one line");

/// What an output port has forwarded. By whoever is inside the domain of its operator; the next
/// thread there has seen what the last one wrote.
struct OutPortCounters {
#define SLUICE_OUT_PORT(field, ...) Counter field;
#include "runtime/exec/counters/Counters.def"
  /// Adds where several threads are inside the domain. relaxed: as Counter.
  void addShared(uint64_t moreRows, uint64_t morePuncts) {
    __atomic_fetch_add(&rows.value, moreRows, __ATOMIC_RELAXED);
    __atomic_fetch_add(&puncts.value, morePuncts, __ATOMIC_RELAXED);
  }
};

/// One end of a link to another PE. By the thread that uses it.
struct LinkCounters {
  uint32_t op = 0;    // id of its operator
  uint32_t peer = 0;  // the other PE
  bool sends = false; // else it receives
#define SLUICE_LINK(field, ...) Counter field = {};
#include "runtime/exec/counters/Counters.def"
  Counter congestion = {}; // of a sender: frames on their way, in percent of what may be
};

/// A wait for space that goes on. By the thread that waits; any thread reads.
struct BlockedNow {
  uint64_t at = 0;    // a place of CounterTable; 0: it does not wait
  uint64_t since = 0; // os::now()
  /// release: pairs with the acquire in nanos(), which reads `since` behind it.
  void begin(uint64_t place, int64_t now) {
    __atomic_store_n(&since, uint64_t(now), __ATOMIC_RELAXED);
    __atomic_store_n(&at, place, __ATOMIC_RELEASE);
  }
  /// Where it was. relaxed: who still sees it takes the wait for longer than it was.
  uint64_t end() {
    uint64_t was = at;
    __atomic_store_n(&at, 0, __ATOMIC_RELAXED);
    return was;
  }
  /// How long the wait has taken until `now`, and where it is; 0: there is none.
  uint64_t nanos(int64_t now, uint64_t &place) const {
    place = __atomic_load_n(&at, __ATOMIC_ACQUIRE); // pairs with begin()
    uint64_t begun = __atomic_load_n(&since, __ATOMIC_RELAXED);
    return place && uint64_t(now) > begun ? uint64_t(now) - begun : 0;
  }
};

/// A wait that goes on, for whatever. By the thread that waits; any thread reads. relaxed: for
/// people, who may see the place of the wait before.
struct WaitingNow {
  Counter since = {}; // cycles; 0: it does not wait
  Counter at = {};    // a place of CounterTable, where the wait is part of the work of that place
  Counter pacer = {}; // or where it is for a moment to come
};

/// What one thread has counted. Written by that thread only.
struct CounterTable {
  explicit CounterTable(uint32_t inPorts);
  ~CounterTable();
  CounterTable(const CounterTable &) = delete;

  InPortCounters *in;     // by id of the port
  Counter own = {};       // cycles of the source whose thread it is
  Counter waited = {};    // cycles that the thread waited, for whatever
  Counter worked = {};    // cycles among them that were part of the work
  Counter ownWaited = {}; // of those: in the code of the source
  Counter blocked = {};   // ns among `waited` that it waited for space in a ring

  /// Where the thread is: an input port is AtPort plus its id.
  enum : uint64_t { Elsewhere, InSource, AtPort };
  alignas(64) Counter place = {};
  BlockedNow blockedNow;
  WaitingNow waitingNow;

private:
  alignas(64) void *memory;
};

} // namespace sluice
