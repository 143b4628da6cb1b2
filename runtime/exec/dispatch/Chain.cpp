//===- Chain.cpp - a batch runs through called ports ----------------------===//
//
// A segment that hands its batch on in place leaves that to who called it. The next one is
// called from here: a chain of any length needs no stack, and every return goes where the
// processor expects it. The tokens stay owned and the domains entered as
// if the calls were inside of each other.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/dispatch/Segments.h"
#include <algorithm>

namespace sluice {

//===--- what the queues call ----------------------------------------------------===//
// Here, so that a call through a boundary becomes one function.

__attribute__((always_inline)) Client::Saved Client::enter(Self &self,
                                                           queue::OwnershipToken<RealSys> &token) {
  Thread &t = *static_cast<Thread *>(self.user);
  auto *domain = static_cast<Domain *>(&token);
  t.self = &self;
  t.domains.push_back(domain);
  Saved outer = {t.ctx.heap, t.ports, t.run};
  t.ctx.heap = &domain->heap;
  t.run = nullptr;
  usePorts(t, t.program.outPorts.data());
  return outer;
}

__attribute__((always_inline)) void Client::leave(Self &self, queue::OwnershipToken<RealSys> &,
                                                  Saved saved) {
  Thread &t = *static_cast<Thread *>(self.user);
  t.domains.pop_back();
  t.ctx.heap = saved.heap;
  t.run = saved.run;
  usePorts(t, saved.ports);
}

int32_t Client::runInline(Self &self, queue::Port<RealSys> &port, queue::Item item) {
  auto &in = *static_cast<InPort *>(port.user);
  Thread &t = *static_cast<Thread *>(self.user);
  countQueued(t, -1); // it does not wait (Flight.cpp); who pushed takes back that it might have to
  int32_t result = runMoving(t, in, static_cast<Batch *>(item), in.runs());
  countQueued(t, 1);
  return result;
}

//===--- the chain --------------------------------------------------------------===//

/// What a plain call touches.
static SLUICE_INLINE void prefetchPlain(const InPort &in) {
  __builtin_prefetch(&in.code, 1);
  in.port.prefetchPush();
}

/// What the forward after this one will touch.
static SLUICE_INLINE void prefetch(const PortState &port, const PortState &next) {
  __builtin_prefetch(&next, 1);
  if (!port.onward.only)
    return;
  prefetchPlain(*port.onward.only);
  __builtin_prefetch(port.onward.domain, 1);
}

/// The port is called, and the batch runs now. `owner`: by who has won its token. `status`: of what
/// was before the batch.
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
  Client::Saved saved; // those of the whole chain are kept
  owner = true;
  return t.program.scheduler->win(*t.self, in.port, saved, status);
}

/// Calls the segment. True: its output port has a batch to forward.
static SLUICE_INLINE bool callLink(Thread &t, InPort &in, Batch *b, int32_t &result) {
  if (takesNoMore(t, in)) {
    if (in.inPlaceOutput)
      giveBack(t, b);
    return false;
  }
  uint32_t rows = b->rows;
  if (!in.inPlaceOutput ||
      !t.counters.pass(in.id, in.calls,
                       rows)) { // the last, or one whose time is taken with all it calls
    Left left;
    result =
        callSegment(t, in.id, in.inPlaceOutput, *domainOf(in).replica, in.code, b, in.runs(), left);
    return false;
  }
  if (const Replica *replica = domainOf(in).replica; t.ctx.replica != replica)
    Inside::enter(t, *replica);
  t.ctx.failedRow = rows; // no row yet
  bool forwards = fillAnew(t, in.code, b, in.inPlaceOutput - 1, result);
  if (!forwards)
    dropRest(t, in.inPlaceOutput - 1);
  if (result < 0)
    in.calls.rows.add(uint64_t(t.ctx.failedRow) - rows); // those before the one that failed
  return forwards;
}

/// The port, to which one thread pushes, is called, and the thread is alone with it.
static SLUICE_INLINE bool isPlain(Program &p, InPort &in) {
  return in.port.mode.load(std::memory_order_relaxed) == queue::Mode::Direct &&
         Scheduler::isAloneAtSole(in.port) && !p.failing.load(std::memory_order_relaxed);
}

/// Calls segments one after the other as long as there is nothing to do but that: enter() and
/// callLink() for ports that the thread is alone with, where only rows are forwarded, nothing is
/// timed and nothing has failed. Of output ports only the last is touched. True: output port
/// `index` has a batch to forward.
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
  for (uint32_t rows = t.ctx.failedRow = b->rows;;) { // failedRow: no row yet
    link.last = in;
    in->calls.batches.add(1);
    in->plain.add(rows);
    t.ctx.heap = &domainOf(*in).heap; // nothing else of its domain is needed
    InPort *next = in->next;
    prefetchPlain(*next);
    __atomic_store_n(&b->rows, 0, __ATOMIC_RELAXED); // the timer may still look at it
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

/// The segments that were called return, the last first. `led`: by which port the last one was
/// reached, `outPort`: the first; `b` is the batch of one that does not move it. Of each other only
/// the token is touched, if it was won: a long chain is out of the nearest cache by now.
static SLUICE_INLINE void leaveLinks(Thread &t, uint32_t first, uint32_t outPort, uint32_t led,
                                     Batch *b, bool owner, const Client::Saved &before,
                                     int32_t result) {
  Program &p = t.program;
  const bool inPlaceOutput = t.links[t.linked - 1].last->inPlaceOutput;
  if (led != outPort) // while what is behind it is still entered
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
  const ThreadCounters::Here place = t.counters.here();
  const Replica *replica = t.ctx.replica;
  const Client::Saved before = {t.ctx.heap, t.ports, t.run};
  ++t.depth;
  int32_t result = 0;
  uint32_t led = outPort;
  bool anyOwner = false;
  for (uint32_t index = outPort;;) {
    PortState &port = begin(t, index, b);
    InPort *in = port.only;
    bool owner;
    if (!in || !enter(t, *in, owner, result)) { // it may have run what is before the batch
      result = std::min(result, sendAway(t, index, b));
      port.busy = false;
      break;
    }
    anyOwner |= owner;
    if (t.linked == t.links.size())
      abort(); // a port was entered twice
    t.links[t.linked++] = {in, in, owner};
    if (index != outPort) { // in place: it is through with the batch
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
