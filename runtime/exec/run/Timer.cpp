//===- Timer.cpp - the timer ---------------------------------------------===//
#include "runtime/exec/run/Timer.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/ending/Messages.h"

namespace sluice {

static constexpr int64_t kTickNanos = 1'000'000; // how long a source may keep a row back

/// True for ports that pass on at once what was received from another PE, and is freed then
/// (`--transport-option pool=off`).
static bool isFreed(const Program &p, const PortState &port) {
  return !p.options.links.pool && (port.inPlace || !p.out.pools[port.pool].keeps);
}

/// Ticks after which the timer flushes what was printed.
static constexpr int64_t kFlushTicks = 10;

/// What operators print behind a queue is flushed by nobody else. While nobody runs it is flushed
/// at once, as the timer sleeps then.
static void flushByTimer(Program &p, int64_t &ticks) {
  bool rests = p.queues.scheduler && !p.queues.scheduler->isAnybodyRunning();
  if (++ticks < kFlushTicks && !rests)
    return;
  ticks = 0;
  if (p.show.output.isPending())
    flushOutput(p);
}

/// Lets the next row forward the batch, if it holds rows. A batch that has gone meanwhile may be
/// another port's, to which a lower limit does no harm, or memory that a frame comes into, which
/// says the same at that place (FrameHeader::limit): ThreadSanitizer need not see it.
__attribute__((disable_sanitizer_instrumentation)) static void lowerLimit(Batch *b) {
  if (__atomic_load_n(&b->rows, __ATOMIC_RELAXED))
    __atomic_store_n(&b->limit, 1, __ATOMIC_RELAXED);
}

void tickUntil(Program &p, os::Event &end) {
  int64_t ticks = 0;
  while (!end.sleep(kTickNanos)) {
    p.end.tick.fetch_add(1, std::memory_order_relaxed);
    for (uint32_t i = 0; i < p.out.ports.size(); ++i) {
      // relaxed: as in setLimit() in Pace.cpp.
      if (__atomic_load_n(&p.out.ports[i].limit, __ATOMIC_RELAXED) <= 1)
        continue; // it keeps nothing
      if (isFreed(p, p.out.ports[i]))
        continue;
      // acquire: pairs with setBatch(). Other batches are not freed while threads run.
      if (Batch *b = __atomic_load_n(&p.out.filled[i].batch, __ATOMIC_ACQUIRE))
        lowerLimit(b);
    }
    flushByTimer(p, ticks);
    if (p.queues.scheduler)
      p.queues.scheduler->awaitRunning([&p] { return !p.show.output.isPending(); });
  }
}

} // namespace sluice
