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

void enterTicket(Thread &t, Run &run, const Domain &domain) {
  if (t.reserve.ports.empty()) {
    t.reserve.ports.resize(t.program.out.filled.size());
    t.reserve.heap = heapCreate();
  }
  Place{t.reserve.heap, t.reserve.ports.data(), &run}.restore(t);
  for (uint32_t port : domain.outPorts)
    if (!t.at.ports[port].batch && !t.program.out.ports[port].inPlace)
      setBatch(t.at.ports, port, takeBatch(t, port));
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
  if (sent.status < 0 && t.program.end.failing)
    setFailed(run);
  return sent;
}

/// forwardInRun() for a batch that the port does not hold meanwhile.
static Sent forwardWhole(Thread &t, uint32_t index, Batch *b) {
  Program &p = t.program;
  PortState &port = p.out.ports[index];
  if (!p.queues.domains.inPorts[port.desc->consumers[0]]) { // it stays inside, see findShared()
    port.counted.addShared(b->rows, b->punctCount);
    return giveToEach(t, index, b);
  }
  if (p.queues.scheduler->pushes(*t.self, *t.at.run, bytesOf(port, b)))
    return sendFrom(t, *t.at.run, index, b);
  if (!t.at.run->outputs)
    t.at.run->outputs = new Kept;
  static_cast<Kept *>(t.at.run->outputs)->batches.emplace_back(index, b);
  return {0, BatchFate::Queued};
}

Sent forwardInRun(Thread &t, uint32_t index, Batch *b) {
  if (t.at.part)
    return forwardInPart(t, index, b);
  // Other threads with tickets forward the same port, so PortState::busy is not this thread's. A
  // port without a batch is one that forwardAll() leaves alone.
  setBatch(t.at.ports, index, nullptr);
  Sent sent = forwardWhole(t, index, b);
  if (sent.isMine())
    setBatch(t.at.ports, index, b);
  return sent;
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
