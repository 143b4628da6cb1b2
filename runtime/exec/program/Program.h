//===- Program.h - the running program --------------------------*- C++ -*-===//
//
// Everything that a run needs, built by sl_main from the tables of the compiled
// program. One thread at a time is inside a domain (Domains.h), or inside the whole
// graph where sources take turns (Baton.h): what belongs to a domain needs no lock.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/exec/metrics/Counters.h"
#include "runtime/exec/metrics/Latency.h"
#include "runtime/exec/metrics/Profiler.h"
#include "runtime/exec/program/Adapter.h"
#include "runtime/exec/program/Domains.h"
#include "runtime/exec/program/Instances.h"
#include "runtime/exec/program/Options.h"
#include "runtime/exec/program/Output.h"
#include "runtime/exec/source/Baton.h"
#include "runtime/memory/Arena.h"
#include "runtime/memory/Heap.h"
#include "runtime/queue/Team.h"
#include "sluice/native.h"
#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

constexpr size_t kStackBytes = size_t(64) << 20; // of a thread: reserved, not used

/// One output port that ends a segment. Its batch is in Ctx::ports.
struct alignas(64) PortState {
  const OutPortDesc *desc = nullptr;
  InPort *only = nullptr; // its one consumer, if that is called or queued and nothing else: no
                          // loop, channels, drops
  /// Where that forwards what it is given: the same of its port. To have it in the cache in time.
  struct {
    InPort *only;
    Domain *domain;
  } onward = {};
  OutPortCounters counted = {};
  uint32_t limit = 0;   // rows at which the batch is forwarded: Pace.cpp
  uint32_t pool = 0;    // whose batches it takes: those of its size
  uint32_t bytes = 0;   // of a batch, without its payload
  bool busy = false;    // its consumers are running
  bool closed = false;  // a Final has left
  bool inPlace = false; // it forwards what a segment was given; no batch of its own
  bool plain =
      false; // `only` has no other producer and forwards in place, in the same replica: callPlain()
};
static_assert(sizeof(PortState) == 64);

/// Drained batches of one size. Each thread keeps some of its own, so that the
/// next one it fills is in its cache; what is more goes to all.
struct BatchPool {
  explicit BatchPool(size_t bytes) : bytes(bytes) {}
  const size_t bytes;
  os::Lock lock;           // of:
  Batch *shared = nullptr; // a list, what was given back last first
};
struct Spares {
  Batch *list = nullptr;
  uint32_t count = 0;
};

/// What failed, in words.
struct Failure {
  uint32_t op;
  int32_t site; // plus 1; 0: the operator itself
  std::string message;
};

/// A port that is called, in a chain of calls; or several, plainly: from one to the next one.
struct Link {
  InPort *in, *last;
  bool owner; // of its token; otherwise nobody else finds anything to run there
  template <typename Do> void each(Do act) const {
    for (InPort *port = in;; port = port->next) {
      act(*port);
      if (port == last)
        break;
    }
  }
};

/// A thread that may be inside the graph.
struct Thread {
  explicit Thread(Program &, bool isSource = false);
  ~Thread();
  Thread(const Thread &) = delete;

  Program &program;
  const bool isSource;
  Arena scratch = {};
  Ctx ctx = {};
  OutPort *ports; // by id: the program's, or this thread's own while it runs a ticket
  queue::Run<RealSys> *run = nullptr; // the ticket that it runs
  struct KeyPart *part = nullptr;     // or the part of it, by key
  std::vector<OutPort> ownPorts;      // made when first needed
  Heap *ownHeap = nullptr;            // likewise
  uint32_t depth = 0;                 // forwards on the stack
  uint32_t rowsRun =
      0; // of the batch that a segment ran last: all, or those before one that failed
  int32_t insideOp = -1;          // the native operator that runs above depth 0
  std::string error;              // of the last sl_error
  std::optional<Failure> pending; // failed, not yet reported
  int64_t stopSeen = 0;           // when it first noticed that the program is to stop
  std::vector<Spares> spares;     // by pool
  std::vector<Domain *> domains;  // that it is inside of, but for those of links
  std::vector<Link> links; // of called ports whose segments run or have handed their batch on:
                           // Chain.cpp. A port is entered once
  uint32_t linked = 0;     // so many of them
  Batch *inHand =
      nullptr; // of a chain of plain calls: until it ends or fails no output port has it
  queue::Self<RealSys> *self = nullptr; // with the queues
  ThreadCounters counters;
  std::unique_ptr<LatencyCounts> latency; // null: they are not timed
  uint64_t birth = 0;     // of the batch that it runs; 0: it runs none, or one that no source made
  uint64_t forwarded = 0; // batches, where ways are timed
  // Written by this thread, read by the one that waits for the end.
  std::atomic<uint64_t> queued{0}, ran{0};
};

