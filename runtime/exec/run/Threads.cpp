//===- Threads.cpp - threads of sources ----------------------------------===//
#include "runtime/exec/run/Threads.h"
#include "runtime/exec/checkpoint/Checkpoints.h"
#include "runtime/exec/dispatch/Failure.h"
#include "runtime/exec/dispatch/Forward.h"
#include "runtime/exec/dispatch/NativeCalls.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/ending/Failures.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/ending/Running.h"
#include "runtime/exec/metrics/Profiler.h"
#include "runtime/exec/metrics/Report.h"
#include "runtime/exec/run/Adapter.h"
#include "runtime/exec/run/Chaos.h"
#include "runtime/exec/run/Timer.h"
#include "runtime/exec/run/Workers.h"
#include "runtime/exec/source/Baton.h"
#include "runtime/exec/source/Delays.h"
#include "runtime/exec/source/Flight.h"
#include "runtime/exec/source/Pace.h"
#include "runtime/exec/source/SavePoint.h"
#include "runtime/exec/source/Top.h"
#include "runtime/exec/spool/Spool.h"
#include "runtime/exec/state/Position.h"
#include "runtime/exec/state/Receipt.h"
#include "runtime/exec/stop/Watchdog.h"
#include "runtime/exec/watch/Watcher.h"
#include "runtime/queue/Team.h"

