//===- Still.cpp - threads that stand still ------------------------------===//
#include "runtime/exec/ending/Still.h"
#include "runtime/base/os.h"
#include "runtime/exec/state/Thread.h"

namespace sluice {

static thread_local bool isEnding = false; // this thread ends the program

static std::atomic<bool> ending{false}; // some thread does

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

} // namespace sluice