/// How much comes in a while, by about the last third of a second: a source that fills queues is
/// much faster for a moment, and then waits until they drain. A longer gap counts no more than
/// that: a program that was stopped (SIGSTOP, a virtual machine that is paused) is as fast
/// afterwards as it was.
class Lately {
public:
  void add(double more, int64_t spent) {
    spent = std::min(spent, int64_t(kMemory));
    double kept = kMemory / (kMemory + double(spent));
    amount = (amount + more) * kept;
    nanos = (nanos + double(spent)) * kept;
  }
  double within(int64_t span) const { return nanos > 0 ? amount * double(span) / nanos : 0; }

private:
  static constexpr double kMemory = 300e6; // ns
  double amount = 0, nanos = 0;
};

/// A source operator and the thread that runs it.
struct Source : Thread {
  explicit Source(Program &p) : Thread(p, true) {}
  uint32_t op = 0, index = 0;
  queue::Self<RealSys> pusher;
  uint64_t rowsSinceTurn = 0;
  uint32_t lastTick = 0;
  struct {
    uint64_t looksAt = 0; // looks how many batches are in flight once it has queued so many
    int64_t stuck = 0;    // of those in flight: they have not moved for long
    int64_t bytes = 0;    // of one, by what queues held last when that was much; 0: it never was
    uint64_t helped = 0;  // queued while it worked at what others had queued
    uint64_t queued = 0;  // itself, up to:
    uint64_t ran = 0;     // by all threads, up to:
    int64_t since = 0;
    Lately batches, runs; // that is
  } flight;               // Flight.cpp
  struct {
    int64_t since = 0;           // when the size of its batches was last looked at
    uint64_t rows = 0;           // forwarded since then
    Lately made;                 // rows
  } pace;                        // Pace.cpp
  std::atomic<int64_t> quick{0}; // batches that it queues in a short while
};

/// The thread runs code of this replica, until the end of the scope.
class Inside {
public:
  Inside(Thread &t, const Replica &replica) : t(t), before(*t.ctx.replica) {
    if (&replica != &before)
      enter(t, replica);
  }
  ~Inside() {
    if (t.ctx.replica != &before)
      enter(t, before);
  }
  Inside(const Inside &) = delete;
  static void enter(Thread &, const Replica &);

private:
  Thread &t;
  const Replica &before;
};

struct Program {
  Instances instances;
  const ProgramDesc &desc; // of the instances
  Options options;
  std::vector<char> state;
  Heap *heap;
  Arena keep = {}; // values of parameters and submissions
  std::vector<OutPort> outPorts;
  std::vector<PortState> ports;
  std::deque<BatchPool> pools;  // one for each size
  os::Lock batchLock;           // of:
  std::vector<Batch *> batches; // all that were ever made
  std::vector<uint32_t> finals; // by input port: how many arrived
  std::vector<std::unique_ptr<NativeOp>> natives;
  std::vector<NativeOp *> nativePointers; // the same, for Ctx::natives
  std::vector<uint32_t> nativeOps;        // by native id: its operator
  std::vector<char> nativeClosed;         // Final was sent on its outputs
  std::vector<Str> submissionScalars;
  std::vector<Seq> submissionLists;
  std::unique_ptr<Thread> main; // for what runs before and after the sources
  std::vector<std::unique_ptr<Source>> sources;
  Domains domains;
  Client client{*this};
  std::unique_ptr<Scheduler> scheduler; // null: sources take turns
  int64_t parts =
      instances.most(); // that a batch may be partitioned to, regions in regions included
  std::vector<const InPort *>
      keepers; // ports that have a worker of their own: what they keep is meant to wait
  std::vector<std::unique_ptr<Thread>> workers;
  std::unique_ptr<Adapter> adapter;   // null: nothing changes while it runs
  std::unique_ptr<Profiler> profiler; // null: threads take their times themselves
  Baton baton;
  std::deque<std::pair<uint32_t, Batch *>> loops; // batches on back edges
  bool draining = false;                          // somebody empties `loops` further up
  Output output;
  Sample began;                  // only the time
  int metrics = -1;              // the file of --metrics-json
  os::Event stop;                // SIGINT, SIGTERM, a failure, shutdown
  std::atomic<uint32_t> tick{0}; // counts milliseconds, roughly
  // Set once. relaxed: they only make others give up sooner; what a failing thread
  // leaves behind is handed over by the baton or the tokens.
  std::atomic<bool> failing{false}, reported{false};
  std::atomic<bool> cutShort{false}; // a source was stopped in the middle of a row

