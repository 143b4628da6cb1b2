//===- Workers.cpp - domains run by workers -------------------------------===//
#include "runtime/exec/run/Workers.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/ending/Running.h"
#include "runtime/exec/shared/KeyShards.h"
#include "runtime/exec/source/Flight.h"
#include "runtime/queue/Team.h"
#include <algorithm>

namespace sluice {

/// Workers that may be replaced at the same time, while they wait in the middle of a batch: as many
/// as domains that may wait, but so many at least (what waits for input is not known before).
static constexpr uint32_t kSpares = 8;
/// Workers beyond the processors for domains that may wait, at most.
static constexpr uint32_t kMostWaiting = 64;

static bool needsQueues(const Program &p) {
  auto sources = std::count_if(p.queues.domains.list.begin(), p.queues.domains.list.end(),
                               [](auto &domain) { return domain->source != ~0u; });
  return !p.options.deterministic && p.queues.domains.valid &&
         (p.queues.domains.tokens > 0 || sources > 1);
}

static queue::SchedulerOptions schedulerOptions(const Program &p) {
  queue::SchedulerOptions options;
  options.cpus = os::usableCpus();
  uint32_t asked = p.options.threads ? p.options.threads : p.desc.threads;
  // A thread that sleeps needs no processor: each domain that may wait brings a worker more.
  uint32_t waiting = std::min(p.queues.domains.waiting, kMostWaiting);
  options.workers = (asked ? asked : options.cpus + waiting) + p.queues.domains.ownThreads;
  options.spares = std::min(std::max(kSpares, waiting), p.queues.domains.tokens);
  for (auto &domain : p.queues.domains.list)
    options.helpers += domain->source != ~0u;
  options.tokens = p.queues.domains.tokens;
  options.budget = int64_t(p.options.memory) << 20;
  return options;
}

/// Finds the output ports that lead to one boundary only, and what may be called plainly.
static void connectPorts(Program &p) {
  for (uint32_t i = 0; i < p.out.ports.size(); ++i) {
    const OutPortDesc &desc = p.desc.outPorts[i];
    InPort *in =
        desc.segmentCount == 1 ? p.queues.domains.inPorts[desc.consumers[0]].get() : nullptr;
    if (!in || in->loop || in->drops || p.desc.inPorts[in->id].holds ||
        !p.table.instances.partitioners[i].empty())
      continue;
    p.out.ports[i].only = in;
    p.out.ports[i].plain = in->port.sole && in->inPlaceOutput && in->code.rows &&
                           p.table.instances.ofOperator[desc.op] == in->domain.replica;
  }
  for (PortState &port : p.out.ports) {
    if (!port.only || !port.only->inPlaceOutput)
      continue;
    const PortState &onward = p.out.ports[port.only->inPlaceOutput - 1];
    if (!onward.only)
      continue;
    port.onward = {onward.only, &onward.only->domain};
    if (onward.plain)
      port.only->next = onward.only;
  }
}

static void makeReorderWindows(Program &p, const queue::SchedulerOptions &options) {
  for (auto &domain : p.queues.domains.list)
    if (domain->isWide()) {
      domain->ownReorder = std::make_unique<queue::ReorderWindow<RealSys>>(
          kWidest, std::min<int64_t>(options.budget / 16, 1 << 20),
          domain->byKey ? shardsFor(options.workers) : 0);
      domain->reorder = domain->ownReorder.get();
    }
}

void setUpQueues(Program &p) {
  for (auto &in : p.queues.domains.inPorts)
    if (in)
      in->domain.replica = &p.table.instances.ofIn(in->id);
  if (!needsQueues(p))
    return;
  p.queues.client = std::make_unique<QueueClient>();
  queue::SchedulerOptions options = schedulerOptions(p);
  if (p.queues.domains.tokens) {
    p.threads.team = queue::makeTeam();
    uint32_t threads = p.threads.team->open(options.workers + options.spares);
    options.workers = std::min(options.workers, threads); // OMP_THREAD_LIMIT may leave fewer
    options.spares = threads - options.workers;
  }
  p.queues.scheduler = std::make_unique<Scheduler>(options, *p.queues.client);
  for (auto &in : p.queues.domains.inPorts)
    if (in && in->domain.ownThread && !in->loop)
      p.queues.keepers.push_back(in.get());
  connectPorts(p);
  makeReorderWindows(p, p.queues.scheduler->options);
}

void startWorkers(Program &p) {
  if (!p.threads.team)
    return;
  for (uint32_t i = 0; i < p.queues.scheduler->threads(); ++i)
    p.threads.workers.push_back(std::make_unique<Thread>(p));
  p.threads.team->run([&p](uint32_t worker) {
    RunsAs self(*p.threads.workers[worker]);
    p.queues.scheduler->work(worker, p.threads.workers[worker].get());
  });
}

void finishWorkers(Program &p) {
  if (!p.threads.team)
    return;
  awaitQuiet(p);
  p.queues.scheduler->finish();
  p.threads.team->join();
}

} // namespace sluice
