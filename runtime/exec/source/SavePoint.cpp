//===- SavePoint.cpp - sources that stay where they are -------------------===//
#include "runtime/exec/source/SavePoint.h"
#include "runtime/exec/dispatch/Forward.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/source/Baton.h"
#include "runtime/exec/source/Top.h"
#include "runtime/exec/source/Wait.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Source.h"
#include "sluice/native.h"
#include <algorithm>
#include <utility>

namespace sluice {

/// The operator of a native source; null: it is generated.
static const NativeOp *nativeOf(const Source &s) {
  int32_t native = s.program.desc.operators[s.op].native;
  return native < 0 ? nullptr : s.program.natives.list[native].get();
}

bool hasSavePoints(const Source &s) {
  const NativeOp *native = nativeOf(s);
  return s.program.cut.makes && !s.delays && (!native || native->hasSavePoints());
}

// release: pairs with stay(), which sees Cut::asked if it sees this.
void askForSavePoint(Source &s) { __atomic_store_n(&s.ctx.saveDue, 1, __ATOMIC_RELEASE); }

bool isAtSavePoint(const Thread &t) {
  if (!t.isSource || t.at.depth || !t.program.cut.makes)
    return false;
  auto &s = static_cast<const Source &>(t);
  const NativeOp *native = nativeOf(s);
  return native ? !native->submitting : s.cut.atPoint;
}

void beginStay(Source &s) { s.cut.stays = true; }

/// Where sources take turns: another one waits in the middle of a submission. It goes on only if
/// this one does: who keeps the baton must not wait for it.
static bool othersRun(const Source &s) {
  const Program &p = s.program;
  return !p.queues.scheduler && std::ranges::any_of(p.threads.sources, [&](auto &other) {
    return other.get() != &s && !other->cut.stays && !other->cut.isLink;
  });
}

bool endStay(Source &s) {
  Cut &cut = s.program.cut;
  s.cut.stays = false;
  if (s.cut.isLink)
    (void)s.program.links.totals.taken.load(std::memory_order_acquire); // as LinkTotals says
  if ((!cut.asked && !s.cut.asks) || s.cut.isLink || othersRun(s))
    return cut.ends;
  // A receiver needs the turn for what is still on its way.
  const bool passes = !s.program.queues.scheduler && s.program.options.pe >= 0;
  if (passes)
    s.program.turns.baton->release(s.index, -1);
  if (auto *scheduler = s.program.queues.scheduler.get())
    scheduler->setRunning(false);
  s.counters.beginWait();
  while (cut.asked || s.cut.asks) {
    s.cut.stays = true;
    {
      os::Held held(cut.lock);
      while (cut.asked || s.cut.asks)
        cut.over.wait(cut.lock);
    }
    s.cut.stays = false;
  }
  if (passes)
    s.program.turns.baton->acquire(s.index);
  s.counters.endWait();
  if (auto *scheduler = s.program.queues.scheduler.get())
    scheduler->setRunning(true);
  return cut.ends;
}

/// What is due between two forwards.
static void doTop(Source &s) {
  if (!std::exchange(s.cut.topIsDue, false))
    return;
  awaitRoom(s);
  beginStay(s);
  if (!s.program.queues.scheduler)
    yieldTurn(s, 0);
}

bool resumeWait(Source &s) {
  if (!std::exchange(s.cut.waits, false))
    return s.program.cut.ends;
  s.cut.atPoint = s.cut.topIsDue = true;
  beginStay(s);
  doTop(s);
  s.cut.atPoint = false;
  return endStay(s);
}

/// Where several sources take turns one of them stays only when it would pass the turn on: else
/// what comes of their turns would depend on the moment.
static bool mayStay(const Source &s) {
  const Program &p = s.program;
  return p.queues.scheduler || p.threads.sources.size() == 1 || s.cut.topIsDue;
}

void countPoint(Source &s) {
  Cut &cut = s.program.cut;
  if (cut.left.load(std::memory_order_relaxed) <= 0)
    return;
  askForSavePoint(s);
  if (cut.left.fetch_sub(1, std::memory_order_relaxed) != 1)
    return;
  cut.stop.raise();
  while (!cut.asked && !s.program.end.stop.raised())
    os::yieldThread();
}

static int32_t stay(Source &s) {
  if (!mayStay(s))
    return 0;
  (void)__atomic_exchange_n(&s.ctx.saveDue, 0, __ATOMIC_ACQUIRE); // as askForSavePoint() says
  countPoint(s);
  forwardAll(s);
  flushOutput(s.program);
  s.ctx.clock = 0;
  beginStay(s);
  doTop(s);
  return endStay(s) ? -1 : 0;
}

} // namespace sluice

using namespace sluice;

//===--- ABI ------------------------------------------------------------------===//

extern "C" int32_t sl_save_point(Ctx *ctx) {
  // relaxed: stay() looks again.
  if (!__atomic_load_n(&ctx->saveDue, __ATOMIC_RELAXED) || ctx->thread->at.depth)
    return 0;
  return stay(static_cast<Source &>(*ctx->thread));
}

extern "C" void sl_ask_checkpoint(Ctx *ctx) {
  Cut &cut = ctx->program->cut;
  if (!cut.makes)
    return;
  if (!ctx->thread->isSource || ctx->thread->at.depth) // the source may go on meanwhile
    return cut.wanted.raise();
  auto &s = static_cast<Source &>(*ctx->thread);
  {
    os::Held held(cut.lock);
    if (cut.isOver)
      return;
    s.cut.asks = true;
  }
  askForSavePoint(s);
  cut.wanted.raise();
}

extern "C" int32_t sl_makes_checkpoints(Ctx *ctx) { return ctx->program->cut.makes; }

extern "C" int32_t sl_point_of_source(Ctx *ctx, uint32_t step) {
  auto &s = static_cast<Source &>(*ctx->thread);
  switch (SaveStep(step)) {
  case SaveStep::Stay: {
    s.cut.atPoint = true;
    int32_t result = stay(s);
    s.cut.atPoint = false;
    return result;
  }
  case SaveStep::Wait:
    s.cut.atPoint = true;
    return 0;
  case SaveStep::Go:
    s.cut.atPoint = false;
    return s.program.cut.ends ? -1 : 0;
  case SaveStep::Ask:
    sl_ask_checkpoint(ctx);
    return 0;
  }
  __builtin_unreachable();
}
