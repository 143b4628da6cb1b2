//===- Engine.h - threads, rings and time -----------------------*- C++ -*-===//
//
// A discrete-event model of a runtime on a machine. An event is a thread that has
// run a batch through a region, has slept for its rows, or looks for work. Between events a thread
// follows the protocol of runtime/queue: it wins an ownership token or appends to the
// ring, helps where a ring is full, and waits where another thread is inside. Workers
// take tokens from the ready queue by turns. Workers above the level do nothing.
//
// Rates are simulated, not counts. When the plan changes, every thread begins anew,
// and rings are as full as the plan says that they will be.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/sim/Plan.h"
#include <deque>
#include <memory>

namespace sluice::sim {

/// What happened at the head of a region. Times are in nanoseconds.
struct Flow {
  double rows = 0, batches = 0, queued = 0, busy = 0, asleep = 0, blocked = 0;
  double depth = 0; // batches in the ring when run() returned
};

/// What was counted since clear(). Times are in nanoseconds.
struct Totals {
  double nanos = 0; // simulated time
  std::vector<Flow> regions;
  double idle = 0, parked = 0, blocked = 0; // of workers
  double cpu = 0;                           // of processors in use
};

/// Threads, rings and time. It knows nothing of policies.
class Engine {
public:
  Engine(const Runtime &runtime, const Machine &machine, uint32_t workers)
      : runtime(runtime), machine(machine), workers(workers) {}

  /// Sets a plan and the level.
  void configure(Plan plan, uint32_t level);
  /// Runs so many events. False if nothing can happen any more: all threads wait for each other.
  bool run(uint64_t events);
  /// Forgets what was counted.
  void clear();
  const Totals &totals() const { return sums; }
  const Plan &plan() const { return current; }

private:
  struct Port {
    double rows = 0, batches = 0;  // in the ring
    int32_t owner = -1;            // the thread inside; -1: none
    bool entered = false;          // it is in the ready queue
    std::vector<double> pending;   // by output: parts of rows
    std::vector<uint32_t> waiters; // threads that wait for it
  };
  /// How a thread came into a region: as a source, from the ready queue, to help, or by a call.
  enum class Kind : uint8_t { Source, Entry, Help, Inline };
  struct Frame {
    uint32_t region;
    Kind kind;
    uint32_t output; // the next one to forward to
    double rows;     // of the batch that runs
    double handing;  // rows for that output; below 0: not known yet
    double left;     // rows that are left of this turn
    double until;    // the end of the turn, in nanoseconds
  };
  enum class State : uint8_t { Fresh, Runs, Asleep, Blocked, Idle, Parked };
  struct Thread {
    State state = State::Fresh;
    bool running = false;
    int32_t source = -1;      // the region of a source; -1: a worker
    double since = 0;         // when it began to wait
    double debt = 0;          // nanoseconds that it must add to its next batch
    double sleep = 0;         // nanoseconds that it sleeps when its batch has run
    double backOff = 0;       // nanoseconds until it looks for work again
    std::vector<Frame> stack; // the regions that it is inside of
  };
  struct Event {
    double time;
    uint64_t order;
    uint32_t thread;
    bool operator<(const Event &other) const {
      return time != other.time ? time > other.time : order > other.order;
    }
  };

  void schedule(uint32_t thread, double delay);
  void moveTo(double time);
  void setState(uint32_t thread, State);
  bool sleeps(uint32_t thread);
  void begin(uint32_t thread, uint32_t region, double rows, bool fromRing);
  void enter(uint32_t thread, uint32_t region, Kind, double left, double until);
  bool nextBatch(uint32_t thread);
  bool forward(uint32_t thread);
  bool push(uint32_t thread, uint32_t region, double rows);
  void block(uint32_t thread, uint32_t region);
  void unblock(uint32_t thread, uint32_t region);
  void advance(uint32_t thread);
  void release(uint32_t region);
  void notify(uint32_t region, uint32_t by);
  void findWork(uint32_t thread);
  bool fits(const Port &, double rows) const;

  const Runtime runtime;
  const Machine machine;
  const uint32_t workers;
  uint32_t level = 1, queuedRegions = 0;
  Plan current;
  std::vector<Port> ports;
  std::vector<Thread> threads; // workers, then sources
  std::vector<Event> events;   // a heap
  std::deque<uint32_t> ready;
  std::vector<uint32_t> idle;
  double now = 0, busFree = 0; // nanoseconds: the time, and when the memory is free
  uint64_t order = 0;          // of events at the same time
  uint32_t running = 0, idleWorkers = 0, parkedWorkers = 0, blockedWorkers = 0;
  Totals sums;
};

} // namespace sluice::sim
