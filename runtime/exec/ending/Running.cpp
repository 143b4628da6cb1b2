//===- Running.cpp - who runs which operator ------------------------------===//
#include "runtime/exec/ending/Running.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Source.h"
#include "runtime/exec/table/Reach.h"

namespace sluice {

static thread_local Thread *running = nullptr;

RunsAs::RunsAs(Thread &t) : before(running) {
  running = &t;
  t.watched.systemId.store(os::threadId(), std::memory_order_relaxed);
}
RunsAs::~RunsAs() { running = before; }

Thread *runningThread() { return running; }

/// What the Watchdog reads is of a thread that may move on: each is read once, and
/// ThreadSanitizer need not see it. Ports and the room for links stay.
#define SLUICE_OF_ANOTHER_THREAD __attribute__((disable_sanitizer_instrumentation))

SLUICE_OF_ANOTHER_THREAD uint32_t portOf(const Thread &t) {
  uint32_t linked = __atomic_load_n(&t.entered.linked, __ATOMIC_RELAXED);
  if (linked > __atomic_load_n(&t.at.links, __ATOMIC_RELAXED))
    if (const InPort *last = __atomic_load_n(&t.entered.links[linked - 1].last, __ATOMIC_RELAXED))
      return last->id; // of the chain that the segment has begun
  return __atomic_load_n(&t.at.inPort, __ATOMIC_RELAXED);
}

std::vector<uint32_t> operatorsOf(const Thread &t) {
  const ProgramDesc &desc = t.program.desc;
  uint32_t port = t.at.depth || t.at.run ? portOf(t) : ~0u, head;
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
