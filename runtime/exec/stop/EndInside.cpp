//===- EndInside.cpp - the end of a program in the middle of a run --------===//
#include "runtime/exec/stop/EndInside.h"
#include "runtime/exec/memory/StillDomains.h"
#include <algorithm>

namespace sluice {

static thread_local bool isEnding = false; // this thread ends the program
static std::atomic<bool> ending{false};    // some thread does

[[noreturn]] static void standStill() {
  static const std::atomic<uint32_t> never{0};
  for (;;)
    os::park(never, 0);
}

// seq_cst: a thread says that it moves on and then looks whether the program ends; the thread that
// ends it says so and then looks who stands still. One of them sees the other.
void beginStill(Thread &t) { t.still.store(true, std::memory_order_seq_cst); }
void endStill(Thread &t) {
  t.still.store(false, std::memory_order_seq_cst);
  if (ending.load(std::memory_order_seq_cst)) {
    t.still.store(true, std::memory_order_seq_cst);
    standStill();
  }
}

// seq_cst: as in endStill(). Who ends it may call what waits.
void stayIfEnded() {
  if (!isEnding && ending.load(std::memory_order_seq_cst))
    standStill();
}

void claimEnd(Thread *self) {
  if (isEnding)
    os::endProcess(1);
  if (ending.exchange(true, std::memory_order_seq_cst)) { // as in endStill()
    if (self)
      self->still.store(true, std::memory_order_seq_cst);
    standStill();
  }
  isEnding = true;
}

/// Closes the operators that submit nothing, so that they write what they keep.
static void closeSinks(Program &p, const StillDomains &still, const std::vector<uint32_t> &leaves) {
  for (uint32_t i = 0; i < p.nativeOps.size(); ++i) {
    const OperatorDesc &op = p.desc.operators[p.nativeOps[i]];
    if (p.natives[i] && !op.outputs && still.has(*p.domains.ofOperator[p.nativeOps[i]]) &&
        std::ranges::find(leaves, p.nativeOps[i]) == leaves.end())
      p.natives[i]->close();
  }
}

void endInside(Program &p, Thread *inside, const std::vector<uint32_t> &leaves,
               const std::function<void(const StillDomains &)> &report) {
  p.failing = true;
  p.failed.raise();
  p.stop.raise();
  StillDomains still(p, inside);
  still.await();
  report(still);
  closeSinks(p, still, leaves);
  flushOutput(p);
  os::endProcess(1);
}

} // namespace sluice
