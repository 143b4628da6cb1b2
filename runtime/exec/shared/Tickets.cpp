//===- Tickets.cpp - several workers inside one domain ----------------------===//
//
// A domain with a reorder window may be run by several threads at once, each with a ticket for
// one batch of its input. Such a run has output ports, a heap and scratch memory of its own. What
// leaves the domain waits in the reorder window until the turn of the ticket has come; what stays
// inside is run at once. A failure, whose order others could see, waits for the turn, which then
// stays with the run to its end. Batches with final punctuation run alone.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/shared/Tickets.h"
#include "runtime/exec/batch/Batches.h"
#include "runtime/exec/dispatch/Failure.h"
#include "runtime/exec/dispatch/Forward.h"
#include "runtime/exec/dispatch/Give.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/shared/KeyRuns.h"
#include "runtime/exec/state/Tickets.h"
#include <algorithm>
#include <memory>

namespace sluice {

Visit::Visit(Thread &t, Run &run, const Domain &domain)
    : t(t), heap(t.ctx.heap), ports(t.ports), outer(t.run) {
  if (t.ownPorts.empty()) {
    t.ownPorts.resize(t.program.outPorts.size());
    t.ownHeap = heapCreate();
  }
  t.run = &run;
  t.ctx.heap = t.ownHeap;
  usePorts(t, t.ownPorts.data());
  for (uint32_t port : domain.outPorts)
    if (!t.ports[port].batch && !t.program.ports[port].inPlace)
      setBatch(t.ports, port, takeBatch(t, port));
}

// relaxed: as Domain::failed says.
static bool hasFailed(const Run &run) {
  return inPortOf(run).domain.failed.load(std::memory_order_relaxed);
}
static void setFailed(const Run &run) {
  inPortOf(run).domain.failed.store(true, std::memory_order_relaxed);
}

/// Others see when a port ends, so a batch with final punctuation runs alone. Where state is
/// sharded all punctuation does: it belongs to the whole domain, between rows of all shards.
bool mustRunAlone(const queue::Port<RealSys> &port, const Batch &b) {
  if (port.token.reorder->shards)
    return b.punctCount > 0;
  return std::any_of(b.puncts, b.puncts + b.punctCount,
                     [](const Punctuation &p) { return isFinal(p.kind); });
}

/// By who has the turn. After a failure nothing leaves the domain any more.
static Sent sendFrom(Thread &t, const Run &run, uint32_t index, Batch *b) {
  if (hasFailed(run))
    return {-1, BatchFate::Mine};
  Sent sent = sendNow(t, index, b);
  if (sent.status < 0 && t.program.failing)
    setFailed(run);
  return sent;
}

Sent forwardInRun(Thread &t, uint32_t index, Batch *b) {
  if (t.part)
    return forwardInPart(t, index, b);
  Program &p = t.program;
  PortState &port = p.ports[index];
  if (!p.domains.inPorts[port.desc->consumers[0]]) { // it stays inside, see findShared()
    port.counted.addShared(b->rows, b->punctCount);
    return giveToEach(t, index, b);
  }
  if (p.scheduler->pushes(*t.self, *t.run, bytesOf(port, b)))
    return sendFrom(t, *t.run, index, b);
  if (!t.run->outputs)
    t.run->outputs = new Kept;
  static_cast<Kept *>(t.run->outputs)->batches.emplace_back(index, b);
  return {0, BatchFate::Queued};
}

int32_t sendKept(Thread &t, Run &run) {
  std::unique_ptr<Kept> kept(static_cast<Kept *>(run.outputs));
  int32_t result = 0;
  if (!kept)
    kept = std::make_unique<Kept>();
  for (auto [index, b] : kept->batches) {
    Sent sent = sendFrom(t, run, index, b);
    result = std::min(result, sent.status);
    if (sent.isMine())
      giveBack(t, b);
  }
  if (kept->failure && !hasFailed(run)) {
    failNow(t, std::move(*kept->failure));
    setFailed(run);
    result = -1;
  }
  if (run.ended)
    countRan(t);
  return result;
}

} // namespace sluice