  Program(const ProgramDesc &templates, const std::vector<uint32_t> &widths, Options);
  ~Program();
  Program(const Program &) = delete;

  /// Runs to the end; the exit code.
  int run();
  uint32_t indexOf(const OperatorDesc *op) const { return uint32_t(op - desc.operators); }
};

//===--- Batches.cpp --------------------------------------------------------===//
void makePorts(Program &);
void freePorts(Program &);
void addPunct(Batch *, uint32_t row, PunctuationKind);
/// The batch ends before row `rows`.
void cutBatch(Batch *, uint32_t rows);

//===--- Ports.cpp ----------------------------------------------------------===//
/// Runs the consumers of what the port holds. 0, or -1: the program is failing.
int32_t forward(Thread &, uint32_t port);
/// Gives a batch to the consumers of a port; `gone`: it is not the caller's any more.
int32_t sendNow(Thread &, uint32_t port, Batch *, bool &gone);
/// The same, whichever way each consumer takes it; the port then has an empty batch again.
int32_t sendAway(Thread &, uint32_t port, Batch *);
/// The same for a port whose consumers are all called.
int32_t callConsumers(Thread &, uint32_t port, Batch *, bool &gone);
/// The port has an empty batch again, but for one that forwards what its segment is given.
void refill(Thread &, uint32_t port, Batch *, bool gone);
/// Forwards every port but those whose consumers are running, and runs what
/// waits on back edges if nobody does.
int32_t forwardAll(Thread &);

//===--- Chain.cpp ----------------------------------------------------------===//
/// Hands the batch on to the only consumer of its port, and on from there as far as
/// segments forward what they are given.
int32_t runChain(Thread &, uint32_t port, Batch *);

//===--- Partition.cpp -------------------------------------------------------------===//
/// Finds out which rows of a batch each consumer of the partitioner gets. The consumer that
/// gets them all, if there are no marks and there is one; or -1.
int32_t partition(const OutPortDesc &, Partitioner &, const Batch *);
/// Whether each of its consumers may get the batch as it is: it has nothing but marks.
bool isForAll(const Partitioner &, const Batch *);
/// Fills the empty batch with what consumer `i` of the partitioner gets. False: it is nothing.
bool fillPart(const OutPortDesc &, const Partitioner &, uint32_t i, const Batch *from, Batch *part);
/// The consumer has failed at a row of its part: what comes before that row of the whole
/// is left for those behind.
void cutBehind(Partitioner &, uint32_t i, uint32_t row, Batch *whole);

/// Runs the segment of an input port for what its ring held; the batch is not the
/// caller's any more.
int32_t runQueued(Thread &, InPort &, Batch *);

//===--- Elastic.cpp --------------------------------------------------------===//
/// Decides whether domains run by themselves, and makes their scheduler.
void setUpQueues(Program &);
/// By input port: an ordered stream enters a @parallel region. What is fed by the same
/// producer elsewhere would come too early if it waited here.
std::vector<bool> orderedEntries(const ProgramDesc &);
/// Does what --queues says. 0, or the exit code: it names something that is not there.
int applyQueues(Program &);
/// Does what --width says, once queues are set up. 0, or the exit code.
int applyWidths(Program &);
/// --chaos: until the end, modes and the level change at random.
void chaosUntil(Program &, os::Event &end);
/// A batch is pushed into a loop, or inside it; it has been run. Who runs the last
/// one closes the loop if every Final from outside has come.
void enterLoop(FeedbackLoop &);
void leaveLoop(Thread &, FeedbackLoop &);
/// A Final arrived at a port of a loop that is not empty: it waits.
bool holdsFinal(Program &, uint32_t inPort);
/// It is the one that waited for the loop to end.
bool isHeldFinal(Program &, uint32_t inPort);
/// Batches given to queues, before anybody can run them.
void countQueued(Thread &, int64_t by);
void startWorkers(Program &, queue::ThreadTeam &);
/// After the sources: waits until every queue is empty and ends the workers.
void finishWorkers(Program &, queue::ThreadTeam &);

