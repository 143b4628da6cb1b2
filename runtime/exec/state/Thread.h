//===- Thread.h - a thread that may be inside the graph ---------*- C++ -*-===//
#pragma once
#include "runtime/exec/counters/LatencyCounts.h"
#include "runtime/exec/counters/Meter.h"
#include "runtime/exec/state/BatchPool.h"
#include "runtime/exec/state/Failure.h"
#include "runtime/exec/state/InPort.h"
#include "runtime/memory/Arena.h"
#include "runtime/queue/Ready.h"
#include "runtime/queue/Turn.h"
#include "sluice/abi.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

struct KeyPart;
struct Program;

/// One or several called ports in a chain of calls. Several are called plainly: `in`, its `next`,
/// and so on up to `last`.
struct Link {
  InPort *in, *last;
  bool owner; // the thread has won the token; otherwise it is alone with the port
  template <typename Do> void each(Do act) const {
    for (InPort *port = in;; port = port->next) {
      act(*port);
      if (port == last)
        break;
    }
  }
};

/// Where a thread is in the graph. What generated code reads of it is in Ctx. At<> (Position.h)
/// keeps parts of it. By the thread; the Watchdog reads run, inPort, depth, links, marks and native
/// at some moment, each once.
struct Position {
  OutPort *ports = nullptr; // by id: the program's, or Reserve::ports while it runs a ticket
  queue::Run<RealSys> *run = nullptr; // the ticket that it runs, or null
  KeyPart *part = nullptr;            // the part of the ticket, where state is sharded by key
  uint32_t inPort = ~0u;              // above depth 0: the input port whose segment runs
  uint32_t depth = 0;                 // nested segments on the stack
  uint32_t links =
      0; // Entered::linked when that segment was called: a chain that it began is above
  uint32_t marks = 0;         // 1: it is at a batch in which punctuation is to be handled
  uint64_t birth = 0;         // Batch::birth of what it runs; 0: it runs nothing that a source made
  Receipt *receipt = nullptr; // of the batch that it runs, or null
  struct {
    size_t domains = 0;
    uint32_t links = 0;
  } began; // how many of both it had when it began what it runs, where that is of a queue and
           // batches hold receipts (QueueClient::run)
  struct {
    uint32_t op = ~0u;  // the native operator that it has called last and is in
    uint32_t made = 0;  // NativeOp::made when it was called
    uint32_t depth = 0; // Position::depth when it was called
  } native;
};

/// What a thread has entered and not yet left. By the thread; the Watchdog reads `links`, which
/// keeps its size once threads run, and `linked`.
struct Entered {
  std::vector<Domain *> domains; // except for those of links
  std::vector<Link> links; // called ports whose segments run or have forwarded (Chain.cpp). It has
                           // room for every port, as a port is entered once
  uint32_t linked = 0;     // how many of the links are in use
  Batch *inHand = nullptr; // of a chain of plain calls, which is in no output port until the chain
                           // ends or fails
};

/// Memory that a thread uses again.
struct Reserve {
  std::vector<Spares> spares;      // batches, by pool
  std::vector<OutPort> ports;      // output ports for tickets; made when first needed
  Heap *heap = nullptr;            // heap for tickets; made when first needed
  std::vector<Punctuation> puncts; // of the batch that an operator of the runtime runs
};

/// What went wrong on a thread, and how it ends.
struct Trouble {
  std::string error;              // text of the last sl_error
  bool endsAtOnce = false;        // that error ends the process (sl_end_at_once)
  std::optional<Failure> pending; // a failure that is not yet reported
  int64_t stopSeen = 0; // ns, when it first noticed that the program is to stop; 0: not yet
  std::atomic<bool> still{false}; // it waits in the middle of a segment (ending/Still.h)
};

/// What a thread has counted beside ThreadCounters.
struct ThreadCounts {
  std::unique_ptr<LatencyCounts> latency; // null: latency paths are not timed
  uint64_t forwarded = 0;                 // batches, where latency paths are timed
  // Batches that it has queued and that it has run. Written by this thread with release, which
  // pairs with isQuiet() in Flight.cpp; Flight.cpp reads them as estimates.
  std::atomic<uint64_t> queued{0}, ran{0};
  std::vector<Counter> made; // by id of the output port: what Ctx::made of the thread points into
  uint32_t sinceSave = 0;    // batches since state was saved last, with --save-every
};

/// What a thread tells the Watchdog. relaxed: it is read at some moment.
struct WatchedThread {
  std::atomic<uint32_t> systemId{0};          // os::threadId() of the thread that runs it
  std::atomic<const char *> foreign{nullptr}; // what of a toolkit's C++ it runs; null: none
};

/// A thread that may be inside the graph: a worker, the thread of a source, or the main thread
/// before and after the sources run. Only the thread itself touches it, except for what is said to
/// be read by others.
struct Thread {
  explicit Thread(Program &, bool isSource = false);
  ~Thread();
  Thread(const Thread &) = delete;

  Program &program;
  const bool isSource;
  const bool acknowledges; // batches hold receipts (Receipt.h)
  bool stamps; // something is done with batches when they are forwarded: they get a receipt
               // or their birth, or a source logs them (Source::spool)
  uint32_t rowsRun = 0; // rows of the batch that a segment ran last: all, or those before a failure
  queue::Self<RealSys> *self = nullptr; // its side of the queues; null: there are none
  Arena scratch = {};
  Ctx ctx = {};
  Position at;
  Entered entered;
  Reserve reserve;
  Trouble trouble;
  ThreadCounters counters; // read by anybody, see Counters.h
  ThreadCounts counted;
  WatchedThread watched;
  uint32_t passedAt = ~0u; // Ending::tick when a wait without a sleep has last handed on; or never
};

/// Counts a batch as one that the thread has run. release: pairs with isQuiet() in Flight.cpp;
/// what the batch has pushed was counted before.
inline void countRan(Thread &t) {
  t.counted.ran.store(t.counted.ran.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

/// Counts batches that are given to queues, before anybody can run them; a negative number takes
/// that back. release: pairs with isQuiet() in Flight.cpp.
inline void countQueued(Thread &t, int64_t by) {
  t.counted.queued.store(t.counted.queued.load(std::memory_order_relaxed) + uint64_t(by),
                         std::memory_order_release);
}

} // namespace sluice
