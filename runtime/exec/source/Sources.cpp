//===- Sources.cpp - threads of sources, the timer ----------------------===//
#include "runtime/exec/source/Sources.h"
#include "runtime/exec/dispatch/Forward.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/metrics/Profiler.h"
#include "runtime/exec/metrics/Report.h"
#include "runtime/exec/program/Adapter.h"
#include "runtime/exec/program/Chaos.h"
#include "runtime/exec/program/Elastic.h"
#include "runtime/exec/program/Natives.h"
#include "runtime/exec/source/Baton.h"
#include "runtime/exec/source/Delays.h"
#include "runtime/exec/source/Flight.h"
#include "runtime/exec/source/Pace.h"
#include "runtime/exec/stop/Running.h"
#include "runtime/exec/stop/Watchdog.h"
#include "runtime/queue/Team.h"

namespace sluice {

static constexpr int64_t kTickNanos = 1'000'000;    // how long a source may keep a row back
static constexpr int64_t kGraceNanos = 500'000'000; // to finish what was begun after a stop
static constexpr uint64_t kTurnRows = kBatchRows;   // of a turn, where sources take turns

//===--- which sources, and what they reach -----------------------------------===//

std::vector<bool> reachable(const ProgramDesc &desc, uint32_t start, Reach how) {
  std::vector<bool> seen(desc.operatorCount);
  std::vector<uint32_t> work{start};
  seen[start] = true;
  while (!work.empty()) {
    const OperatorDesc &op = desc.operators[work.back()];
    work.pop_back();
    for (uint32_t o = op.firstOut; o < op.firstOut + op.outputs; ++o)
      for (uint32_t c = 0; c < desc.outPorts[o].consumerCount; ++c) {
        if (how == Reach::Segment && desc.outPorts[o].batchBytes)
          break;
        const InPortDesc &in = desc.inPorts[desc.outPorts[o].consumers[c]];
        if (how == Reach::Turn && in.delays)
          continue;
        uint32_t next = in.op;
        if (!seen[next])
          work.push_back(next);
        seen[next] = true;
      }
  }
  return seen;
}

std::vector<bool> segmentOf(const ProgramDesc &desc, uint32_t op) {
  return reachable(desc, op, Reach::Segment);
}

/// By source: true if it reaches an operator of the segment that the input port heads.
static std::vector<bool> reaching(const ProgramDesc &desc, uint32_t inPort,
                                  const std::vector<std::vector<bool>> &reach) {
  std::vector<bool> result, segment = segmentOf(desc, desc.inPorts[inPort].op);
  for (const std::vector<bool> &reached : reach) {
    bool meets = false;
    for (size_t op = 0; op < segment.size(); ++op)
      meets |= segment[op] && reached[op];
    result.push_back(meets);
  }
  return result;
}

bool knowsConsumers(const ProgramDesc &desc) {
  uint64_t edges = 0, producers = 0;
  for (uint32_t i = 0; i < desc.outPortCount; ++i)
    edges += desc.outPorts[i].consumerCount;
  for (uint32_t i = 0; i < desc.inPortCount; ++i)
    producers += desc.inPorts[i].producers;
  return edges >= producers;
}

/// By source and operator: true if tuples of the source may reach the operator.
static std::vector<std::vector<bool>> reachOfSources(const Program &p, Reach how) {
  std::vector<std::vector<bool>> result;
  bool known = knowsConsumers(p.desc);
  for (auto &s : p.sources)
    result.push_back(known ? reachable(p.desc, s->op, how)
                           : std::vector<bool>(p.desc.operatorCount, true));
  return result;
}

/// Finds what may hold sources back.
static void findHolds(Program &p) {
  const ProgramDesc &desc = p.desc;
  auto reach = reachOfSources(p, Reach::All);
  auto leads = [&desc](uint32_t from, uint32_t to) {
    const OperatorDesc &op = desc.operators[from];
    bool found = false;
    for (uint32_t out = op.firstOut; out < op.firstOut + op.outputs; ++out)
      for (uint32_t i = 0; i < desc.outPorts[out].consumerCount; ++i)
        found |= reachable(desc, desc.inPorts[desc.outPorts[out].consumers[i]].op)[to];
    return found;
  };
  connectHolds(p, [&](const Source &s, uint32_t op) -> bool { return reach[s.index][op]; }, leads);
}

static void setUpBaton(Program &p) {
  std::vector<std::vector<bool>> met(p.desc.inPortCount); // which sources; once it was asked
  auto reaches = [reach = reachOfSources(p, Reach::Turn), met = std::move(met),
                  &p](uint32_t source, uint32_t inPort) mutable -> bool {
    if (met[inPort].empty())
      met[inPort] = reaching(p.desc, inPort, reach);
    return met[inPort][source];
  };
  auto hopeless = [&p](uint32_t source) {
    return isHopeless(*p.sources[source], [] { return true; });
  };
  p.baton->setUp(uint32_t(p.sources.size()), p.options.deterministic, std::move(reaches),
                 p.clock.isVirtual() ? &p.clock : nullptr,
                 [&p](uint32_t source) { return isToEnd(*p.sources[source]); },
                 {.isHeldBack = [&p](uint32_t source) { return isHeldBack(*p.sources[source]); },
                  .isHopeless = hopeless,
                  .ignore = [&p](uint32_t source) { ignoreHolds(*p.sources[source]); }});
}

void findSources(Program &p) {
  for (uint32_t i = 0; i < p.desc.operatorCount; ++i)
    if (isSource(p.desc.operators[i]) && p.isHere(i)) {
      p.sources.push_back(std::make_unique<Source>(p));
      p.sources.back()->op = i;
      int32_t native = p.desc.operators[i].native;
      p.sources.back()->finishes = native >= 0 && p.natives[native]->finishes();
      p.sources.back()->isDaemon =
          p.desc.operators[i].daemon || (native >= 0 && p.natives[native]->isDaemon());
      p.regular += !p.sources.back()->isDaemon;
      p.sources.back()->index = uint32_t(p.sources.size() - 1);
    }
  findDelays(p);
  p.regularLeft = p.regular;
  findHolds(p);
  setUpBaton(p);
}

//===--- turns ----------------------------------------------------------------===//

bool overdue(Thread &t) {
  if (!t.program.stop.raised())
    return false;
  if (!t.stopSeen)
    t.stopSeen = os::now();
  return os::now() - t.stopSeen > kGraceNanos;
}

/// -1 if a source that has forwarded output port `port` is to stop in the middle of its process. An
/// operator that it calls finishes the tuple that it has; the source stops behind that.
static int32_t mustStop(Source &s, uint32_t port) {
  if (s.finishes || !overdue(s))
    return s.program.failing ? -1 : 0;
  s.program.cutShort.store(true, std::memory_order_relaxed);
  if (int32_t native = s.program.desc.operators[s.op].native; native >= 0)
    s.program.natives[native]->cutOff = -1;
  return s.program.failing || s.program.desc.outPorts[port].op == s.op ? -1 : 0;
}

void yieldTurn(Source &s, uint64_t rows) {
  Program &p = s.program;
  s.rowsSinceTurn += rows;
  if (!p.baton->contended())
    return;
  uint32_t tick = p.tick.load(std::memory_order_relaxed);
  if (!p.options.deterministic && s.rowsSinceTurn < kTurnRows && s.lastTick == tick)
    return;
  forwardAll(s); // nothing is pending while somebody else runs
  s.rowsSinceTurn = 0;
  s.counters.beginWait();
  p.baton->yield(s.index);
  s.counters.endWait();
  s.lastTick = p.tick.load(std::memory_order_relaxed);
}

int32_t atTop(Source &s, uint32_t port, uint64_t rows) {
  Program &p = s.program;
  s.ctx.clock = 0;
  if (p.scheduler) {
    if (!s.isDaemon) { // the batches of a daemon are few, and not to be late
      holdBackIfMany(s);
      pace(s, rows, os::now());
      awaitRoom(s);
    }
    return mustStop(s, port);
  }
  awaitRoom(s);
  yieldTurn(s, rows);
  return mustStop(s, port);
}

//===--- threads --------------------------------------------------------------===//

/// The thread of a source begins: it waits for its turn, or enters its domain.
static void begin(Source &s) {
  Program &p = s.program;
  if (!p.scheduler) {
    p.baton->acquire(s.index);
    return s.counters.begin();
  }
  Domain *domain = p.domains.ofOperator[s.op];
  s.pusher = p.scheduler->makeHelper();
  s.pusher.user = &s;
  s.self = &s.pusher;
  s.domains.push_back(domain);
  s.ctx.heap = &domain->heap;
  p.scheduler->setRunning(true);
  s.flight.since = os::now();
  beginPace(s, s.flight.since);
  s.counters.begin();
}

void endDaemons(Program &p) {
  if (!p.regularLeft && nothingWaits(p))
    p.onlyDaemons.raise();
}

/// A source that takes turns has ended. The last one but for daemons ends these.
static void leaveTurns(Source &s) {
  Program &p = s.program;
  if (!s.isDaemon && !--p.regularLeft)
    // relaxed: as in joinSources(). A virtual clock may show 0.
    p.drainSince.store(std::max<int64_t>(p.clock.now(), 1), std::memory_order_relaxed);
  endDaemons(p);
  p.baton->release(s.index, -1);
}

/// Runs the process of the source.
static void process(Source &s) {
  Program &p = s.program;
  const OperatorDesc &op = p.desc.operators[s.op];
  int32_t result = op.native >= 0 ? runNative(s, uint32_t(op.native)) : op.process(&s.ctx);
  result = settle(s, s.op, result);
  if (op.native >= 0 && !p.failing)
    closeOutputs(s, uint32_t(op.native));
}

/// The life of the thread of a source.
static void runSource(Source &s) {
  Program &p = s.program;
  if (p.scheduler) // else sources run one at a time
    queue::limitOwnRegions(p.scheduler->options.regionThreads(std::max(p.regular, 1u)));
  RunsAs self(s);
  begin(s);
  Inside inside(s, *p.instances.ofOperator[s.op]);
  if (s.delays)
    runDelay(s);
  else
    process(s);
  forwardAll(s);
  if (Receipt *span = std::exchange(s.receipt, nullptr))
    span->release();
  s.ended = true;
  s.counters.end();
  reportPending(s);
  flushOutput(s.program);
  if (p.scheduler)
    p.scheduler->setRunning(false);
  else
    leaveTurns(s);
}

/// True for ports that pass on at once what was received from another PE, and is freed then
/// (`--transport-option pool=off`).
static bool isFreed(const Program &p, const PortState &port) {
  return !p.options.links.pool && (port.inPlace || !p.pools[port.pool].keeps);
}

/// Ticks after which the timer flushes what was printed.
static constexpr int64_t kFlushTicks = 10;

/// What operators print behind a queue is flushed by nobody else. While nobody runs it is flushed
/// at once, as the timer sleeps then.
static void flushByTimer(Program &p, int64_t &ticks) {
  bool rests = p.scheduler && !p.scheduler->isAnybodyRunning();
  if (++ticks < kFlushTicks && !rests)
    return;
  ticks = 0;
  if (p.output.isPending())
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
    p.tick.fetch_add(1, std::memory_order_relaxed);
    for (uint32_t i = 0; i < p.ports.size(); ++i) {
      // relaxed: as in setLimit() in Pace.cpp.
      if (__atomic_load_n(&p.ports[i].limit, __ATOMIC_RELAXED) <= 1)
        continue; // it keeps nothing
      if (isFreed(p, p.ports[i]))
        continue;
      // acquire: pairs with setBatch(). Other batches are not freed while threads run.
      if (Batch *b = __atomic_load_n(&p.outPorts[i].batch, __ATOMIC_ACQUIRE))
        lowerLimit(b);
    }
    flushByTimer(p, ticks);
    if (p.scheduler)
      p.scheduler->awaitRunning([&p] { return !p.output.isPending(); });
  }
}

