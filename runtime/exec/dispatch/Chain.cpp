//===- Chain.cpp - a batch runs through called ports ----------------------===//
//
// A segment that forwards in place leaves that to its caller. So all segments of a chain are called
// from here, one after the other: a chain of any length needs no stack, and each return goes where
// the processor expects it. Tokens stay owned and domains entered until the chain ends, as if the
// calls were nested.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/dispatch/Chain.h"
#include "runtime/exec/dispatch/Call.h"
#include "runtime/exec/dispatch/Give.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/state/Position.h"
#include <algorithm>

namespace sluice {

/// Prefetches what a plain call touches.
static SLUICE_INLINE void prefetchPlain(const InPort &in) {
  __builtin_prefetch(&in.code, 1);
  in.port.prefetchPush();
}

/// Prefetches what the forward after this one will touch.
static SLUICE_INLINE void prefetch(const PortState &port, const PortState &next) {
  __builtin_prefetch(&next, 1);
  if (!port.onward.only)
    return;
  prefetchPlain(*port.onward.only);
  __builtin_prefetch(port.onward.domain, 1);
}

namespace {
/// How a thread has entered the domain of a port.
struct Entry {
  queue::Entered how;
  int32_t status; // of what ran before the batch
};
} // namespace

/// Enters the domain of a port, if its mode is direct and the batch can run now.
static SLUICE_INLINE Entry enter(Thread &t, InPort &in) {
  if (in.port.mode.load(std::memory_order_relaxed) != queue::Mode::Direct)
    return {queue::Entered::No, 0};
  if (Scheduler::isAlone(in.port)) {
    goTo(t, domainOf(in));
    return {queue::Entered::Alone, 0};
  }
  Place saved; // not needed: runChain() keeps what the whole chain returns to
  int32_t status = 0;
  bool won = t.program.queues.scheduler->win(*t.self, in.port, saved, status);
  return {won ? queue::Entered::Owner : queue::Entered::No, status};
}

/// Calls the segment of a port.
static SLUICE_INLINE Filled callLink(Thread &t, InPort &in, Batch *b) {
  if (takesNoMore(t, in)) {
    if (in.inPlaceOutput)
      giveBack(t, b);
    return {0, false};
  }
  uint32_t rows = b->rows;
  if (!in.inPlaceOutput || !t.counters.pass(in.id, in.calls, rows)) {
    // It ends the chain, or it is to be timed together with all that it calls.
    Sent sent =
        callSegment(t, in.id, in.inPlaceOutput, *domainOf(in).replica, in.code, b, in.runs());
    return {sent.status, false};
  }
  InReplica{domainOf(in).replica}.restore(t);
  t.at.marks = marksOf(b);
  t.ctx.failedRow = rows; // no row yet
  t.ctx.clock = 0;        // others may have been inside the domain
  Filled filled = fillAnew(t, in.code, b, in.inPlaceOutput - 1);
  if (!filled.forwards)
    dropRest(t, in.inPlaceOutput - 1);
  if (filled.status < 0)
    in.calls.rows.add(uint64_t(t.ctx.failedRow) - rows); // those before the one that failed
  return filled;
}

namespace {
/// What a chain of plain calls has made.
struct Plain {
  Filled filled;
  uint32_t index; // the output port at its end
};
} // namespace

/// True if a port to which only one thread pushes can be called plainly: its mode is direct, and
/// the thread is alone with it. relaxed: the mode is a hint (Port::setMode), and so is a failure.
static SLUICE_INLINE bool isPlain(Program &p, InPort &in) {
  return in.port.mode.load(std::memory_order_relaxed) == queue::Mode::Direct &&
         Scheduler::isAloneAtSole(in.port) && !p.end.failing.load(std::memory_order_relaxed);
}

/// Plain calls: calls segments one after the other as long as there is nothing else to do. The
/// thread is alone with each port, the batch has no punctuation, nothing is timed and nothing has
/// failed; then this does the same as enter() and callLink(). Of the output ports only the last is
/// touched: that is the one which then may have a batch to forward.
static SLUICE_INLINE Plain callPlain(Thread &t, uint32_t index) {
  const PortState &port = t.program.out.ports[index];
  Batch *const b = t.at.ports[index].batch;
  if (!port.plain || b->punctCount || t.counted.latency || !t.counters.passesAll() ||
      t.entered.linked == t.entered.links.size() || !isPlain(t.program, *port.only))
    return {{0, true}, index};
  Link &link = t.entered.links[t.entered.linked++] = {port.only, port.only, false};
  setBatch(t.at.ports, index, nullptr);
  t.entered.inHand = b;
  bool whole;
  int32_t result;
  InPort *in = port.only;
  t.at.marks = 0;
  for (uint32_t rows = t.ctx.failedRow = b->rows;;) { // failedRow: no row yet
    link.last = in;
    in->calls.batches.add(1);
    in->plain.add(rows);
    t.ctx.heap = &domainOf(*in).heap; // nothing else of its domain is needed
    t.ctx.clock = 0;
    InPort *next = in->next;
    prefetchPlain(*next);
    __atomic_store_n(&b->rows, 0, __ATOMIC_RELAXED); // as in resetBatch()
    result = in->code.rows(&t.ctx, b, 0, rows);
    whole = !result && b->rows;
    if (!whole) {
      if (result < 0)
        in->calls.rows.add(uint64_t(t.ctx.failedRow) - rows); // those before the one that failed
      break;
    }
    if (rows != b->rows)
      t.ctx.failedRow = rows = b->rows;
    if (next == in || !isPlain(t.program, *next))
      break;
    in = next;
  }
  index = in->inPlaceOutput - 1;
  if (whole)
    setBatch(t.at.ports, index, b);
  else if (t.entered.inHand)
    giveBack(t, b);
  else // sl_unwind() has forwarded what was made before
    dropRest(t, index);
  t.entered.inHand = nullptr;
  return {{result, whole}, index};
}

/// Leaves the ports of the chain from the last one back to link `first`. Of all but the last only
/// the token is touched, if it was won: a long chain is out of the nearest cache by now.
static SLUICE_INLINE void leaveLinks(Thread &t, uint32_t first, bool owner, const Place &before,
                                     int32_t result) {
  Program &p = t.program;
  for (uint32_t i = t.entered.linked; (owner || result < 0) && i-- > first;) {
    const Link &link = t.entered.links[i];
    if (result < 0)
      link.each([&](InPort &in) { noteFailure(t, in, result); });
    if (link.owner)
      p.queues.scheduler->leave(*t.self, link.in->port.token, before, queue::Entered::Owner);
  }
  t.entered.linked = first;
}

/// Gives the batch of a port to consumers that this thread cannot call now.
static SLUICE_INLINE Sent endChain(Thread &t, uint32_t outPort, uint32_t index, Batch *b) {
  Sent sent = give(t, index, b);
  t.program.out.ports[index].busy = false;
  if (index == outPort)
    return sent;
  setBatch(t.at.ports, index, nullptr); // it has forwarded the batch in place
  if (sent.isMine())
    giveBack(t, b);
  return {sent.status, BatchFate::Forwarded};
}

/// Calls one port after the other until the chain ends. Sets `anyOwner` if a token was won.
static SLUICE_INLINE Sent runLinks(Thread &t, uint32_t outPort, Batch *b, bool &anyOwner) {
  Program &p = t.program;
  Sent sent;
  for (uint32_t index = outPort;;) {
    PortState &port = begin(t, index, b);
    InPort *in = port.only;
    Entry entry = in ? enter(t, *in) : Entry{queue::Entered::No, 0};
    sent.status = std::min(sent.status, entry.status);
    if (entry.how == queue::Entered::No) {
      Sent last = endChain(t, outPort, index, b);
      sent = {std::min(sent.status, last.status), last.fate};
      break;
    }
    anyOwner |= entry.how == queue::Entered::Owner;
    if (t.entered.linked == t.entered.links.size())
      abort(); // a port was entered twice
    t.entered.links[t.entered.linked++] = {in, in, entry.how == queue::Entered::Owner};
    if (index != outPort) { // it has forwarded the batch in place
      setBatch(t.at.ports, index, nullptr);
      port.busy = false;
    }
    if (in->inPlaceOutput)
      prefetch(port, p.out.ports[in->inPlaceOutput - 1]);
    Plain made = {callLink(t, *in, b), 0};
    if (made.filled.forwards)
      made = callPlain(t, in->inPlaceOutput - 1);
    sent.status = std::min(sent.status, made.filled.status);
    if (!made.filled.forwards) {
      if (in->inPlaceOutput || index != outPort)
        sent.fate = BatchFate::Forwarded;
      if (!in->inPlaceOutput && index != outPort) // before its domain is left
        giveBack(t, b);
      break;
    }
    index = made.index;
    b = t.at.ports[index].batch;
  }
  return sent;
}

Sent runChain(Thread &t, uint32_t outPort, Batch *b) {
  const uint32_t first = t.entered.linked;
  const Place before = Place::of(t);
  bool anyOwner = false;
  Sent sent;
  {
    const At<ChainPart> part(t);
    const ThreadCounters::Here here = t.counters.here();
    ++t.at.depth;
    sent = runLinks(t, outPort, b, anyOwner);
    t.counters.back(here);
  }
  before.restore(t);
  if (t.entered.linked > first)
    leaveLinks(t, first, anyOwner, before, sent.status);
  t.program.out.ports[outPort].busy = false;
  return sent;
}

} // namespace sluice
