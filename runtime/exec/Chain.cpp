//===- Chain.cpp - a batch runs through called ports ----------------------===//
//
// A segment that hands its batch on in place leaves that to who called it. The next one is
// called from here: a chain of any length needs no stack, and every return goes where the
// processor expects it. The words stay owned and the domains entered as
// if the calls were inside of each other.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/Segments.h"
#include <algorithm>

namespace sluice {

//===--- what the queues call ----------------------------------------------------===//
// Here, so that a call through a boundary becomes one function.

__attribute__((always_inline)) Client::Saved Client::enter(Self &self, queue::Word<RealSys> &word) {
  Thread &t = *static_cast<Thread *>(self.user);
  auto *domain = static_cast<Domain *>(word.user);
  t.self = &self;
  t.domains.push_back(domain);
  Saved outer = {t.ctx.heap, t.ports, t.run};
  t.ctx.heap = domain->heap;
  t.run = nullptr;
  usePorts(t, t.program.outPorts.data());
  return outer;
}

__attribute__((always_inline)) void Client::leave(Self &self, queue::Word<RealSys> &, Saved saved) {
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
  int32_t result = runMoving(t, in, static_cast<Batch *>(item), in.calls);
  countQueued(t, 1);
  return result;
}

//===--- the chain --------------------------------------------------------------===//

/// What the hand-on after this one will touch.
static SLUICE_INLINE void prefetch(const PortState &port, const PortState &next) {
  __builtin_prefetch(&next, 1);
  if (InPort *in = port.onward.only) {
    __builtin_prefetch(&in->code, 1);
    in->port.prefetchPush();
    __builtin_prefetch(port.onward.domain, 1);
  }
}

/// Calls the segment. True: its output port has a batch to hand on.
static SLUICE_INLINE bool callLink(Thread &t, InPort &in, Batch *b, int32_t &result) {
  if (takesNoMore(t, in)) {
    if (in.moves)
      giveBack(t, b);
    return false;
  }
  uint32_t rows = b->rows;
  if (!in.moves || !t.counters.pass(in.id, in.calls, rows)) { // the last, or one whose time is taken with all it calls
    Left left;
    result = callSegment(t, in.id, in.moves, *domainOf(in).replica, in.code, b, in.calls, left);
    return false;
  }
  if (const Replica *replica = domainOf(in).replica; t.ctx.replica != replica)
    Inside::enter(t, *replica);
  t.ctx.failedRow = rows; // no row yet
  bool handsOn = fillAnew(t, in.code, b, in.moves - 1, result);
  if (!handsOn)
    dropRest(t, in.moves - 1);
  if (result < 0)
    in.calls.rows.add(uint64_t(t.ctx.failedRow) - rows); // those before the one that failed
  return handsOn;
}

/// The segments that were called return, the last first. `led`: by which port the last one was reached, `outPort`: the
/// first; `b` is the batch of one that does not move it, and `saved` what was before the first. Of each other only the word
/// is touched: a long chain is out of the nearest cache by now.
static SLUICE_INLINE void leaveLinks(Thread &t, size_t first, uint32_t outPort, uint32_t led, Batch *b,
                                     const Client::Saved &saved, int32_t result) {
  Program &p = t.program;
  if (t.links.size() == first)
    return;
  const bool moved = t.links.size() > first + 1 || t.links.back().in->moves;
  while (t.links.size() > first) {
    Link link = t.links.back();
    t.links.pop_back();
    if (result < 0)
      noteFailure(t, *link.in, result);
    p.scheduler->leave(*t.self, *link.word, saved);
    if (led != outPort) // the last
      refill(t, led, b, link.in->moves);
    led = outPort;
  }
  refill(t, outPort, b, moved);
  p.ports[outPort].busy = false;
}

int32_t runChain(Thread &t, uint32_t outPort, Batch *b) {
  Program &p = t.program;
  const size_t first = t.links.size();
  const uint32_t failedRow = t.ctx.failedRow;
  const ThreadCounters::Here place = t.counters.here();
  const Replica *replica = t.ctx.replica;
  Client::Saved before, saved;
  ++t.depth;
  int32_t result = 0;
  uint32_t led = outPort;
  for (uint32_t index = outPort;;) {
    PortState &port = begin(t, index, b);
    InPort *in = port.only;
    if (!in || !p.scheduler->enter(*t.self, in->port, saved, result)) { // it may have run what is before the batch
      result = std::min(result, sendAway(t, index, b));
      port.busy = false;
      break;
    }
    if (t.links.size() == first)
      before = saved;
    t.links.push_back({in, &in->port.word});
    if (index != outPort) { // in place: it is through with the batch
      setBatch(t.ports, index, nullptr);
      port.busy = false;
    }
    led = index;
    if (in->moves)
      prefetch(port, p.ports[in->moves - 1]);
    int32_t status = 0;
    bool handsOn = callLink(t, *in, b, status);
    result = std::min(result, status);
    if (!handsOn)
      break;
    index = in->moves - 1;
    b = t.ports[index].batch;
  }
  --t.depth;
  t.counters.back(place);
  t.ctx.failedRow = failedRow;
  if (t.ctx.replica != replica)
    Inside::enter(t, *replica);
  leaveLinks(t, first, outPort, led, b, before, result);
  return result;
}

} // namespace sluice
