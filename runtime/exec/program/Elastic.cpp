//===- Elastic.cpp - domains run by workers ------------------------------===//
#include "runtime/exec/shared/KeyShards.h"

namespace sluice {

//===--- what the queues call --------------------------------------------------===//

static Thread &threadOf(Client::Self &self) { return *static_cast<Thread *>(self.user); }

int32_t Client::run(Self &self, queue::Port<RealSys> &port, queue::Item item) {
  Thread &t = threadOf(self);
  auto *b = static_cast<Batch *>(item);
  auto &in = *static_cast<InPort *>(port.user);
  if (b->pool == DropQueue::kToken)
    return runKept(t, in);
  int32_t result = in.port.token.hasTickets() && in.domain.shards ? runOverShards(t, in, b)
                                                                  : runQueued(t, in, b);
  if (in.port.loop)
    leaveLoop(t, *in.loop);
  // release: pairs with isQuiet(); what this batch pushed was counted before.
  t.ran.store(t.ran.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  return result;
}

//===--- feedback loops --------------------------------------------------------===//

void countQueued(Thread &t, int64_t by) {
  // release: pairs with isQuiet().
  t.queued.store(t.queued.load(std::memory_order_relaxed) + uint64_t(by),
                 std::memory_order_release);
}

void enterLoop(FeedbackLoop &loop) {
  // relaxed: the batch that this thread runs, if it is inside, is still counted.
  loop.inside.fetch_add(1, std::memory_order_relaxed);
}

void leaveLoop(Thread &t, FeedbackLoop &loop) {
  // acq_rel: who finds nothing inside has seen every Final counted before.
  if (loop.inside.fetch_sub(1, std::memory_order_acq_rel) != 1 ||
      loop.open.load(std::memory_order_relaxed) ||
      loop.closing.exchange(true, std::memory_order_relaxed))
    return;
  for (InPort *in : loop.inPorts)
    if (in->outside && t.program.finals[in->id] == t.program.desc.inPorts[in->id].producers) {
      enterLoop(loop);
      countQueued(t, 1);
      t.program.scheduler->pushTimer(*t.self, in->port, &in->finalBatch, 0);
    }
}

bool holdsFinal(Program &p, uint32_t inPort) {
  InPort *in = p.scheduler ? p.domains.inPorts[inPort].get() : nullptr;
  if (!in || !in->loop || !in->outside || in->loop->closing.load(std::memory_order_relaxed))
    return false;
  // relaxed: leaveLoop() by this thread or a later one follows.
  if (++p.finals[inPort] == in->outside)
    in->loop->open.fetch_sub(1, std::memory_order_relaxed);
  return true;
}

bool isHeldFinal(Program &p, uint32_t inPort) {
  InPort *in = p.scheduler ? p.domains.inPorts[inPort].get() : nullptr;
  if (!in || !in->loop || !in->outside || in->closed ||
      p.finals[inPort] != p.desc.inPorts[inPort].producers)
    return false;
  return in->closed = true;
}

void Client::beginWait(Self &self) { threadOf(self).counters.beginWait(); }

void Client::endWait(Self &self, queue::Port<RealSys> &port, uint64_t nanos) {
  Thread &t = threadOf(self);
  t.counters.endWait();
  t.counters.blocked.add(nanos);
  t.counters.in[static_cast<InPort *>(port.user)->id].blocked.add(nanos);
}

/// Workers that wait in the middle of a batch and are replaced, at once.
static constexpr uint32_t kSpares = 8;

//===--- set-up ----------------------------------------------------------------===//

void setUpQueues(Program &p) {
  bool several = p.domains.tokens > 0;
  unsigned sources = 0;
  for (auto &domain : p.domains.list)
    sources += domain->source != ~0u;
  if (p.options.deterministic || !p.domains.valid || !(several || sources > 1))
    return;
  queue::Options options;
  options.cpus = os::usableCpus();
  uint32_t asked = p.options.threads ? p.options.threads : p.desc.threads;
  options.workers = (asked ? asked : options.cpus) + p.domains.ownThreads;
  options.spares = std::min(kSpares, p.domains.tokens);
  options.helpers = sources;
  options.tokens = p.domains.tokens;
  options.budget = int64_t(p.options.memory) << 20;
  p.scheduler = std::make_unique<Scheduler>(options, p.client);
  for (auto &in : p.domains.inPorts)
    if (in) {
      in->domain.replica = &p.instances.ofIn(in->id);
      if (in->domain.ownThread && !in->loop)
        p.keepers.push_back(in.get());
    }
  for (uint32_t i = 0; i < p.ports.size(); ++i) {
    const OutPortDesc &port = p.desc.outPorts[i];
    InPort *in = port.segmentCount == 1 ? p.domains.inPorts[port.consumers[0]].get() : nullptr;
    if (in && !in->loop && !in->drops && p.instances.partitioners[i].empty())
      p.ports[i].only = in;
    if (PortState &state = p.ports[i]; state.only)
      state.plain = in->port.sole && in->inPlaceOutput && in->code.rows &&
                    p.instances.ofOperator[port.op] == in->domain.replica;
  }
  for (PortState &port : p.ports)
    if (port.only && port.only->inPlaceOutput)
      if (const PortState &onward = p.ports[port.only->inPlaceOutput - 1]; onward.only) {
        port.onward = {onward.only, &onward.only->domain};
        if (onward.plain)
          port.only->next = onward.only;
      }
  for (auto &domain : p.domains.list)
    if (domain->isWide()) {
      domain->ownReorder = std::make_unique<queue::ReorderWindow<RealSys>>(
          kWidest, std::min<int64_t>(options.budget / 16, 1 << 20),
          domain->byKey ? shardsFor(options.workers) : 0);
      domain->reorder = domain->ownReorder.get();
    }
}

void startWorkers(Program &p, queue::ThreadTeam &team) {
  if (!p.scheduler || !p.domains.tokens)
    return;
  for (uint32_t i = 0; i < p.scheduler->threads(); ++i)
    p.workers.push_back(std::make_unique<Thread>(p));
  team.start(p.scheduler->threads(), kStackBytes,
             [&p](uint32_t worker) { p.scheduler->work(worker, p.workers[worker].get()); });
}

/// Once no source runs only a batch can bring forth a batch. Those that have run
/// are counted first: if no more were queued by then, none was on its way.
static bool isQuiet(const Program &p) {
  uint64_t ran = 0, queued = 0;
  auto sum = [&p](auto add) {
    for (auto &t : p.workers)
      add(*t);
    for (auto &s : p.sources)
      add(*s);
  };
  sum([&](const Thread &t) { ran += t.ran.load(std::memory_order_acquire); });
  sum([&](const Thread &t) { queued += t.queued.load(std::memory_order_acquire); });
  return ran == queued;
}

void finishWorkers(Program &p, queue::ThreadTeam &team) {
  if (p.workers.empty())
    return;
  os::Event never;
  for (int64_t nanos = 20'000; !isQuiet(p); nanos = std::min<int64_t>(nanos * 2, 1'000'000))
    never.sleep(nanos);
  p.scheduler->finish();
  team.join();
}

} // namespace sluice
