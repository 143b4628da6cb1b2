//===- Running.cpp - who runs which operator ------------------------------===//
#include "runtime/exec/stop/Running.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/shared/Tickets.h"
#include "runtime/exec/source/Source.h"
#include "runtime/exec/source/Sources.h"

namespace sluice {

static thread_local Thread *running = nullptr;

RunsAs::RunsAs(Thread &t) : before(running) {
  running = &t;
  t.systemId.store(os::threadId(), std::memory_order_relaxed);
}
RunsAs::~RunsAs() { running = before; }

Thread *runningThread() { return running; }

uint32_t portOf(const Thread &t) {
  if (t.run)
    return inPortOf(*t.run).id;
  // A chain of calls and a call that is not part of one may each be the inner one: the heap tells.
  const InPort *link = t.linked ? t.links[t.linked - 1].last : nullptr;
  if (link && (t.inPort == ~0u || &link->domain.heap == t.ctx.heap))
    return link->id;
  return t.inPort;
}

std::vector<uint32_t> operatorsOf(const Thread &t) {
  const ProgramDesc &desc = t.program.desc;
  uint32_t port = t.depth || t.run ? portOf(t) : ~0u, head;
  if (port != ~0u)
    head = desc.inPorts[port].op;
  else if (t.isSource)
    head = static_cast<const Source &>(t).op;
  else
    return {};
  std::vector<uint32_t> result{head};
  std::vector<bool> segment = segmentOf(desc, head);
  for (uint32_t op = 0; op < segment.size(); ++op)
    if (segment[op] && op != head)
      result.push_back(op);
  return result;
}

} // namespace sluice
