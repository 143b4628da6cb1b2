//===- Position.h - where a thread is ---------------------------*- C++ -*-===//
//
// Where a thread is consists of parts that change together. At<Part> keeps one of them: at its end
// the thread is there again where it was before. What the thread goes to meanwhile its user sets.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/Inline.h"
#include "runtime/exec/state/Thread.h"
#include "sluice/abi.h"

namespace sluice {

/// Ctx::channels where no channel runs a batch for others.
inline constexpr int32_t kOwnChannel[kBatchRows] = {};

/// Makes the output ports those that generated code finds in the thread's context.
inline void usePorts(Thread &t, OutPort *ports) {
  t.at.ports = ports;
  t.ctx.ports = ports + t.ctx.replica->out;
}

/// Makes the context of the thread that of the replica.
void enterReplica(Thread &, const Replica &);

/// Whose heap and output ports a thread uses, and the ticket that it runs. Changes where it enters
/// a domain: by a token, alone, or with a ticket.
struct Place {
  Heap *heap;
  OutPort *ports;
  queue::Run<RealSys> *run;

  SLUICE_INLINE static Place of(const Thread &t) { return {t.ctx.heap, t.at.ports, t.at.run}; }
  SLUICE_INLINE void restore(Thread &t) const {
    t.ctx.heap = heap;
    t.at.run = run;
    usePorts(t, ports);
  }
};

/// The replica whose code a thread runs.
struct InReplica {
  const Replica *replica;

  SLUICE_INLINE static InReplica of(const Thread &t) { return {t.ctx.replica}; }
  SLUICE_INLINE void restore(Thread &t) const {
    if (t.ctx.replica != replica)
      enterReplica(t, *replica);
  }
};

/// What a chain of calls changes of where its caller was. All links of a chain run one level deeper
/// than the caller, and none of them changes Position::inPort or Position::links.
struct ChainPart {
  InReplica replica;
  uint32_t depth, marks, failedRow;

  SLUICE_INLINE static ChainPart of(const Thread &t) {
    return {InReplica::of(t), t.at.depth, t.at.marks, t.ctx.failedRow};
  }
  SLUICE_INLINE void restore(Thread &t) const {
    t.at.depth = depth;
    t.at.marks = marks;
    t.ctx.failedRow = failedRow;
    replica.restore(t);
  }
};

/// The segment that a thread runs, and how far. Changes where a segment is called.
struct Segment {
  ChainPart own;
  uint32_t inPort, links;

  SLUICE_INLINE static Segment of(const Thread &t) {
    return {ChainPart::of(t), t.at.inPort, t.at.links};
  }
  SLUICE_INLINE void restore(Thread &t) const {
    t.at.inPort = inPort;
    t.at.links = links;
    own.restore(t);
  }
};

/// What the batches that a thread makes inherit. Changes with the batch that it runs.
struct Stamps {
  uint64_t birth = 0;
  Receipt *receipt = nullptr;
  uint64_t forwarded = 0; // ThreadCounts::forwarded by then

  SLUICE_INLINE static Stamps of(const Thread &t) {
    if (__builtin_expect(!t.stamps, 1))
      return {};
    return {t.at.birth, t.at.receipt, t.counted.forwarded};
  }
  SLUICE_INLINE void restore(Thread &t) const {
    if (__builtin_expect(!t.stamps, 1))
      return;
    t.at.birth = birth;
    t.at.receipt = receipt;
  }
};

/// The state and heap of a key shard. Changes with the row that runs.
struct Shard {
  char *state;
  Heap *heap;

  static Shard of(const Thread &t) { return {t.ctx.state, t.ctx.heap}; }
  void restore(Thread &t) const {
    t.ctx.state = state;
    t.ctx.heap = heap;
  }
};

/// What a thread has begun itself (Position::began). Changes with what it runs of a queue.
struct Begun {
  decltype(Position::began) began;

  static Begun of(const Thread &t) { return {t.at.began}; }
  void restore(Thread &t) const { t.at.began = began; }
};

/// The native operator that a thread has called.
struct InNative {
  decltype(Position::native) native;

  static InNative of(const Thread &t) { return {t.at.native}; }
  void restore(Thread &t) const { t.at.native = native; }
};

template <class Part> class [[nodiscard]] At {
public:
  SLUICE_INLINE explicit At(Thread &t) : before(Part::of(t)), t(t) {}
  SLUICE_INLINE ~At() { before.restore(t); }
  At(const At &) = delete;

  const Part before;

private:
  Thread &t;
};

/// While it lives the thread runs code of a replica.
class Inside {
public:
  SLUICE_INLINE Inside(Thread &t, const Replica &replica) : at(t) {
    InReplica{&replica}.restore(t);
  }

private:
  const At<InReplica> at;
};

} // namespace sluice
