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

} // namespace sluice