/// Waits for the sources, the daemons last. They tick until all that the others have submitted has
/// been run.
static void joinSources(Program &p, std::vector<os::Thread> &threads, os::Event &sourcesEnded) {
  auto join = [&](bool daemons, bool delays = false) {
    for (size_t i = 0; i < threads.size(); ++i)
      if (p.sources[i]->isDaemon == daemons && (p.sources[i]->delays != nullptr) == delays)
        threads[i].join();
  };
  join(false);
  sourcesEnded.raise();
  if (p.scheduler && p.regular != p.sources.size()) { // else the last one has ended the daemons
    // relaxed: it only makes daemons slower.
    p.drainSince.store(os::now(), std::memory_order_relaxed);
    awaitQuiet(p);
    p.onlyDaemons.raise();
  }
  join(true);
  endDelays(p);
  join(true, /*delays=*/true);
}

void runSources(Program &p, Adapter *adapter) {
  os::Event end;
  os::Thread timer([&] { tickUntil(p, end); }, 256 << 10);
  startWorkers(p);
  std::vector<os::Thread> chaos;
  if (p.options.chaos && p.scheduler)
    chaos.emplace_back([&] { chaosUntil(p, end); }, 256 << 10);
  os::Thread profiler;
  if (p.options.sampling) {
    p.profiler = std::make_unique<Profiler>(p);
    profiler = os::Thread([&] { p.profiler->run(end); }, 256 << 10);
  }
  os::Thread live;
  if (showsStats(p))
    live = os::Thread([&] { showStatsUntil(p, end); }, 1 << 20);
  os::Event sourcesEnded;
  os::Thread changes;
  if (adapter)
    changes = os::Thread([&] { adapter->run(sourcesEnded); }, 1 << 20);
  std::vector<os::Thread> threads;
  for (auto &s : p.sources)
    threads.emplace_back([s = s.get()] { runSource(*s); }, queue::Team::kStackBytes);
  if (p.watchdog)
    p.watchdog->threadsAreMade();
  if (!p.regular)
    p.onlyDaemons.raise();
  p.baton->begin();
  joinSources(p, threads,
              sourcesEnded); // while queues drain the adapter could not measure the load
  changes.join();
  finishWorkers(p);
  if (p.scheduler)
    p.scheduler->finish(); // wakes the timer, if there are no workers
  end.raise();
  timer.join();
  profiler.join();
  live.join();
  chaos.clear();
}

} // namespace sluice

using namespace sluice;

//===--- ABI ------------------------------------------------------------------===//

extern "C" int32_t sl_is_shutdown(Ctx *ctx) {
  ctx->clock = 0;
  return isToEnd(*ctx->thread);
}

extern "C" int32_t sl_source_made(Ctx *ctx, uint32_t outPort, uint64_t tuples) {
  ctx->program->ports[outPort + ctx->replica->out].counted.rows.set(tuples);
  return sl_is_shutdown(ctx);
}

extern "C" int32_t sl_source_submitted(Ctx *ctx, uint32_t outPort) {
  ctx->program->ports[outPort + ctx->replica->out].counted.rows.add(1);
  return sl_is_shutdown(ctx);
}
