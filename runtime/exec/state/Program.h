//===- Program.h - the running program ----------------------------*- C++ -*-===//
//
// All that a run needs. sl_main (Main.cpp) builds it from the program table.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/base/text/Output.h"
#include "runtime/exec/counters/Counters.h"
#include "runtime/exec/counters/CustomMetrics.h"
#include "runtime/exec/counters/LeftOut.h"
#include "runtime/exec/counters/PortMetrics.h"
#include "runtime/exec/options/RunOptions.h"
#include "runtime/exec/state/Above.h"
#include "runtime/exec/state/BatchPool.h"
#include "runtime/exec/state/Clock.h"
#include "runtime/exec/state/Cut.h"
#include "runtime/exec/state/Domains.h"
#include "runtime/exec/state/HeldPort.h"
#include "runtime/exec/state/PortState.h"
#include "runtime/exec/state/Thread.h"
#include "runtime/exec/table/Instances.h"
#include "runtime/exec/table/Pes.h"
#include "runtime/memory/Arena.h"
#include "sluice/native.h"
#include <atomic>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace sluice {

namespace queue {
template <class Sys, class Client> class Scheduler;
class Team;
} // namespace queue
namespace watch {
class Watcher;
} // namespace watch
class Adapter;
class Acknowledger;
class Baton;
class Exchange;
class Exporter;
class FileUses;
class Importer;
class Profiler;
class QueueClient;
class Remote;
struct Source;
class Spool;
class Taps;
class Watchdog;
using Scheduler = queue::Scheduler<RealSys, QueueClient>;

/// What the program table says, for this run.
struct ProgramTable {
  ProgramTable(const ProgramDesc &templates, const std::vector<uint32_t> &widths);

  Instances instances;
  const Pes pes;
  std::vector<bool> here; // by operator: whether this process runs it; empty: all
  int64_t parts;          // that a batch may be partitioned to, nested regions included
};

/// State of operators, and values that stay for the whole run.
struct Values {
  std::string appDir;                 // the application directory
  std::vector<char> state;            // of all operators; Ctx::state points into it
  Heap *heap = nullptr;               // for state before threads run, and where sources take turns
  Arena keep = {};                    // for values of parameters and submission-time values
  std::vector<Str> submissionScalars; // by submission-time value
  std::vector<Seq> submissionLists;   // the same values as lists
};

/// Output ports and their batches.
struct OutPorts {
  std::vector<OutPort> filled;  // by id: the batch that each port fills
  std::vector<PortState> ports; // by id
  std::deque<BatchPool> pools;  // one for each size of batches
  os::Lock batchLock;           // protects `batches`
  std::vector<Batch *> batches; // all that were ever made
  std::vector<uint32_t> finals; // by input port: how many final punctuations have arrived
};

/// Native operators, by native id.
struct Natives {
  std::vector<std::unique_ptr<NativeOp>> list;
  std::vector<NativeOp *> pointers; // the same, for Ctx::natives
  std::vector<uint32_t> ops;        // ids of their operators
  std::vector<char> closed;         // final punctuation was submitted on their outputs
  std::unique_ptr<FileUses> files;  // that they read and write
};

/// Frames of links, and ends of their streams, where checkpoints are made. release: pairs with
/// LocalParticipant::look, which sees what its source was before it sees the count.
struct LinkTotals {
  std::atomic<uint64_t> received{0}; // taken by a receiver that does not stay
  std::atomic<uint64_t> sent{0};     // before they are sent
  /// How often what the process remembers was copied. release, behind that; acquire by a receiver
  /// that wakes (endStay): its frame was sent by another process after that, which no thread here
  /// can see.
  std::atomic<uint64_t> taken{0};
};

/// The other PEs, and streams of other jobs.
struct Links {
  LinkTotals totals;
  std::unique_ptr<Remote> remote;       // null: there are no other PEs
  Acknowledger *acknowledger = nullptr; // of `remote`; null: nothing is acknowledged
  std::deque<LinkCounters> counters;    // by the operators at their ends
  std::unique_ptr<Exchange> exchange;   // null: nobody exports or imports
  std::vector<Importer *> importers;    // of this process. Both are filled before threads run
  std::vector<Exporter *> exporters;
};

