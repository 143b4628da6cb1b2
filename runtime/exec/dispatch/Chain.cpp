//===- Chain.cpp - a batch runs through called ports ----------------------===//
//
// A segment that forwards in place leaves that to its caller. So all segments of a chain are called
// from here, one after the other: a chain of any length needs no stack, and each return goes where
// the processor expects it. Tokens stay owned and domains entered until the chain ends, as if the
// calls were nested.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/dispatch/Chain.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/dispatch/Segments.h"
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

/// Enters the domain of a port, if its mode is direct and the batch can run now. Sets `owner` if
/// the thread has won the token for that. `status`: the result of what ran before the batch.
static SLUICE_INLINE bool enter(Thread &t, InPort &in, bool &owner, int32_t &status) {
  if (in.port.mode.load(std::memory_order_relaxed) != queue::Mode::Direct)
    return false;
  if (Scheduler::isAlone(in.port)) {
    owner = false;
    t.ctx.heap = &domainOf(in).heap;
    t.run = nullptr;
    usePorts(t, t.program.outPorts.data());
    return true;
  }
  QueueClient::Saved saved; // not needed: runChain() keeps what the whole chain returns to
  owner = true;
  return t.program.scheduler->win(*t.self, in.port, saved, status);
}

/// Calls the segment of a port. True: its output port has a batch to forward.
static SLUICE_INLINE bool callLink(Thread &t, InPort &in, Batch *b, int32_t &result) {
  if (takesNoMore(t, in)) {
    if (in.inPlaceOutput)
      giveBack(t, b);
    return false;
  }
  uint32_t rows = b->rows;
  if (!in.inPlaceOutput || !t.counters.pass(in.id, in.calls, rows)) {
    // It ends the chain, or it is to be timed together with all that it calls.
    Left left;
    result =
        callSegment(t, in.id, in.inPlaceOutput, *domainOf(in).replica, in.code, b, in.runs(), left);
    return false;
  }
  if (const Replica *replica = domainOf(in).replica; t.ctx.replica != replica)
    Inside::enter(t, *replica);
  Marks::begin(t, b);
  t.ctx.failedRow = rows; // no row yet
  t.ctx.clock = 0;        // others may have been inside the domain
  bool forwards = fillAnew(t, in.code, b, in.inPlaceOutput - 1, result);
  if (!forwards)
    dropRest(t, in.inPlaceOutput - 1);
  if (result < 0)
    in.calls.rows.add(uint64_t(t.ctx.failedRow) - rows); // those before the one that failed
  return forwards;
}

/// True if a port to which only one thread pushes can be called plainly: its mode is direct, and
/// the thread is alone with it. relaxed: the mode is a hint (Port::setMode), and so is a failure.
static SLUICE_INLINE bool isPlain(Program &p, InPort &in) {
  return in.port.mode.load(std::memory_order_relaxed) == queue::Mode::Direct &&
         Scheduler::isAloneAtSole(in.port) && !p.failing.load(std::memory_order_relaxed);
}

/// Plain calls: calls segments one after the other as long as there is nothing else to do. The
/// thread is alone with each port, the batch has no punctuation, nothing is timed and nothing has
/// failed; then this does the same as enter() and callLink(). Of the output ports only the last is
/// touched. Sets `index` to that; true: it has a batch to forward.
static SLUICE_INLINE bool callPlain(Thread &t, uint32_t &index, int32_t &result) {
  const PortState &port = t.program.ports[index];
  Batch *const b = t.ports[index].batch;
  if (!port.plain || b->punctCount || t.latency || !t.counters.passesAll() ||
      t.linked == t.links.size() || !isPlain(t.program, *port.only))
    return true;
  Link &link = t.links[t.linked++] = {port.only, port.only, false};
  setBatch(t.ports, index, nullptr);
  t.inHand = b;
  bool whole;
  InPort *in = port.only;
  t.atMarks = 0;
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
    setBatch(t.ports, index, b);
  else if (t.inHand)
    giveBack(t, b);
  else // sl_unwind() has forwarded what was made before
    dropRest(t, index);
  t.inHand = nullptr;
  return whole;
}

/// Leaves the ports of the chain from the last one back to link `first`. `outPort` is the output
/// port that began the chain, `led` the one that led to its last segment; `b` is the batch of that
/// segment, unless it forwards in place. Of all other ports only the token is touched, if it was
/// won: a long chain is out of the nearest cache by now.
static SLUICE_INLINE void leaveLinks(Thread &t, uint32_t first, uint32_t outPort, uint32_t led,
                                     Batch *b, bool owner, const QueueClient::Saved &before,
                                     int32_t result) {
  Program &p = t.program;
  const bool inPlaceOutput = t.links[t.linked - 1].last->inPlaceOutput;
  if (led != outPort) // before its domain is left
    refill(t, led, b, inPlaceOutput);
  for (uint32_t i = t.linked; (owner || result < 0) && i-- > first;) {
    const Link &link = t.links[i];
    if (result < 0)
      link.each([&](InPort &in) { noteFailure(t, in, result); });
    if (link.owner)
      p.scheduler->leave(*t.self, link.in->port.token, before, queue::Entered::Owner);
  }
  refill(t, outPort, b, t.linked > first + 1 || inPlaceOutput);
  t.linked = first;
  p.ports[outPort].busy = false;
}

int32_t runChain(Thread &t, uint32_t outPort, Batch *b) {
  Program &p = t.program;
  const uint32_t first = t.linked;
  const uint32_t failedRow = t.ctx.failedRow;
  const Marks marks(t);
  const ThreadCounters::Here place = t.counters.here();
  const Replica *replica = t.ctx.replica;
  const QueueClient::Saved before = {t.ctx.heap, t.ports, t.run};
  ++t.depth;
  int32_t result = 0;
  uint32_t led = outPort;
  bool anyOwner = false;
  for (uint32_t index = outPort;;) {
    PortState &port = begin(t, index, b);
    InPort *in = port.only;
    bool owner;
    if (!in || !enter(t, *in, owner, result)) {
      result = std::min(result, sendAway(t, index, b));
      port.busy = false;
      break;
    }
    anyOwner |= owner;
    if (t.linked == t.links.size())
      abort(); // a port was entered twice
    t.links[t.linked++] = {in, in, owner};
    if (index != outPort) { // it has forwarded the batch in place
      setBatch(t.ports, index, nullptr);
      port.busy = false;
    }
    led = index;
    if (in->inPlaceOutput)
      prefetch(port, p.ports[in->inPlaceOutput - 1]);
    int32_t status = 0;
    bool forwards = callLink(t, *in, b, status);
    if (forwards) {
      index = in->inPlaceOutput - 1;
      forwards = callPlain(t, index, status);
    }
    result = std::min(result, status);
    if (!forwards)
      break;
    b = t.ports[index].batch;
  }
  --t.depth;
  t.counters.back(place);
  t.ctx.failedRow = failedRow;
  if (t.ctx.replica != replica)
    Inside::enter(t, *replica);
  t.ctx.heap = before.heap;
  t.run = before.run;
  usePorts(t, before.ports);
  if (t.linked > first)
    leaveLinks(t, first, outPort, led, b, anyOwner, before, result);
  return result;
}

} // namespace sluice
