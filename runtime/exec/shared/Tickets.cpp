//===- Tickets.cpp - several workers inside one domain ----------------------===//
//
// A domain with a window may be run by several threads at once, each with a ticket:
// one batch of its input. Such a run has output ports, a heap and scratch memory of its
// own. What leaves the domain waits in the window until the turn of the ticket has come;
// what stays inside is run at once. Failures, whose order others could see, wait for the
// turn, which then stays with the run to its end; batches with Finals run alone.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/shared/Tickets.h"
#include <algorithm>

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

static bool hasFailed(const Run &run) {
  return inPortOf(run).domain.failed.load(std::memory_order_relaxed);
}
static void setFailed(const Run &run) {
  inPortOf(run).domain.failed.store(true, std::memory_order_relaxed);
}

/// Others see when a port ends, and no thread waits in the middle of a batch until those before it
/// are through. Where state is by key marks are the whole domain's, and stand between rows of all
/// shards.
bool Client::isAlone(queue::Port<RealSys> &port, queue::Item item) {
  auto *b = static_cast<const Batch *>(item);
  if (port.token.reorder->shards)
    return b->punctCount > 0;
  return std::any_of(b->puncts, b->puncts + b->punctCount,
                     [](const Punctuation &m) { return m.kind == PunctuationKind::Final; });
}

/// By who has the turn. After a failure nothing leaves the domain any more.
static int32_t sendFrom(Thread &t, const Run &run, uint32_t index, Batch *b, bool &gone) {
  gone = false;
  if (hasFailed(run))
    return -1;
  int32_t result = sendNow(t, index, b, gone);
  if (result < 0 && t.program.failing)
    setFailed(run);
  return result;
}

int32_t forwardInRun(Thread &t, uint32_t index, Batch *b) {
  if (t.part)
    return forwardInPart(t, index, b);
  Program &p = t.program;
  PortState &port = p.ports[index];
  bool gone = false;
  int32_t result = 0;
  if (!p.domains.inPorts[port.desc->consumers[0]]) { // it stays inside, see findShared()
    port.counted.addShared(b->rows, b->punctCount);
    result = callConsumers(t, index, b, gone);
  } else if (p.scheduler->pushes(*t.self, *t.run, bytesOf(port, b))) {
    result = sendFrom(t, *t.run, index, b, gone);
  } else {
    if (!t.run->outputs)
      t.run->outputs = new Kept;
    static_cast<Kept *>(t.run->outputs)->batches.emplace_back(index, b);
    gone = true;
  }
  refill(t, index, b, gone);
  return result;
}

int32_t Client::handOut(Self &self, Run &run) {
  auto &t = *static_cast<Thread *>(self.user);
  std::unique_ptr<Kept> kept(static_cast<Kept *>(run.outputs));
  int32_t result = 0;
  if (!kept)
    kept = std::make_unique<Kept>();
  for (auto [index, b] : kept->batches) {
    bool gone;
    result = std::min(result, sendFrom(t, run, index, b, gone));
    if (!gone)
      giveBack(t, b);
  }
  if (kept->failure && !hasFailed(run)) {
    failNow(t, std::move(*kept->failure));
    setFailed(run);
    result = -1;
  }
  // release: pairs with isQuiet(); what this batch pushed was counted before.
  if (run.ended)
    t.ran.store(t.ran.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  return result;
}

int32_t Client::runTicket(Self &self, Run &run, queue::Item item) {
  auto &t = *static_cast<Thread *>(self.user);
  auto *b = static_cast<Batch *>(item);
  InPort &in = inPortOf(run);
  t.self = &self;
  Visit visit(t, run, in.domain);
  return runQueued(t, in, b);
}

bool takeTurn(Thread &t) {
  if (!t.run)
    return true;
  t.program.scheduler->takeTurn(*t.self, *t.run);
  return !hasFailed(*t.run);
}

void setWidth(Program &p, queue::Self<RealSys> &self, InPort &in, uint32_t width) {
  if (in.domain.reorder)
    p.scheduler->setWidth(self, in.port, width);
}

} // namespace sluice
