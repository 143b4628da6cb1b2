//===- Running.cpp - who runs which operator ------------------------------===//
#include "runtime/exec/ending/Running.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Source.h"
#include "runtime/exec/table/Reach.h"

namespace sluice {

static thread_local Thread *running = nullptr;

RunsAs::RunsAs(Thread &t) : before(running) {
  running = &t;
  t.systemId.store(os::threadId(), std::memory_order_relaxed);
}
RunsAs::~RunsAs() { running = before; }

Thread *runningThread() { return running; }

/// What the Watchdog reads is of a thread that may move on: each is read once, and
/// ThreadSanitizer need not see it. Ports and the room for links stay.
#define SLUICE_OF_ANOTHER_THREAD __attribute__((disable_sanitizer_instrumentation))

SLUICE_OF_ANOTHER_THREAD uint32_t portOf(const Thread &t) {
  if (const auto *run = __atomic_load_n(&t.run, __ATOMIC_RELAXED)) {
    // It is on the stack of the thread: once it has ended anything may be there.
    const auto *port = __atomic_load_n(&run->port, __ATOMIC_RELAXED);
    for (const auto &in : t.program.domains.inPorts)
      if (in && &in->port == port)
        return in->id;
  }
  uint32_t inPort = __atomic_load_n(&t.inPort, __ATOMIC_RELAXED);
  // A chain of calls and a call that is not part of one may each be the inner one: the heap tells.
  uint32_t linked = __atomic_load_n(&t.linked, __ATOMIC_RELAXED);
  const InPort *link =
      linked ? __atomic_load_n(&t.links[linked - 1].last, __ATOMIC_RELAXED) : nullptr;
  if (link &&
      (inPort == ~0u || &link->domain.heap == __atomic_load_n(&t.ctx.heap, __ATOMIC_RELAXED)))
    return link->id;
  return inPort;
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
