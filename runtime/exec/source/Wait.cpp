//===- Wait.cpp - threads that wait for time or for a file ----------------===//
#include "runtime/exec/source/Wait.h"
#include "runtime/exec/dispatch/Forward.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/source/Baton.h"
#include "runtime/exec/source/Flight.h"
#include "runtime/exec/source/Holds.h"
#include "runtime/exec/source/SavePoint.h"
#include "runtime/exec/source/Top.h"
#include "runtime/exec/state/Source.h"
#include <cmath>
#include <optional>

namespace sluice {

bool isToEnd(const Thread &t) {
  const Program &p = t.program;
  // At the start and at the end, while no thread makes checkpoints, a signal says so itself.
  if (&t == p.threads.main.get() && p.cut.stop.raised())
    return true;
  return p.end.stop.raised() || (isDaemon(t) && p.end.onlyDaemons.raised());
}

//===--- who runs meanwhile ---------------------------------------------------===//

/// What the thread runs, as CounterTable has places.
static uint64_t placeOf(const Thread &t) {
  if (t.at.depth)
    return ThreadCounters::AtPort + t.at.inPort;
  return t.isSource ? ThreadCounters::InSource : ThreadCounters::Elsewhere;
}

/// What a thread waits for: what is part of its work, a moment to come, or something else.
enum class For { Work, Moment, Other };
/// The places that Meter::beginWait() and endWait() are to be given.
static uint64_t workerOf(const Thread &t, For what) {
  return what == For::Work ? placeOf(t) : ThreadCounters::Elsewhere;
}
/// A native operator that is fused to others is told from them by its own input port.
static uint64_t pacerOf(const Thread &t, For what) {
  if (what != For::Moment)
    return ThreadCounters::Elsewhere;
  const Program &p = t.program;
  if (uint32_t native = t.at.native.op; native < p.natives.ops.size())
    if (const OperatorDesc &op = p.desc.operators[p.natives.ops[native]]; op.inputs)
      return ThreadCounters::AtPort + op.firstIn;
  return placeOf(t);
}

static constexpr int64_t kLong = 1'000'000; // ns for which it pays that another thread takes over

/// Forwards all that the thread has, before it waits for `nanos` ns (below 0: for an unknown time).
/// A source that will sleep runs what is quick itself instead of waking a worker for it.
static void beginWait(Thread &t, int64_t nanos, For what) {
  auto *scheduler = t.program.queues.scheduler.get();
  bool lingers = scheduler && t.isSource && !t.at.depth && (nanos < 0 || nanos >= kLong);
  if (lingers)
    scheduler->beginLinger(*t.self);
  forwardAll(t);
  if (lingers)
    scheduler->linger(*t.self);
  else if (scheduler && t.self)
    scheduler->payWakes(*t.self); // it waits inside what a source runs in linger()
  flushOutput(t.program);
  t.counters.beginWait(workerOf(t, what), pacerOf(t, what));
  if (isAtSavePoint(t)) {
    auto &s = static_cast<Source &>(t);
    // One without an end begins anew.
    s.cut.due = nanos < 0 ? 0 : Clock::later(t.program.clock.now(), nanos);
    beginStay(s);
  }
}

/// Of a wait of generated code for `nanos` ns: what was left of it at the checkpoint from which the
/// program goes on.
static int64_t leftOfWait(Thread &t, int64_t nanos) {
  if (!isAtSavePoint(t) || !static_cast<Source &>(t).cut.atPoint)
    return nanos;
  int64_t due = std::exchange(static_cast<Source &>(t).cut.resumes, 0);
  if (!due)
    return nanos;
  return std::max<int64_t>(due - t.program.clock.now(), 0);
}

/// A wait whose time is over already: it hands on what the thread has, as a real one does, but not
/// more often than the timer would.
static void passWait(Thread &t) {
  uint32_t tick = t.program.end.tick.load(std::memory_order_relaxed);
  if (tick == t.passedAt)
    return;
  t.passedAt = tick;
  if (!t.isSource || t.at.depth) {
    forwardAll(t);
    return;
  }
  // What is forwarded here is not by sl_forward: a source that is always late has no other moment.
  auto &s = static_cast<Source &>(t);
  const auto &ports = t.program.queues.domains.ofOperator[s.op]->outPorts;
  uint64_t rows = 0;
  for (uint32_t port : ports)
    rows += t.at.ports[port].batch ? t.at.ports[port].batch->rows : 0;
  forwardAll(t);
  if (rows)
    atTop(s, ports.front(), rows);
}

/// Where sources take turns: the segment in which a source waits while others have the baton, as
/// Baton::release() has it. Nothing: the others wait as well.
static std::optional<int32_t> waitsInside(const Thread &t) {
  // What is on back edges is to run before anything else is put there.
  if (!t.isSource || (t.at.depth && t.program.turns.draining))
    return std::nullopt;
  // An operator that the source calls without a forward is reached by no other source.
  return t.at.depth ? int32_t(t.at.inPort) : -1;
}

/// Lets others run while the thread waits. True: another thread takes its place, by the baton or as
/// one more worker. `holdsTime`: a virtual clock stands still meanwhile.
static bool giveWay(Thread &t, int64_t nanos, bool holdsTime) {
  if (auto *scheduler = t.program.queues.scheduler.get()) {
    scheduler->setRunning(false);
    bool replaced = t.self && (nanos < 0 || nanos >= kLong);
    if (replaced)
      scheduler->beginWait(*t.self);
    return replaced;
  }
  std::optional<int32_t> inside = waitsInside(t);
  if (inside)
    t.program.turns.baton->release(static_cast<Source &>(t).index, *inside, holdsTime);
  return inside.has_value();
}

/// The wait is over. `gaveWay`: what giveWay() returned.
static void comeBack(Thread &t, bool gaveWay) {
  if (auto *scheduler = t.program.queues.scheduler.get()) {
    scheduler->setRunning(true);
    if (gaveWay)
      scheduler->endWait(*t.self);
  } else if (gaveWay)
    t.program.turns.baton->acquire(static_cast<Source &>(t).index);
}

static bool endWait(Thread &t, bool ends, For what) {
  if (isAtSavePoint(t)) {
    ends |= endStay(static_cast<Source &>(t));
    static_cast<Source &>(t).cut.due = 0;
  }
  t.counters.endWait(workerOf(t, what), pacerOf(t, what));
  t.ctx.clock = 0;
  return ends;
}

//===--- for time -------------------------------------------------------------===//

/// When a thread that waits until `due` is to wake. While queues, or ports that delay, drain at the
/// end, daemons run at distances of a tenth of the time that this has taken. So there comes a
/// moment at which nothing runs, however long a tick takes.
static int64_t wakeTime(const Thread &t, int64_t due) {
  // relaxed: as in joinSources().
  int64_t since = t.program.end.drainSince.load(std::memory_order_relaxed);
  if (!since || !isDaemon(t))
    return due;
  int64_t now = t.program.clock.now();
  return std::max(due, now + (now - since) / 10);
}

/// Sleeps until Program::clock shows `due`, at the end without a sleep for `spin` ns. True: the
/// thread is to end.
static bool sleepUntil(Thread &t, int64_t due, int64_t spin) {
  Program &p = t.program;
  bool daemon = isDaemon(t);
  auto sleep = [&](int64_t nanos) {
    return daemon ? os::sleepOn({&p.end.stop, &p.end.onlyDaemons}, nanos) : p.end.stop.sleep(nanos);
  };
  if (due == Clock::kNever)
    return sleep(-1);
  if (int64_t left = due - spin - t.program.clock.now(); left > 0 && sleep(left))
    return true;
  while (spin && !isToEnd(t) && p.clock.now() < due)
    os::spinPause();
  return isToEnd(t);
}

/// Waits until Program::clock shows `due`, which is in `nanos` ns.
static bool waitUntil(Thread &t, int64_t nanos, int64_t due, int64_t spin, For what) {
  Program &p = t.program;
  if (p.clock.isVirtual() && due != Clock::kNever) {
    if (std::optional<int32_t> inside = waitsInside(t))
      p.turns.baton->sleep(static_cast<Source &>(t).index, *inside, due);
    else if (t.isSource)
      p.turns.baton->advance(due);
    else
      p.clock.advance(due); // no source runs
    return endWait(t, isToEnd(t), what);
  }
  bool gaveWay = giveWay(t, nanos, /*holdsTime=*/false);
  bool ends = sleepUntil(t, due, spin);
  comeBack(t, gaveWay);
  return endWait(t, ends, what);
}

//===--- for room ---------------------------------------------------------------===//

/// How long a source sleeps before it looks again whether anybody could let it go on.
static constexpr int64_t kLookNanos = 10'000'000;

/// Sleeps until no port holds the source back, or nobody could change that.
static void sleepForRoom(Source &s) {
  Program &p = s.program;
  while (true) {
    s.room->lower();
    if (!isHeldBack(s))
      return;
    if (isHopeless(s, [&p] { return isQuiet(p); }))
      return ignoreHolds(s);
    os::sleepOn({&p.end.stop, s.room.get()}, kLookNanos);
  }
}

/// What other processes have sent before a checkpoint has to arrive, and nobody makes room for it
/// while all others stay.
static bool mustTake(const Source &s) { return s.cut.isLink && s.program.cut.asked; }

bool isHeldBack(const Source &s) {
  return holdsBack(s) && !mustTake(s) && !s.program.end.stop.raised();
}

void awaitRoom(Source &s) {
  if (s.sendsTo.empty() || !isHeldBack(s))
    return;
  beginWait(s, -1, For::Other);
  s.waits = true;
  if (s.program.queues.scheduler) {
    bool gaveWay = giveWay(s, -1, /*holdsTime=*/false);
    sleepForRoom(s);
    comeBack(s, gaveWay);
  } else {
    s.program.turns.baton->awaitRoom(s.index);
  }
  endWait(s, false, For::Other);
  s.waits = false;
}

/// What runs meanwhile on this thread may be the code of other operators.
class SameOperator {
public:
  explicit SameOperator(Ctx *ctx) : ctx(ctx), op(ctx->op) {}
  ~SameOperator() { ctx->op = op; }
  SameOperator(const SameOperator &) = delete;

private:
  Ctx *ctx;
  uint32_t op;
};

} // namespace sluice

