//===- Engine.cpp - threads, rings and time --------------------------------===//
#include "runtime/sim/Engine.h"
#include <algorithm>
#include <cmath>
#include <utility>

namespace sluice::sim {

//===--- time -------------------------------------------------------------------===//

void Engine::schedule(uint32_t thread, double delay) {
  events.push_back({now + delay, order++, thread});
  std::push_heap(events.begin(), events.end());
}

void Engine::moveTo(double time) {
  double passed = time - now;
  sums.nanos += passed;
  sums.idle += idleWorkers * passed;
  sums.parked += parkedWorkers * passed;
  sums.blocked += blockedWorkers * passed;
  sums.cpu += std::fmin(running, machine.cpus()) * passed;
  now = time;
}

void Engine::setState(uint32_t number, State state) {
  Thread &t = threads[number];
  auto count = [&](uint32_t by) {
    if (t.source >= 0)
      return;
    idleWorkers += t.state == State::Idle ? by : 0;
    parkedWorkers += t.state == State::Parked ? by : 0;
    blockedWorkers += t.state == State::Blocked ? by : 0;
  };
  count(~0u);
  t.state = state;
  count(1);
  // Threads of IBM's runtime spin where ours sleep.
  bool runs = state == State::Runs || (state == State::Blocked && runtime.spinNanos == 0);
  if (runs != t.running)
    running += runs ? 1 : ~0u;
  t.running = runs;
}

void Engine::clear() {
  sums = {};
  sums.regions.resize(current.regions.size());
}

bool Engine::run(uint64_t count) {
  for (; count && !events.empty(); --count) {
    std::pop_heap(events.begin(), events.end());
    Event event = events.back();
    events.pop_back();
    moveTo(event.time);
    if (sleeps(event.thread))
      continue;
    if (threads[event.thread].stack.empty())
      findWork(event.thread);
    else
      advance(event.thread);
  }
  for (size_t i = 0; i < ports.size(); ++i)
    sums.regions[i].depth = runtime.copies ? ports[i].rows : ports[i].batches;
  return !events.empty();
}

/// The thread sleeps from here on, as its rows wait for a device. False: it does not, or no more.
bool Engine::sleeps(uint32_t number) {
  Thread &t = threads[number];
  double nanos = std::exchange(t.sleep, 0);
  if (nanos > 0) {
    setState(number, State::Asleep);
    schedule(number, nanos);
  } else if (t.state == State::Asleep) {
    setState(number, State::Runs);
  }
  return nanos > 0;
}

void Engine::configure(Plan plan, uint32_t newLevel) {
  ports.assign(plan.regions.size(), {});
  events.clear();
  ready.clear();
  idle.clear();
  double all = 0, slowest = 0;
  for (const Region &region : plan.regions) {
    all += region.load;
    slowest = std::fmax(slowest, region.load);
  }
  // Either all wait for one region, or there are not enough threads for all regions.
  bool manyThreads = slowest > all * machine.slowdown(newLevel) / newLevel;
  running = idleWorkers = parkedWorkers = blockedWorkers = queuedRegions = 0;
  threads.assign(workers, {});
  for (uint32_t i = 0; i < plan.regions.size(); ++i) {
    const Region &region = plan.regions[i];
    queuedRegions += region.queued;
    ports[i].pending.assign(region.outputs.size(), 0);
    if (region.queued) {
      double full = runtime.copies ? runtime.ringRows / runtime.batchRows : runtime.ringBatches;
      ports[i].batches = manyThreads ? (region.backedUp ? full : 0) : std::floor(full / 2);
      ports[i].rows = ports[i].batches * runtime.batchRows;
    }
    if (region.source) {
      threads.emplace_back();
      threads.back().source = int32_t(i);
    }
  }
  current = std::move(plan);
  level = newLevel;
  clear();
  for (uint32_t i = 0; i < ports.size(); ++i)
    if (ports[i].rows > 0) {
      ports[i].entered = true;
      ready.push_back(i);
    }
  for (uint32_t i = uint32_t(threads.size()); i-- > 0;) {
    if (threads[i].source < 0) {
      schedule(i, 0);
      continue;
    }
    ports[uint32_t(threads[i].source)].owner = int32_t(i);
    enter(i, uint32_t(threads[i].source), Kind::Source, 0, 0);
    nextBatch(i);
  }
}

//===--- a batch runs -----------------------------------------------------------===//

void Engine::enter(uint32_t number, uint32_t region, Kind kind, double left, double until) {
  ports[region].owner = int32_t(number);
  threads[number].stack.push_back({region, kind, 0, 0, -1, left, until});
}

void Engine::begin(uint32_t number, uint32_t to, double rows, bool fromRing) {
  Thread &t = threads[number];
  setState(number, State::Runs);
  const Region &region = current.regions[to];
  Frame &frame = t.stack.back();
  frame.rows = rows;
  frame.output = 0;
  frame.handing = -1;
  double nanos = (rows * region.rowNanos + region.batchNanos + t.debt) * machine.slowdown(running);
  t.debt = 0;
  if (region.copyBytes > 0) { // all copies share the bandwidth of the memory
    busFree = std::fmax(busFree, now) + rows * region.copyBytes / machine.memoryBytesPerNano;
    nanos = std::fmax(nanos, busFree - now);
  }
  Flow &flow = sums.regions[to];
  flow.rows += rows;
  flow.batches += 1;
  flow.queued += fromRing;
  flow.busy += nanos;
  flow.asleep += t.sleep = rows * region.sleepNanos;
  schedule(number, nanos);
}

/// Begins the next batch of the turn on top of the stack. False if the turn is over.
bool Engine::nextBatch(uint32_t number) {
  Frame &frame = threads[number].stack.back();
  if (frame.kind == Kind::Source) {
    begin(number, frame.region, runtime.batchRows, false);
    return true;
  }
  Port &port = ports[frame.region];
  if (frame.kind == Kind::Inline || port.rows <= 0 || frame.left <= 0 || now > frame.until)
    return false;
  double rows = runtime.copies ? std::fmin(port.rows, runtime.batchRows) : port.rows / port.batches;
  port.batches -= 1;
  port.rows =
      port.rows - rows < 1e-6 || (!runtime.copies && port.batches < 0.5) ? 0 : port.rows - rows;
  frame.left -= rows;
  begin(number, frame.region, rows, true);
  if (!port.waiters.empty()) { // There is space again. A thread that still spins sees it.
    uint32_t first = port.waiters.front();
    if (runtime.spinNanos == 0 || now - threads[first].since < runtime.spinNanos) {
      port.waiters.erase(port.waiters.begin());
      unblock(first, frame.region);
    }
  }
  return true;
}

/// The thread has run its batch, or what it waited for may have come. It goes on until it computes
/// or waits.
void Engine::advance(uint32_t number) {
  for (;;) {
    if (forward(number) || nextBatch(number))
      return;
    Frame done = threads[number].stack.back();
    threads[number].stack.pop_back();
    release(done.region);
    if (threads[number].stack.empty())
      return findWork(number);
  }
}

/// Forwards the batch to all outputs. True if the thread computes or waits meanwhile.
bool Engine::forward(uint32_t number) {
  for (;;) {
    Frame &frame = threads[number].stack.back();
    const std::vector<Output> &outputs = current.regions[frame.region].outputs;
    if (frame.output == outputs.size() || frame.rows <= 0)
      return false;
    if (frame.handing < 0) {
      double &pending = ports[frame.region].pending[frame.output];
      pending += frame.rows * outputs[frame.output].rows;
      frame.handing = std::floor(pending + 1e-6);
      pending -= frame.handing;
    }
    uint32_t to = outputs[frame.output].region;
    double rows = frame.handing;
    uint32_t depth = uint32_t(threads[number].stack.size());
    if (rows >= 1 && !push(number, to, rows))
      return true; // it tries again after it has waited or helped
    Frame &same = threads[number].stack[depth - 1];
    ++same.output;
    same.handing = -1;
    if (threads[number].stack.size() > depth)
      return true; // it runs inline
  }
}

//===--- pushing ----------------------------------------------------------------===//

bool Engine::fits(const Port &port, double rows) const {
  if (port.rows <= 0)
    return true;
  return runtime.copies ? port.rows + rows <= runtime.ringRows
                        : port.batches + 1 <= runtime.ringBatches;
}

/// True if the rows have gone, into the ring or as a new frame. False if the thread helps or waits.
bool Engine::push(uint32_t number, uint32_t to, double rows) {
  Port &port = ports[to];
  bool queued = current.regions[to].queued;
  if (!queued && port.owner < 0 && port.rows <= 0) {
    enter(number, to, Kind::Inline, 0, 0);
    begin(number, to, rows, false);
    return true;
  }
  bool refused =
      !queued && runtime.copies; // direct ports of IBM's runtime take nothing from others
  if (!refused && fits(port, rows)) {
    port.rows += rows;
    port.batches += 1;
    notify(to, number);
    return true;
  }
  if (port.owner < 0) {
    enter(number, to, Kind::Help, runtime.helpRows, now + 1e15);
    nextBatch(number);
    return false;
  }
  block(number, to);
  return false;
}

void Engine::block(uint32_t number, uint32_t region) {
  threads[number].since = now;
  setState(number, State::Blocked);
  ports[region].waiters.push_back(number);
}

void Engine::unblock(uint32_t number, uint32_t region) {
  Thread &t = threads[number];
  double waited = now - t.since;
  sums.regions[region].blocked += waited;
  if (t.source >= 0)
    sums.regions[uint32_t(t.source)].blocked += waited;
  setState(number, State::Runs);
  schedule(number, runtime.spinNanos == 0       ? 0
                   : waited < runtime.spinNanos ? 100
                                                : runtime.wakeNanos);
}

void Engine::notify(uint32_t region, uint32_t by) {
  Port &port = ports[region];
  if (port.owner >= 0 || port.entered)
    return; // the owner looks again before it releases the token
  port.entered = true;
  ready.push_back(region);
  if (!runtime.wakes || idle.empty())
    return;
  uint32_t worker = idle.back();
  idle.pop_back();
  bool asleep = now - threads[worker].since > runtime.spinNanos / 4;
  setState(worker, State::Runs);
  schedule(worker, asleep ? runtime.wakeNanos : 100);
  if (asleep)
    threads[by].debt += runtime.wakerNanos;
}

void Engine::release(uint32_t region) {
  Port &port = ports[region];
  uint32_t by = uint32_t(port.owner);
  port.owner = -1;
  if (port.rows > 0)
    notify(region, by);
  // A thread that waits for a flag passes it on; one that waits for space may have to help.
  bool one = runtime.copies && !current.regions[region].queued;
  while (!port.waiters.empty()) {
    uint32_t first = port.waiters.front();
    port.waiters.erase(port.waiters.begin());
    unblock(first, region);
    if (one)
      break;
  }
}

//===--- workers ----------------------------------------------------------------===//

void Engine::findWork(uint32_t number) {
  Thread &t = threads[number];
  if (number >= level)
    return setState(number, State::Parked);
  while (!ready.empty()) {
    uint32_t region = ready.front();
    ready.pop_front();
    Port &port = ports[region];
    port.entered = false;
    if (port.owner >= 0 || port.rows <= 0)
      continue;
    t.debt += runtime.findNanos + runtime.scanNanos * queuedRegions / double(ready.size() + 1);
    t.backOff = 0;
    enter(number, region, Kind::Entry, runtime.quantumRows,
          runtime.quantumNanos > 0 ? now + runtime.quantumNanos : now + 1e15);
    nextBatch(number);
    return;
  }
  setState(number, State::Idle);
  t.since = now;
  if (runtime.wakes) {
    idle.push_back(number);
    return;
  }
  t.backOff =
      std::clamp(t.backOff * 10, 1e3, 1e6); // IBM's runtime: up to 100 ms, longer than a stretch
  schedule(number, t.backOff);
}

} // namespace sluice::sim
