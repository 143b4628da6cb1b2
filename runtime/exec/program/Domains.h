//===- Domains.h - what one thread at a time is inside -----------*- C++ -*-===//
//
// Operators that direct boundaries connect are a domain. The domain of a source
// is run by the source's thread. Any other has a token (runtime/queue), which
// whoever runs it owns: a worker, or a thread that calls instead of queueing. One
// whose operators keep nothing may have a window: several threads may be inside then,
// each with a ticket (Shards.cpp). So may one whose first operator keeps state by key:
// each ticket has parts then (KeyShards.h).
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/dispatch/DropQueue.h"
#include "runtime/exec/metrics/Counters.h"
#include "runtime/memory/Heap.h"
#include "runtime/queue/Scheduler.h"
#include "sluice/abi.h"
#include <memory>
#include <vector>

namespace sluice {

struct KeyShards;
struct Program;
struct Thread;
using queue::RealSys;

/// It is its token, so that who has a port need not look for it.
struct alignas(64) Domain : queue::OwnershipToken<RealSys> {
  Domain();
  Domain(const Domain &) = delete;
  ~Domain();
  /// Several threads may be inside.
  bool isWide() const { return shared || byKey; }
  // What a call touches is in the token's line: these use the end of its bytes.
  std::atomic<bool> failed{
      false}; // takes no more input. relaxed: a hint, but for who has the token or the turn
  const Replica *replica = nullptr; // that it is in
  // Seldom looked at.
  bool hasToken = false;  // it is not a source's
  bool ownThread = false; // of a port of it
  bool shared = false;    // several threads may be inside, as it keeps nothing
  bool byKey = false;     // or as it keeps state by key
  uint32_t source = ~0u;  // its operator
  uint32_t number = 0;
  std::vector<uint32_t> outPorts;                            // that end a segment
  std::unique_ptr<queue::ReorderWindow<RealSys>> ownReorder; // of those, where there are workers
  Heap heap = {};                                            // of what its operators own
  std::unique_ptr<KeyShards> shards; // made where state by key is partitioned to them
};

static_assert(sizeof(queue::OwnershipToken<RealSys>) == 48 && sizeof(Domain) <= 512);

/// So many batches may be taken and not yet handed out.
constexpr uint32_t kWidest = 64;

struct InPort;

/// Domains that lead to each other. It closes when Final came on every stream
/// from outside and nothing is in it any more.
struct FeedbackLoop : queue::Loop<RealSys> {
  std::vector<InPort *> inPorts;
  std::atomic<int64_t> inside{0}; // batches pushed into or inside it, not yet run
  std::atomic<uint32_t> open{0};  // ports that wait for a Final from outside
  std::atomic<bool> closing{false};
};

/// What is called with the batches of an input port.
struct Code {
  SegmentFn segment = nullptr;
  RowsFn rows = nullptr; // see InPortDesc
};

/// An input port that other domains lead to.
struct alignas(64) InPort {
  InPort(Domain &domain, queue::Bounds bounds) : port(domain, bounds), domain(domain) {
    port.user = this;
  }
  // What a run touches is in one line, and in those of the port and, but for plain calls, the
  // domain.
  Code code;
  RunCounters calls = {}; // by who owned the token or was alone with the port
  Counter plain = {};     // rows of plain calls: those that the output port before it forwarded so
  InPort *next = this;    // where its output port leads to, if that can be called plainly
                          // (callPlain()); else itself
  uint32_t id = 0, inPlaceOutput = 0; // moves: see InPortDesc
  queue::Port<RealSys> port;
  RunTimes times = {}; // of calls
  // Seldom looked at.
  Domain &domain;
  uint32_t outside = 0; // producers that are not in the loop
  bool switchable = false;
  Runs runs() { return {calls, times}; }
  /// How many workers may run it at once, at most; 1: it keeps state that is not by key, say.
  uint32_t maxWidth() const { return domain.isWide() ? kWidest : 1; }
  FeedbackLoop *loop = nullptr; // the same as port.loop
  Punctuation finalMark = {0, PunctuationKind::Final};
  bool closed = false;              // that Final has arrived
  Batch finalBatch = {};            // brings the Final that closes the loop
  std::unique_ptr<DropQueue> drops; // config threadedPort with Sys.DropFirst or DropLast
};

static_assert(sizeof(Code) + sizeof(RunCounters) + sizeof(Counter) + sizeof(InPort *) +
                  2 * sizeof(uint32_t) ==
              64);

/// The same as in.domain, which is elsewhere in memory.
inline Domain &domainOf(const InPort &in) { return static_cast<Domain &>(in.port.token); }

/// Batches that wait at the port.
inline uint64_t depthOf(const InPort &in) {
  return in.drops ? in.drops->depth() : in.port.ring.size();
}

inline bool isSource(const OperatorDesc &op) {
  return op.native >= 0 ? op.inputs == 0 : op.process != nullptr;
}

/// Rows that a batch to this port may have: config threadedPort counts in tuples.
uint32_t rowsTo(const InPortDesc &);

/// The domains of a program: a pure function of its tables.
struct Domains {
  explicit Domains(const ProgramDesc &);
  ~Domains();

  /// Every thread has its way in: else sources must take turns.
  bool valid = true;
  uint32_t tokens = 0;
  uint32_t ownThreads = 0; // tokens behind ports that bring a worker each
  std::vector<std::unique_ptr<Domain>> list;
  std::vector<Domain *> ofOperator;
  std::vector<std::unique_ptr<InPort>> inPorts; // by id; null: only called
  std::vector<std::unique_ptr<FeedbackLoop>> loops;
  /// By output port and consumer: the edge is inside a loop of domains.
  std::vector<std::vector<bool>> inLoop;

private:
  void join(const ProgramDesc &);
  void makePorts(const ProgramDesc &);
  void findLoops(const ProgramDesc &);
  void findSole(const ProgramDesc &);
  void findShared(const ProgramDesc &);
  void findByKey(const ProgramDesc &);
};

/// What the queues call to run a batch.
struct Client {
  struct Saved {
    Heap *heap;
    OutPort *ports;
    queue::Run<RealSys> *run;
  };
  using Self = queue::Self<RealSys>;
  Saved enter(Self &, queue::OwnershipToken<RealSys> &);
  void leave(Self &, queue::OwnershipToken<RealSys> &, Saved);
  int32_t runTicket(Self &, queue::Run<RealSys> &, queue::Item);
  int32_t handOut(Self &, queue::Run<RealSys> &);
  // State by key: KeyShards.cpp.
  bool isAlone(queue::Port<RealSys> &, queue::Item);
  void split(Self &, queue::OwnershipToken<RealSys> &);
  void unite(Self &, queue::OwnershipToken<RealSys> &);
  void partition(Self &, queue::Run<RealSys> &, queue::Item);
  int32_t runPart(Self &, queue::Run<RealSys> &, uint32_t shard);
  void join(Self &, queue::Run<RealSys> &);
  int32_t run(Self &, queue::Port<RealSys> &, queue::Item);
  int32_t runInline(Self &, queue::Port<RealSys> &, queue::Item);
  /// The ring of the port is full: nothing happens on this thread meanwhile.
  void beginWait(Self &);
  void endWait(Self &, queue::Port<RealSys> &, uint64_t nanos);
  Program &program;
};
using Scheduler = queue::Scheduler<RealSys, Client>;

} // namespace sluice