using namespace sluice;

//===--- ABI ------------------------------------------------------------------===//

extern "C" int32_t sl_wait(Ctx *ctx, double seconds) {
  Thread &t = *ctx->thread;
  SameOperator same(ctx);
  if (isToEnd(t))
    return 1;
  if (!(seconds > 0))
    return passWait(t), 0;
  // To the nearest ns, as 0.1 is not a tenth. 285 years are for ever: more ns have no number.
  int64_t nanos = seconds < 9e9 ? std::max<int64_t>(std::llround(seconds * 1e9), 1) : -1;
  nanos = leftOfWait(t, nanos);
  if (!nanos)
    return passWait(t), 0;
  beginWait(t, nanos, For::Work);
  int64_t due = nanos < 0 ? Clock::kNever : Clock::later(ctx->program->clock.now(), nanos);
  return waitUntil(t, nanos, wakeTime(t, due), 0, For::Work);
}

extern "C" int32_t sl_wait_until(Ctx *ctx, int64_t due, int64_t spin) {
  Thread &t = *ctx->thread;
  SameOperator same(ctx);
  if (isToEnd(t))
    return 1;
  due = wakeTime(t, due);
  int64_t nanos = due - ctx->program->clock.now();
  if (nanos <= 0)
    return passWait(t), 0;
  beginWait(t, nanos, For::Moment);
  // Who is early waits: less if the rest of the program takes longer.
  return waitUntil(t, nanos, due, spin, For::Moment);
}

void sluice::OutsideWait::begin(Thread &t) {
  beginWait(t, -1, For::Other);
  gaveWay = giveWay(t, -1, /*holdsTime=*/true);
}

void sluice::OutsideWait::end(Thread &t) {
  comeBack(t, gaveWay);
  endWait(t, false, For::Other);
}

extern "C" int32_t sl_await_readable(Ctx *ctx, int fd) {
  Thread &t = *ctx->thread;
  SameOperator same(ctx);
  if (isToEnd(t))
    return 1;
  // A source waits for its data, an operator in the middle for a device.
  For what = !t.isSource || t.at.depth ? For::Work : For::Other;
  beginWait(t, -1, what);
  bool gaveWay = giveWay(t, -1, /*holdsTime=*/true);
  bool ends = ctx->program->end.stop.awaitReadable(fd);
  comeBack(t, gaveWay);
  return endWait(t, ends, what);
}