namespace sluice {

/// The thread of a source begins: it waits for its turn, or enters its domain.
static void begin(Source &s) {
  Program &p = s.program;
  if (!p.queues.scheduler) {
    p.turns.baton->acquire(s.index);
    return s.counters.begin();
  }
  Domain *domain = p.queues.domains.ofOperator[s.op];
  s.pusher = p.queues.scheduler->makeHelper();
  s.pusher.user = &s;
  s.self = &s.pusher;
  s.entered.domains.push_back(domain);
  s.ctx.heap = &domain->heap;
  p.queues.scheduler->setRunning(true);
  s.flight.since = os::now();
  beginPace(s, s.flight.since);
  s.counters.begin();
}

/// A source that takes turns has ended. The last one but for daemons ends these.
static void leaveTurns(Source &s) {
  Program &p = s.program;
  if (!s.isDaemon && !--p.turns.regularLeft)
    // relaxed: as in joinSources(). A virtual clock may show 0.
    p.end.drainSince.store(std::max<int64_t>(p.clock.now(), 1), std::memory_order_relaxed);
  endDaemons(p);
  p.turns.baton->release(s.index, -1);
}

/// Runs the process of the source.
static void process(Source &s) {
  Program &p = s.program;
  const OperatorDesc &op = p.desc.operators[s.op];
  auto run = [&] {
    return op.native >= 0 ? runNative(s, uint32_t(op.native)) : op.process(&s.ctx);
  };
  int32_t result = s.spool ? s.spool->run(s, run) : run();
  result = settle(s, s.op, result);
  if (op.native >= 0 && !p.end.failing)
    closeOutputs(s, uint32_t(op.native));
}

/// The life of the thread of a source.
static void runSource(Source &s) {
  Program &p = s.program;
  if (p.queues.scheduler) // else sources run one at a time
    queue::limitOwnRegions(
        p.queues.scheduler->options.regionThreads(std::max(p.threads.regular, 1u)));
  RunsAs self(s);
  begin(s);
  Inside inside(s, *p.table.instances.ofOperator[s.op]);
  bool ends = endStay(s);
  if (p.cut.left) // for tests
    askForSavePoint(s);
  if (s.delays)
    runDelay(s);
  else if (!ends && !s.cut.wasEnded && !resumeWait(s))
    process(s);
  forwardAll(s);
  if (Receipt *span = std::exchange(s.at.receipt, nullptr))
    span->release();
  s.ended = true;
  s.counters.end();
  reportPending(s);
  flushOutput(s.program);
  if (p.queues.scheduler)
    p.queues.scheduler->setRunning(false);
  else
    leaveTurns(s);
  beginStay(s);
}

/// Waits for the sources, the daemons last. They tick until all that the others have submitted has
/// been run.
static void joinSources(Program &p, std::vector<os::Thread> &threads, os::Event &sourcesEnded) {
  auto join = [&](bool daemons, bool delays = false) {
    for (size_t i = 0; i < threads.size(); ++i)
      if (p.threads.sources[i]->isDaemon == daemons &&
          (p.threads.sources[i]->delays != nullptr) == delays)
        threads[i].join();
  };
  join(false);
  sourcesEnded.raise();
  if (p.queues.scheduler &&
      p.threads.regular != p.threads.sources.size()) { // else the last one has ended the daemons
    // relaxed: it only makes daemons slower.
    p.end.drainSince.store(os::now(), std::memory_order_relaxed);
    awaitQuiet(p);
    p.end.onlyDaemons.raise();
  }
  join(true);
  endDelays(p);
  join(true, /*delays=*/true);
}

/// Waits until all sources but daemons have ended. Meanwhile the watcher begins when it is asked.
static void awaitSources(const os::Event &ended, watch::Watcher &watcher, os::Thread &watching,
                         const std::function<os::Thread()> &watch) {
  bool isWatching = watcher.isOfUse();
  if (isWatching)
    watching = watch();
  while (!ended.raised()) {
    if (isWatching) { // it hears by itself of those who ask
      ended.sleep(-1);
    } else if (os::sleepOn({&ended, &watcher.asked()}, -1) && watcher.asked().raised()) {
      watching = watch();
      isWatching = true;
    }
  }
}

void runSources(Program &p, Adapter &adapter, watch::Watcher &watcher,
                checkpoint::Checkpoints *checkpoints) {
  os::Event end;
  os::Thread timer([&] { tickUntil(p, end); }, 256 << 10);
  startWorkers(p);
  std::vector<os::Thread> chaos;
  if (p.options.chaos && p.queues.scheduler)
    chaos.emplace_back([&] { chaosUntil(p, end); }, 256 << 10);
  os::Thread profiler;
  if (p.options.sampling) {
    p.threads.profiler = std::make_unique<Profiler>(p);
    profiler = os::Thread([&] { p.threads.profiler->run(end); }, 256 << 10);
  }
  os::Thread live;
  if (showsStats(p))
    live = os::Thread(
        [&] {
          watch::Looker looker(p);
          showStatsUntil(p, end, [&looker] { return looker.look().line.limit.text; });
        },
        1 << 20);
  os::Thread saver;
  if (checkpoints)
    saver = os::Thread([&] { checkpoints->runUntil(end); }, 1 << 20);
  os::Thread delays;
  if (p.queues.scheduler && !p.queues.delays.empty())
    delays = os::Thread([&] { releaseDelayed(p, end); }, 256 << 10);
  os::Event sourcesEnded;
  os::Thread changes;
  if (adapter.isOfUse())
    changes = os::Thread([&] { adapter.run(sourcesEnded); }, 1 << 20);
  std::vector<os::Thread> threads;
  os::Event regularEnded;
  std::atomic<uint32_t> regularLeft{p.threads.regular}; // the last one raises the event
  for (auto &s : p.threads.sources)
    threads.emplace_back(
        [&, s = s.get()] {
          runSource(*s);
          if (!s->isDaemon && !s->delays && regularLeft.fetch_sub(1) == 1)
            regularEnded.raise();
        },
        queue::Team::kStackBytes);
  if (p.threads.watchdog)
    p.threads.watchdog->threadsAreMade();
  if (!p.threads.regular)
    p.end.onlyDaemons.raise();
  p.turns.baton->begin();
  os::Thread watching;
  if (p.threads.regular)
    awaitSources(regularEnded, watcher, watching,
                 [&] { return os::Thread([&] { watcher.run(end); }, 1 << 20); });
  joinSources(p, threads,
              sourcesEnded); // while queues drain the adapter could not measure the load
  changes.join();
  finishWorkers(p);
  if (p.queues.scheduler)
    p.queues.scheduler->finish(); // wakes the timer, if there are no workers
  end.raise();
  saver.join();
  delays.join();
  timer.join();
  profiler.join();
  live.join();
  watching.join();
  chaos.clear();
}

} // namespace sluice
