//===- Look.cpp - what a program does at a moment -------------------------===//
#include "runtime/exec/watch/Look.h"
#include "runtime/base/process.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/metrics/Latency.h"
#include "runtime/exec/state/Source.h"
#include "runtime/exec/table/Label.h"
#include <algorithm>

namespace sluice::watch {

//===--- threads ----------------------------------------------------------------===//

/// The input port whose segment the thread runs; ~0: none. Read at some moment: ThreadSanitizer
/// need not see it.
__attribute__((disable_sanitizer_instrumentation)) static uint32_t portOf(const Thread &t) {
  return __atomic_load_n(&t.at.depth, __ATOMIC_RELAXED)
             ? __atomic_load_n(&t.at.inPort, __ATOMIC_RELAXED)
             : ~0u;
}

static int32_t opAt(const Program &p, uint64_t place, int32_t source) {
  if (place >= CounterTable::AtPort)
    return int32_t(p.desc.inPorts[place - CounterTable::AtPort].op);
  return place == CounterTable::InSource ? source : -1;
}

/// Seconds that the thread of a source waited, but for waits that are part of the work of what it
/// calls.
static double waitedIn(const CounterSample &interval, const SourceSample &source) {
  return secondsOf(interval, source.waited - (source.worked - source.ownWaited));
}

static ThreadNow threadNow(const Program &p, const CounterSample &run, const Thread &t,
                           std::string name, int32_t source) {
  ThreadNow now;
  now.name = std::move(name);
  now.source = source;
  uint64_t place = 0;
  if (uint64_t nanos = t.counters.blockedNow.nanos(run.nanos + p.show.began.nanos, place)) {
    now.forSpace = true;
    now.op = opAt(p, place, source);
    now.seconds = double(nanos) * 1e-9;
  } else if (uint64_t since = t.counters.waitingNow.since.get()) {
    place = t.counters.waitingNow.at.get();
    now.inWork = place >= CounterTable::AtPort; // a source that sleeps waits for its input
    now.op = opAt(p, place, source);
    if (uint64_t pacer = t.counters.waitingNow.pacer.get(); pacer >= CounterTable::AtPort) {
      now.paces = true;
      now.op = opAt(p, pacer, source);
    }
    now.seconds = secondsOf(run, int64_t(run.cycles + p.show.began.cycles - since));
    if (now.seconds <= 0)
      now.seconds = 1e-9; // it has just begun
  } else if (uint32_t port = portOf(t); port < p.desc.inPortCount) {
    now.op = int32_t(p.desc.inPorts[port].op);
  } else {
    now.op = source;
  }
  return now;
}

/// `interval`: what was counted in it, for how long sources waited.
static std::vector<ThreadNow> threadsNow(const Program &p, const CounterSample &run,
                                         const CounterSample &interval) {
  std::vector<ThreadNow> all;
  for (auto &s : p.threads.sources) {
    if (s->delays || s->isDaemon)
      continue;
    ThreadNow &now = all.emplace_back(threadNow(
        p, run, *s, "source " + std::string(p.desc.operators[s->op].name), int32_t(s->op)));
    for (const SourceSample &counted : interval.sources)
      if (counted.op == s->op) {
        now.waited = waitedIn(interval, counted);
        now.blocked = double(counted.blocked) * 1e-9;
      }
    if (now.seconds > 0 && !now.inWork && !now.forSpace) // the wait is counted when it ends
      now.waited = std::max(now.waited, std::min(now.seconds, double(interval.nanos) * 1e-9));
  }
  for (size_t i = 0; i < run.workers.size(); ++i)
    all.push_back(threadNow(p, run, *p.threads.workers[i], "worker " + std::to_string(i), -1));
  return all;
}

static trace::ThreadFigures figuresOf(const ThreadNow &t, double time) {
  const char *state = t.forSpace      ? "space"
                      : t.inWork      ? "work"
                      : t.seconds > 0 ? "waits"
                      : t.op >= 0     ? "runs"
                                      : "idle";
  return {t.name, state, t.op, t.seconds > 0 ? std::max(0.0, time - t.seconds) : -1};
}

/// Who works for long without a call that is timed, a source that is one segment say, has not
/// counted that yet: it is added to what it runs.
static void addUncharged(const Program &p, CounterSample &run) {
  static constexpr double kLong = 0.05; // seconds; batches that are not timed take less
  auto take = [&](const Thread &t) -> int64_t {
    auto cycles = int64_t(t.counters.uncharged(run.cycles + p.show.began.cycles));
    return secondsOf(run, cycles) > kLong ? cycles : 0;
  };
  for (auto &s : p.threads.sources) {
    uint32_t port = portOf(*s);
    for (SourceSample &source : run.sources)
      if (source.op == s->op && port >= p.desc.inPortCount && !s->ended)
        source.cycles += take(*s);
    if (port < p.desc.inPortCount)
      run.in[port].cycles += take(*s);
  }
  for (size_t i = 0; i < run.workers.size(); ++i)
    if (uint32_t port = portOf(*p.threads.workers[i]); port < p.desc.inPortCount)
      run.in[port].cycles += take(*p.threads.workers[i]);
}

//===--- what limits it ---------------------------------------------------------===//

static bool isQueue(const Program &p, uint32_t in) {
  const InPort *port = p.queues.domains.inPorts[in].get();
  // relaxed: as Port::setMode() says.
  return port && p.queues.scheduler &&
         port->port.mode.load(std::memory_order_relaxed) == queue::Mode::Queued;
}

static double roomOf(const InPort &in) { return double(in.port.ring.capacity()); }

/// Of what was counted in an interval, which is exact but for waits under way.
static CauseInput inputOf(const Program &p, const CounterSample &interval,
                          const std::vector<ThreadNow> &threads) {
  CauseInput in;
  in.length = double(interval.nanos) * 1e-9;
  in.cpus = os::usableCpus();
  in.threads = threads;
  Figures figures = sluice::figuresOf(p.desc, interval, /*whole=*/true);
  in.ops.resize(p.desc.operatorCount);
  in.ports.resize(p.desc.inPortCount);
  for (uint32_t i = 0; i < p.desc.operatorCount; ++i) {
    const OperatorDesc &op = p.desc.operators[i];
    OpLoad &to = in.ops[i];
    to.name = labelOf(op);
    if (std::string_view shared = p.table.instances.templateNames[i]; shared != op.name)
      to.group = shared;
    to.isSource = !op.inputs && !op.daemon;
    to.cpu = secondsOf(interval, int64_t(figures.operators[i].cycles));
    for (uint32_t out = op.firstOut; out < op.firstOut + op.outputs; ++out) {
      const OutPortDesc &port = p.desc.outPorts[out];
      to.to.insert(to.to.end(), port.consumers, port.consumers + port.consumerCount);
      in.moved += double(interval.out[out].rows);
    }
  }
  for (uint32_t i = 0; i < p.desc.inPortCount; ++i) {
    const InPortSample &counted = interval.in[i];
    in.ports[i] = {p.desc.inPorts[i].op, isQueue(p, i), double(counted.blocked) * 1e-9, 0};
    in.moved += double(counted.rows);
    in.ops[in.ports[i].op].slept += secondsOf(interval, counted.waited);
    in.ops[in.ports[i].op].paced += secondsOf(interval, counted.paced);
    if (const InPort *port = p.queues.domains.inPorts[i].get(); port && in.ports[i].isQueue)
      in.ports[i].fullness = double(counted.depth) / std::max(1.0, roomOf(*port));
  }
  for (const LinkSample &link : interval.links)
    if (link.sends) {
      in.ops[link.op].forCredits += double(link.waited) * 1e-9;
      in.ops[link.op].peer = link.peer;
    }
  return in;
}

Cause Looker::causeOfRun(const Program &p, double used, double others) {
  const CounterSample counted = sampleOfRun(p);
  // Threads have ended: only how long sources waited is known of them.
  std::vector<ThreadNow> threads;
  for (const SourceSample &source : counted.sources) {
    const OperatorDesc &op = p.desc.operators[source.op];
    if (op.daemon)
      continue;
    ThreadNow &now = threads.emplace_back();
    now.name = "source " + std::string(op.name);
    now.source = int32_t(source.op);
    now.waited = waitedIn(counted, source);
    now.blocked = double(source.blocked) * 1e-9;
  }
  CauseInput in = inputOf(p, counted, threads);
  for (uint32_t i = 0; i < in.ports.size(); ++i) // it was a queue for a while at least
    in.ports[i].isQueue |= counted.in[i].queued > 0;
  in.used = used;
  in.others = others;
  return causeOf(in);
}

//===--- the line ---------------------------------------------------------------===//

Looker::Looker(const Program &p) : p(p), before(sampleOfRun(p)) {
  os::CpuTime cpu = os::cpuTime();
  cpuBefore = cpu.own;
  othersBefore = cpu.all < 0 ? -1 : cpu.all - cpu.own;
}

static void addOperators(const Program &p, const Look &look, trace::Figures &line) {
  auto known = [](const Tuples &tuples) { return tuples ? double(*tuples) : -1; };
  for (uint32_t i = 0; i < p.desc.operatorCount; ++i) {
    const OperatorFigures &of = look.figures.operators[i];
    line.operators.push_back({p.isHere(i) ? known(of.in) : -1, p.isHere(i) ? known(of.out) : -1,
                              secondsOf(look.counted, int64_t(of.cycles)), 0, of.estimated});
  }
  for (const SourceSample &source : look.counted.sources)
    line.operators[source.op].waited += secondsOf(look.counted, source.ownWaited);
  for (uint32_t i = 0; i < p.desc.inPortCount; ++i)
    line.operators[p.desc.inPorts[i].op].waited +=
        secondsOf(look.counted, look.counted.in[i].waited);
}

static void addBoundaries(const Program &p, const Look &look, trace::Figures &line) {
  for (uint32_t i = 0; i < p.desc.inPortCount; ++i) {
    const InPort *port = p.queues.domains.inPorts[i].get();
    if (!port || !p.isHere(p.desc.inPorts[i].op))
      continue;
    const InPortSample &counted = look.counted.in[i];
    line.boundaries.push_back({i, isQueue(p, i), 1, double(counted.depth), roomOf(*port),
                               double(counted.blocked) * 1e-9});
    if (port->domain.reorder)
      line.boundaries.back().width = port->domain.reorder->getWidth();
  }
}

static void addCounts(const CounterSample &counted, trace::Figures &line) {
  for (const LeftOutSample &s : counted.leftOut)
    line.leftOut.push_back({s.op, infoOf(s.what).name, double(s.count)});
  for (const MetricSample &m : counted.metrics)
    line.metrics.push_back({m.op, m.name, double(m.value)});
  for (const LinkSample &l : counted.links)
    line.links.push_back(
        {l.op, l.peer, l.sends, double(l.tuples), double(l.bytes), double(l.waited) * 1e-9});
}

static void addMachine(const Program &p, const CounterSample &counted, trace::Figures &line) {
  line.memory = double(os::residentMemory());
  line.memoryLimit = double(p.options.memoryLimit);
  line.cpus = os::usableCpus();
  line.mostWorkers = uint32_t(counted.workers.size());
  line.workers = p.queues.scheduler ? p.queues.scheduler->getLevel() : 0;
  line.workers = std::min(line.workers, line.mostWorkers);
  for (const WorkerSample &worker : counted.workers)
    line.busy += double(worker.busy) * 1e-9;
}

/// What limits the program, by an interval and what threads do at its end.
trace::Limit Looker::limitIn(const CounterSample &interval, const std::vector<ThreadNow> &threads,
                             const trace::Figures &line) {
  CauseInput input = inputOf(p, interval, threads);
  for (const ThreadNow &t : threads) // what is under way is counted when it ends
    if ((t.inWork || t.paces) && t.op >= 0) {
      OpLoad &op = input.ops[size_t(t.op)];
      double &counted = t.inWork ? op.slept : op.paced;
      counted = std::max(counted, std::min(t.seconds, input.length));
    }
  input.used = line.cpu - cpuBefore;
  input.others = othersBefore < 0 ? 0 : std::max(0.0, line.others - othersBefore);
  cpuBefore = line.cpu;
  othersBefore = line.others;
  const Cause &cause = watch.add(causeOf(input));
  return {toString(cause.kind), cause.op, cause.text};
}

Look Looker::look() {
  static constexpr int64_t kLeast = os::kNanos / 5; // ns: a shorter interval says nothing
  Look look;
  look.counted = sampleOfRun(p);
  addUncharged(p, look.counted);
  look.figures = sluice::figuresOf(p.desc, look.counted, /*whole=*/true);
  CounterSample now = look.counted, interval = std::move(now) - before;
  trace::Figures &line = look.line;
  line.time = double(look.counted.nanos) * 1e-9;
  addOperators(p, look, line);
  addBoundaries(p, look, line);
  addCounts(look.counted, line);
  addMachine(p, look.counted, line);
  line.latencyHalf = latencyWithin(interval, 0.5);
  line.latencyMost = latencyWithin(interval, 0.99);
  std::vector<ThreadNow> threads = threadsNow(p, look.counted, interval);
  for (const ThreadNow &t : threads)
    line.threads.push_back(figuresOf(t, line.time));
  os::CpuTime cpu = os::cpuTime();
  line.cpu = cpu.own;
  line.others = cpu.all < 0 ? -1 : cpu.all - cpu.own;
  if (interval.nanos >= kLeast) {
    limit = limitIn(interval, threads, line);
    before = look.counted;
  }
  line.limit = limit;
  return look;
}

} // namespace sluice::watch
