//===- Engine.h - threads, rings and time -----------------------*- C++ -*-===//
//
// A discrete-event model of a runtime on a machine. An event is a thread that has
// run a batch through a region, or that looks for work. Between events a thread
// follows the protocol of runtime/queue: win a word or append, help where a ring
// is full, wait where another thread is inside; workers take words that have
// something, in turn, and those above the level do nothing.
//
// Rates are simulated, not counts: when the plan changes, every thread begins
// anew, and rings as full as the plan says that they will be.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/sim/Plan.h"
#include <deque>
#include <memory>

namespace sluice::sim {

/// What happened at a region's head. Nanoseconds.
struct Flow {
  double rows = 0, batches = 0, queued = 0, busy = 0, blocked = 0;
  double depth = 0; // batches in the ring when run() returned
};

struct Totals {
  double nanos = 0;
  std::vector<Flow> regions;
  double idle = 0, parked = 0, blocked = 0; // of workers; blocked threads that sleep
  double cpu = 0;
};

class Engine {
public:
  Engine(const Runtime &runtime, const Machine &machine, uint32_t workers)
      : runtime(runtime), machine(machine), workers(workers) {}

  /// From now on this plan, with as many workers as `level`.
  void configure(Plan plan, uint32_t level);
  /// Runs that many events, or until nothing can happen any more. False: everybody waits for
  /// somebody else.
  bool run(uint64_t events);
  /// Forgets what was counted.
  void clear();
  const Totals &totals() const { return sums; }
  const Plan &plan() const { return current; }

private:
  struct Port {
    double rows = 0, batches = 0;
    int32_t owner = -1;
    bool entered = false;        // it is in the ready queue
    std::vector<double> pending; // by output: parts of rows
    std::vector<uint32_t> waiters;
  };
  enum class Kind : uint8_t { Source, Entry, Help, Inline };
  struct Frame {
    uint32_t region;
    Kind kind;
    uint32_t output; // the next one to forward to
    double rows;     // of the batch that runs
    double handing;  // rows for that output; below 0: not known yet
    double left;     // rows of this turn
    double until;
  };
  enum class State : uint8_t { Fresh, Runs, Blocked, Idle, Parked };
  struct Thread {
    State state = State::Fresh;
    bool running = false;
    int32_t source = -1; // its region
    uint32_t waitsFor = 0;
    double since = 0, debt = 0, backOff = 0;
    std::vector<Frame> stack;
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
  std::vector<Event> events;
  std::deque<uint32_t> ready;
  std::vector<uint32_t> idle;
  double now = 0, busFree = 0;
  uint64_t order = 0;
  uint32_t running = 0, idleWorkers = 0, parkedWorkers = 0, blockedWorkers = 0;
  Totals sums;
};

} // namespace sluice::sim
