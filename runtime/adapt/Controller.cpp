//===- Controller.cpp - carries out what a policy decides -----------------===//
#include "runtime/adapt/Controller.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/run/Queues.h"
#include <algorithm>
#include <cassert>
#include <cstdio>

namespace sluice::adapt {

/// Seconds of an interval that only the trace sees.
static constexpr double kWatchSeconds = 0.25;
/// The shortest interval that a policy may ask for: less, and the controller would do nothing but
/// sample.
static constexpr double kLeastSeconds = 0.001;
/// An interval that is longer than asked for by as much (and twice as long) has a stop in it.
static constexpr double kStopSeconds = 0.3;
static constexpr double kForEver = 1e9;

double Controller::now() const { return double(os::now() - p.show.began.nanos) * 1e-9; }

//===--- waiting ------------------------------------------------------------------===//

/// Sleeps for so many seconds, or until the end, or until a pause begins or ends.
Controller::Woken Controller::wait(double seconds) {
  int64_t until = os::now() + int64_t(seconds * 1e9);
  for (;;) {
    woken.lower();
    if (end->raised() || p.end.stop.raised())
      return Woken::End;
    if (pauseAsked.load(std::memory_order_relaxed) != paused)
      return Woken::Pause;
    int64_t left = until - os::now();
    if (left <= 0)
      return Woken::Time;
    os::sleepOn({end, &p.end.stop, &woken}, left);
  }
}

/// Measures an interval of so many seconds. False: it was cut short.
bool Controller::measureInterval(double seconds, elastic::Sample &sample) {
  Snapshot before = takeSnapshot(p);
  if (wait(std::max(seconds, kLeastSeconds)) != Woken::Time)
    return false;
  sample = measure(nodes, p.desc, set, p.show.began.nanos, before, takeSnapshot(p));
  return true;
}

/// True if the interval took much longer than was asked for: the process was stopped (job control,
/// a debugger, a machine that sleeps), which is no change of the load. After three of them in
/// succession the machine is so busy that threads get no processor in time, and such intervals have
/// to do.
bool Controller::wasStopped(const elastic::Sample &sample, double asked) {
  bool longer = sample.length > 2 * asked + kStopSeconds;
  stopped = longer ? stopped + 1 : 0;
  return longer && stopped < 3;
}

//===--- deciding -----------------------------------------------------------------===//

void Controller::decide(elastic::Decision decision) {
  ++decisions;
  trace->decision(decision);
  carryOut(decision);
  next = std::move(decision);
}

void Controller::carryOut(const elastic::Decision &decision) {
  if (!decision.changes())
    return;
  for (auto [node, queued] : decision.queues) {
    assert(nodes.graph.nodes[node].changeable && "a policy changes only what may be changed");
    nodes.ports[node]->port.setMode(queued ? queue::Mode::Queued : queue::Mode::Direct);
  }
  for (auto [node, width] : decision.widths)
    setWidth(p, self, *nodes.ports[node], width);
  if (decision.threads)
    setThreads(*decision.threads);
  elastic::apply(decision, set);
  ++changes;
  lastChange = now();
  trace->switched(lastChange, decision.queues, decision.widths);
  if (decision.threads)
    trace->threads(lastChange, *decision.threads);
}

//===--- the thread ---------------------------------------------------------------===//

void Controller::run(const os::Event &ended) {
  end = &ended;
  os::catchPause(&pauseAsked, &woken);
  if (policy)
    decide(policy->begin());
  for (elastic::Sample sample;;) {
    bool watching = paused || !policy; // only the trace sees what happens
    Woken why = wait(!watching ? next.warmUp : traces ? 0 : kForEver);
    if (why == Woken::End)
      break;
    if (why == Woken::Pause) {
      changePause();
    } else if (double asked = watching ? kWatchSeconds : next.interval;
               measureInterval(asked, sample)) {
      bool seen = !watching && !wasStopped(sample, asked);
      trace->sample(sample, seen);
      if (seen)
        decide(policy->step(sample));
    }
  }
  os::catchPause(nullptr, nullptr);
  spent = os::threadCpuTime();
}

void Controller::pause(bool asked) {
  pauseAsked.store(asked, std::memory_order_relaxed);
  woken.raise();
}

/// Pauses or resumes. A new policy then begins with the current configuration.
void Controller::changePause() {
  paused = !paused;
  paused ? trace->pause(now()) : trace->resume(now(), policy ? std::optional(set) : std::nullopt);
  if (paused || !policy)
    return;
  std::string error;
  policy = makePolicy(error);
  decide(policy->begin());
}

} // namespace sluice::adapt
