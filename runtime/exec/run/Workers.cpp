//===- Elastic.cpp - domains run by workers -------------------------------===//
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
  auto sources = std::count_if(p.domains.list.begin(), p.domains.list.end(),
                               [](auto &domain) { return domain->source != ~0u; });
  return !p.options.deterministic && p.domains.valid && (p.domains.tokens > 0 || sources > 1);
}

static queue::SchedulerOptions schedulerOptions(const Program &p) {
  queue::SchedulerOptions options;
  options.cpus = os::usableCpus();
  uint32_t asked = p.options.threads ? p.options.threads : p.desc.threads;
  // A thread that sleeps needs no processor: each domain that may wait brings a worker more.
  uint32_t waiting = std::min(p.domains.waiting, kMostWaiting);
  options.workers = (asked ? asked : options.cpus + waiting) + p.domains.ownThreads;
  options.spares = std::min(std::max(kSpares, waiting), p.domains.tokens);
  for (auto &domain : p.domains.list)
    options.helpers += domain->source != ~0u;
  options.tokens = p.domains.tokens;
  options.budget = int64_t(p.options.memory) << 20;
  return options;
}

/// Finds the output ports that lead to one boundary only, and what may be called plainly.
static void connectPorts(Program &p) {
  for (uint32_t i = 0; i < p.ports.size(); ++i) {
    const OutPortDesc &desc = p.desc.outPorts[i];
    InPort *in = desc.segmentCount == 1 ? p.domains.inPorts[desc.consumers[0]].get() : nullptr;
    if (!in || in->loop || in->drops || p.desc.inPorts[in->id].holds ||
        !p.instances.partitioners[i].empty())
      continue;
    p.ports[i].only = in;
    p.ports[i].plain = in->port.sole && in->inPlaceOutput && in->code.rows &&
                       p.instances.ofOperator[desc.op] == in->domain.replica;
  }
  for (PortState &port : p.ports) {
    if (!port.only || !port.only->inPlaceOutput)
      continue;
    const PortState &onward = p.ports[port.only->inPlaceOutput - 1];
    if (!onward.only)
      continue;
    port.onward = {onward.only, &onward.only->domain};
    if (onward.plain)
      port.only->next = onward.only;
  }
}

static void makeReorderWindows(Program &p, const queue::SchedulerOptions &options) {
  for (auto &domain : p.domains.list)
    if (domain->isWide()) {
      domain->ownReorder = std::make_unique<queue::ReorderWindow<RealSys>>(
          kWidest, std::min<int64_t>(options.budget / 16, 1 << 20),
          domain->byKey ? shardsFor(options.workers) : 0);
      domain->reorder = domain->ownReorder.get();
    }
}

void setUpQueues(Program &p) {
  for (auto &in : p.domains.inPorts)
    if (in)
      in->domain.replica = &p.instances.ofIn(in->id);
  if (!needsQueues(p))
    return;
  p.client = std::make_unique<QueueClient>();
  queue::SchedulerOptions options = schedulerOptions(p);
  if (p.domains.tokens) {
    p.team = queue::makeTeam();
    uint32_t threads = p.team->open(options.workers + options.spares);
    options.workers = std::min(options.workers, threads); // OMP_THREAD_LIMIT may leave fewer
    options.spares = threads - options.workers;
  }
  p.scheduler = std::make_unique<Scheduler>(options, *p.client);
  for (auto &in : p.domains.inPorts)
    if (in && in->domain.ownThread && !in->loop)
      p.keepers.push_back(in.get());
  connectPorts(p);
  makeReorderWindows(p, p.scheduler->options);
}

void startWorkers(Program &p) {
  if (!p.team)
    return;
  for (uint32_t i = 0; i < p.scheduler->threads(); ++i)
    p.workers.push_back(std::make_unique<Thread>(p));
  p.team->run([&p](uint32_t worker) {
    RunsAs self(*p.workers[worker]);
    p.scheduler->work(worker, p.workers[worker].get());
  });
}

void finishWorkers(Program &p) {
  if (!p.team)
    return;
  awaitQuiet(p);
  p.scheduler->finish();
  p.team->join();
}

} // namespace sluice