struct Threads {
  std::unique_ptr<Thread> main; // for what runs before and after the sources
  std::vector<std::unique_ptr<Source>> sources;
  uint32_t regular = 0;                         // sources that are not daemons
  std::vector<std::unique_ptr<Thread>> workers; // by number; empty until they start
  std::unique_ptr<queue::Team> team;            // their threads; null: there are no workers
  std::unique_ptr<Profiler> profiler;           // null: threads take their times themselves
  std::unique_ptr<Watchdog> watchdog;           // while it runs
};

/// Where domains run by themselves.
struct Queues {
  Domains domains;
  std::unique_ptr<QueueClient> client;  // what the scheduler calls
  std::unique_ptr<Scheduler> scheduler; // null: sources take turns
  std::vector<const InPort *> keepers;  // ports with a worker of their own: batches may wait there
  std::vector<InPort *> delays;         // ports that delay, at which tuples wait for their time
  os::Event delaysChanged;              // something waits at one of those (releaseDelayed())
};

/// Where sources take turns. By the holder of the baton.
struct Turns {
  std::unique_ptr<Baton> baton;
  std::deque<std::pair<uint32_t, Batch *>> loops; // output ports that are back edges, and batches
  std::deque<InPort *> finalsDue; // ports of loops that are to get their final punctuation
  bool draining = false;          // a caller runs what is in `loops`
  uint32_t regularLeft = 0;       // sources that are not daemons and have not ended
  // All other sources have ended: those of ports that delay end, too. relaxed: as Delays.cpp says.
  std::atomic<bool> delaysEnd{false};
};

/// How the run ends. By any thread.
struct Ending {
  os::Event stop;                     // raised by SIGINT, SIGTERM, a failure, or the program itself
  os::Event onlyDaemons;              // raised when all other sources have ended
  os::Event failed;                   // raised once a failure was reported: no link waits any more
  std::atomic<int64_t> drainSince{0}; // ns, when daemons began to wait for what is left; or 0
  std::atomic<uint32_t> tick{0}; // milliseconds, roughly. relaxed: a hint that a turn has been long
  // An operator has failed; a failure was reported. Set once. relaxed: they only make others stop
  // sooner. What a failing thread leaves behind is published by the baton or the tokens.
  std::atomic<bool> failing{false}, reported{false};
  // Nobody reads standard output any more. relaxed: read when all threads have ended.
  std::atomic<bool> unread{false};
  // The program ends with a checkpoint: `failing` stops all that runs, and is no failure. relaxed:
  // set before `failing`, and read when all threads have ended.
  std::atomic<bool> atCheckpoint{false};
  // A source was stopped in the middle of a row. relaxed: read when all threads have ended.
  std::atomic<bool> cutShort{false};
};

/// What is shown of the run. By any thread.
struct Showing {
  explicit Showing(uint32_t operators) : leftOut(operators) {}

  Output output;
  struct {
    int64_t nanos = 0;   // os::now()
    uint64_t cycles = 0; // the cycle counter
  } began;               // when it began to run
  CustomMetrics customMetrics;
  PortMetrics portMetrics;
  LeftOuts leftOut;
  std::string checkpoints; // for --stats, at the end
  int metrics = -1;        // descriptor of the file of --metrics-json; by the main thread
};

/// One thread at a time is inside a domain, or inside the whole graph where sources take turns:
/// what belongs to a domain, and `finals` of its ports, is by that thread. What is not said to be
/// for several threads is set before they run.
struct Program {
  Program(const ProgramDesc &templates, const std::vector<uint32_t> &widths, RunOptions);
  ~Program();
  Program(const Program &) = delete;

  /// Runs to the end, changed and shown meanwhile. Returns the exit code.
  int run(Adapter &, watch::Watcher &);
  uint32_t indexOf(const OperatorDesc *op) const { return uint32_t(op - desc.operators); }
  /// Whether this process runs the operator.
  bool isHere(uint32_t op) const { return table.here.empty() || table.here[op]; }

  ProgramTable table;
  const ProgramDesc &desc; // of the instances
  RunOptions options;
  const Above &above; // of the floors above dispatch
  Values values;
  OutPorts out;
  Natives natives;
  Links links;
  Threads threads;
  Queues queues;
  Turns turns;
  std::vector<std::unique_ptr<Spool>> spools; // logs of sources. Before threads run
  Holds holds;                                // ports that hold sources back
  Clock clock;                                // virtual: by the holder of the baton
  Ending end;
  Cut cut; // checkpoints
  Showing show;
  std::unique_ptr<Taps> taps; // null: nobody may look at tuples. Before threads run
};

} // namespace sluice