//===--- Dropping.cpp -------------------------------------------------------===//
/// A batch comes to a port that drops what is too much. False: it was dropped.
bool keepOrDrop(Thread &, InPort &, Batch *);
/// Its placeholder was in the ring: runs what is kept, up to a quantum.
int32_t runKept(Thread &, InPort &);

//===--- Shards.cpp ------------------------------------------------------------===//
/// The output ports that generated code finds in the thread's context.
inline void usePorts(Thread &t, OutPort *ports) {
  t.ports = ports;
  t.ctx.ports = ports + t.ctx.replica->out;
}
/// What a thread that runs a ticket forwards: it waits for its turn, or is sent now.
int32_t forwardInRun(Thread &, uint32_t port, Batch *);
/// What follows must come in the order of tickets. False: it does not come at all, an
/// earlier one has failed. True where no ticket is run.
bool takeTurn(Thread &);
/// How many workers may run what is behind the port at once: 1 to maxWidth(). By `self`, at any
/// time.
void setWidth(Program &, queue::Self<RealSys> &self, InPort &, uint32_t width);

//===--- KeyShards.cpp ---------------------------------------------------------===//
/// Shards that state by key is partitioned to, where so many work.
uint32_t shardsFor(uint32_t workers);
/// Runs a batch for which nobody else is inside, each row with the state of its shard.
/// The batch is not the caller's any more.
int32_t runOverShards(Thread &, InPort &, Batch *);
/// What the part that the thread runs forwards is kept for the end of its ticket.
int32_t forwardInPart(Thread &, uint32_t port, Batch *);

//===--- Failure.cpp --------------------------------------------------------===//
/// Remembers a failure of an operator with the text of the last sl_error, and
/// stops the sources. Returns -1; or 0 if it was caught.
int32_t fail(Thread &, uint32_t op, int32_t site, bool caught);
/// The same for one of a part, when its turn has come: forwards the ports, then reports.
void failNow(Thread &, Failure, const std::vector<uint32_t> &ports = {});
/// Prints the pending failure unless one was reported before.
void reportPending(Thread &);
/// Turns the return value of a handler that was called by the runtime into 0
/// or -1, with the report made.
int32_t settle(Thread &, uint32_t op, int32_t result);

//===--- Pace.cpp -----------------------------------------------------------===//
/// How many rows a batch of the port may ever have.
uint32_t mostRows(const Program &, const OutPortDesc &);
void beginPace(Source &, int64_t now);
/// The source has forwarded `rows` at its own top: are its batches to be larger or smaller?
void pace(Source &, uint64_t rows, int64_t now);

//===--- Flight.cpp ---------------------------------------------------------===//
/// Batches that sources let be in flight for each thread that works.
int64_t inFlightEach(const Program &);
/// At its own top: works, or waits for a moment, while the program holds more batches than its
/// threads need.
void holdBack(Source &);
/// It may have queued so many that it is to look.
inline void holdBackIfMany(Source &s) {
  if (int64_t(s.queued.load(std::memory_order_relaxed) - s.flight.looksAt) >= 0)
    holdBack(s);
}

//===--- Sources.cpp --------------------------------------------------------===//
void findSources(Program &);
/// Starts a thread for each source and waits for all.
void runSources(Program &);
/// A source is at its own top after a forward of `rows`: others get a turn if
/// one is due. -1: the source is to stop.
int32_t atTop(Source &, uint64_t rows);
/// The program was told to stop long enough ago.
bool overdue(Thread &);
/// The current thread is about to wait, for so long or (below 0) who knows: everything is handed
/// on, and the baton is let go if that is safe, or another worker works meanwhile: then true.
bool enterWait(Thread &, int64_t nanos);
void leaveWait(Thread &, bool released);

//===--- Report.cpp -----------------------------------------------------------===//
/// Opens the file of --metrics-json. 0, or the exit code: it cannot be written.
int openMetrics(Program &);
/// What --stats and --metrics-json ask for. The exit code: `exitCode` unless that fails.
int reportCounters(Program &, int exitCode);

//===--- Natives.cpp --------------------------------------------------------===//
/// Makes the native operators and gives them their parameters. 0 or -1.
int32_t makeNatives(Program &);
int32_t openNatives(Program &);
/// The process of a native source.
int32_t runNative(Thread &, uint32_t native);
void closeNatives(Program &);
/// Final on every output port of a native operator, once.
int32_t closeOutputs(Thread &, uint32_t native);

} // namespace sluice
