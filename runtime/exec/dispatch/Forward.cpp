//===- Forward.cpp - a port forwards its batch ----------------------------===//
//
// To forward is to run the consumers of a port or to queue the batch for them. A port whose
// consumers are running is `busy`. Nothing is appended to it meanwhile: where a loop leads back to
// the port there is a queue, and no other thread is inside its domain. Whatever way the batch goes
// (a ticket, a chain of calls, several consumers, turns), its fate comes back here, where the port
// gets an empty batch again.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/dispatch/Forward.h"
#include "runtime/exec/dispatch/Call.h"
#include "runtime/exec/dispatch/Chain.h"
#include "runtime/exec/dispatch/Give.h"
#include "runtime/exec/dispatch/Turns.h"
#include "runtime/exec/ending/Still.h"
#include "runtime/exec/state/Source.h"
#include "runtime/exec/state/Tickets.h"
#include <algorithm>
#include <numeric>

namespace sluice {

/// Gives a batch its birth and its receipt; one that is forwarded in place has both. What a source
/// brings is logged, if it has a log. 0, or -1: that has failed.
static __attribute__((noinline)) int32_t stamp(Thread &t, uint32_t index, Batch *b) {
  ++t.counted.forwarded;
  const bool inPlace = t.program.out.ports[index].inPlace;
  if (t.counted.latency && !inPlace)
    b->birth = t.at.birth || t.at.depth ? t.at.birth : CycleClock::now();
  if (t.at.receipt && !inPlace)
    setReceipt(b, t.at.receipt);
  if (auto *s = t.isSource ? static_cast<Source *>(&t) : nullptr; s && s->spool)
    return t.program.above.log(*s, index, b);
  return 0;
}

Sent sendNow(Thread &t, uint32_t index, Batch *b) {
  PortState &port = begin(t, index, b);
  Sent sent = port.desc->backEdge && !t.program.queues.scheduler ? keepOnBackEdge(t, index, b)
                                                                 : giveToEach(t, index, b);
  port.busy = false;
  return sent;
}

static SLUICE_INLINE int32_t forwardNow(Thread &t, uint32_t index) {
  Batch *b = t.at.ports[index].batch;
  if (!b || (!b->rows && !b->punctCount))
    return 0;
  if (t.stamps && stamp(t, index, b) < 0) {
    refill(t, index, b, {}); // it is lost
    return -1;
  }
  Sent sent = t.at.run                          ? t.program.above.inTicket(t, index, b)
              : t.program.out.ports[index].only ? runChain(t, index, b)
                                                : sendNow(t, index, b);
  refill(t, index, b, sent);
  // What waits on back edges runs when the port has its batch again.
  return t.program.queues.scheduler ? sent.status : std::min(sent.status, drainLoops(t));
}

int32_t forward(Thread &t, uint32_t index) { return forwardNow(t, index); } // out of line

namespace {
/// What forwarding several ports once came to.
struct Round {
  bool any = false; // one of them held something
  int32_t status = 0;
};
} // namespace

/// Forwards those of the ports that hold something. What one port forwards may fill another, in any
/// order of ids, so the callers repeat this until there is none.
template <typename Ports> static Round forwardPending(Thread &t, const Ports &ports) {
  Program &p = t.program;
  Round round;
  for (uint32_t i : ports) {
    const Batch *b = t.at.ports[i].batch;
    if (!b || p.out.ports[i].inPlace || (!b->rows && !b->punctCount))
      continue; // in place: the segment that fills it has not ended
    if (!t.at.run && p.out.ports[i].busy)
      continue; // with a ticket such a port has no batch (forwardInRun)
    round.any = true;
    if (forward(t, i) < 0)
      round.status = -1;
  }
  return round;
}

/// One round over all that the thread has begun.
static Round forwardBegun(Thread &t) {
  Round all;
  auto forwardFrom = [&](const std::vector<uint32_t> &ports) {
    Round round = forwardPending(t, ports);
    all = {all.any || round.any, std::min(all.status, round.status)};
  };
  if (t.at.run) // what it enters downstream has a place of its own
    forwardFrom(inPortOf(*t.at.run).domain.outPorts);
  for (size_t i = t.at.began.domains; i < t.entered.domains.size(); ++i)
    forwardFrom(t.entered.domains[i]->outPorts);
  for (uint32_t i = t.at.began.links; i < t.entered.linked; ++i)
    t.entered.links[i].each([&](InPort &in) { forwardFrom(in.domain.outPorts); });
  return all;
}

int32_t forwardAll(Thread &t) {
  if (t.at.part)
    return 0; // what the part has put out waits for the end of its ticket
  std::vector<uint32_t> all;
  if (!t.program.queues.scheduler) {
    all.resize(t.program.out.ports.size());
    std::iota(all.begin(), all.end(), 0);
  }
  int32_t result = 0;
  for (Round round = {true, 0}; round.any;) {
    round = t.program.queues.scheduler ? forwardBegun(t) : forwardPending(t, all);
    result = std::min(result, round.status);
  }
  return result;
}

} // namespace sluice

using namespace sluice;

//===--- ABI ------------------------------------------------------------------===//

extern "C" int32_t sl_forward(Ctx *ctx, uint32_t index) {
  Thread &t = *ctx->thread;
  if (__builtin_expect(t.trouble.still.load(std::memory_order_relaxed), 0)) // a hint
    stayIfEnded();
  uint32_t rows = ctx->ports[index].batch->rows;
  index += ctx->replica->out;
  int32_t result = forwardNow(t, index);
  return t.isSource && !t.at.depth ? t.program.above.atTop(static_cast<Source &>(t), index, rows)
                                   : result;
}

extern "C" int32_t sl_port_punct(Ctx *ctx, uint32_t index, uint32_t kind, int64_t time) {
  bool closes = isFinal(PunctuationKind(kind));
  Program &p = *ctx->program;
  if (closes && p.end.failing)
    return 0;
  Batch *b = ctx->ports[index].batch;
  addPunct(b, {b->rows, PunctuationKind(kind), time});
  uint32_t port = index + ctx->replica->out;
  if (p.out.ports[port].inPlace)
    return 0; // it is forwarded when the segment has ended
  if (p.out.ports[port].limit > 1 && p.desc.outPorts[port].ordered == OrderKind::None &&
      b->punctCount < kBatchRows)
    return 0;
  return sl_forward(ctx, index);
}
