//===- Flight.cpp - how many batches are on their way ---------------------===//
//
// More batches than threads can work at bring nothing: they fill memory and caches, and
// whoever changes what is queued has to wait for them. A source that would forward more
// works at what there is instead, as a worker does. Sources only: what is in flight
// ends at the sinks, so workers must never be held back by it. Where turns are quick
// nothing is done: many batches at once at a port save more than they cost.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/program/Program.h"
#include <algorithm>

namespace sluice {

static constexpr int64_t kEach =
    4; // batches in flight for each thread that works; one that is partitioned to channels is many
/// Nanoseconds. What sources forward in kQuick may be in flight, but no more batches than are run,
/// at whatever ports, in kTurns: with less, batches come together at one of few ports, and a worker
/// finds nothing at the others.
static constexpr int64_t kQuick = 25'000'000, kTurns = 1'000'000;
/// Nor more than caches hold: batches are used again, and the more there are the longer ago.
static constexpr int64_t kQuickBytes = 4 << 20;
/// Where there is nothing to work at, others have it all and a source waits; what is still there
/// after that is where it is for longer, and counts no more. A source that is alone waits as long
/// as anything is run: all of that is its own.
static constexpr int64_t kPatience = 10'000'000, kFirstNap = 50'000, kLongestNap = 1'000'000;
/// So long it works at what others bring though there is room for it, too.
static constexpr int64_t kStretch = 1'000'000;

int64_t inFlightEach(const Program &p) { return kEach * p.parts; }

namespace {
struct Flight {
  int64_t count = 0; // in flight
  int64_t most = 0;  // that may be
  uint64_t ran = 0;  // since the beginning
};
} // namespace

/// Batches that were queued and have not been run, about: every counter is read at a moment of its
/// own. Those that wait where they are meant to, or go round, do not count.
static Flight look(Source &s) {
  const Program &p = s.program;
  uint64_t queued = 0, ran = 0;
  int64_t quick = 0;
  auto add = [&](const Thread &t) {
    queued += t.queued.load(std::memory_order_relaxed);
    ran += t.ran.load(std::memory_order_relaxed);
  };
  for (auto &worker : p.workers)
    add(*worker);
  for (auto &source : p.sources) {
    add(*source);
    quick += source->quick.load(std::memory_order_relaxed);
  }
  auto count = int64_t(queued - ran);
  for (const InPort *in : p.keepers)
    count -= int64_t(depthOf(*in));
  for (auto &loop : p.domains.loops)
    count -= loop->inside.load(std::memory_order_relaxed);
  int64_t held = p.scheduler->heldBytes();
  if (count > 0 && held > kQuickBytes / 4) // far more than it may be wrong by
    s.flight.bytes = held / count;
  if (s.flight.bytes > 0)
    quick = std::min(quick, kQuickBytes / s.flight.bytes);
  int64_t many = inFlightEach(p) * int64_t(p.scheduler->getLevel() + p.sources.size());
  return {std::max<int64_t>(0, count), std::max(quick, many), ran};
}

/// Notes how many batches it has queued itself, and how many all have run.
static void noteRate(Source &s, int64_t now, uint64_t ran) {
  int64_t spent = now - s.flight.since;
  if (spent < kQuick / 2)
    return;
  uint64_t queued = s.queued.load(std::memory_order_relaxed) - s.flight.helped;
  s.flight.batches.add(double(queued - s.flight.queued), spent);
  s.flight.runs.add(double(ran - s.flight.ran) / double(s.program.sources.size()), spent);
  s.quick.store(int64_t(std::min(s.flight.batches.within(kQuick), s.flight.runs.within(kTurns))),
                std::memory_order_relaxed);
  s.flight.ran = ran;
  s.flight.queued = queued;
  s.flight.since = now;
}

/// How long it takes about until half of what may be in flight is left, by how many batches the
/// source brings: who sleeps for longer leaves others without work.
static int64_t untilHalf(const Source &s, const Flight &flight) {
  double each = s.flight.batches.within(kLongestNap);
  double nanos = each > 0
                     ? 0.75 * double(flight.count - flight.most / 2) * double(kLongestNap) / each
                     : double(kLongestNap);
  return int64_t(std::clamp(nanos, double(kFirstNap), double(kLongestNap)));
}

/// Who waits for space in a ring: neither work nor a wait for time or data.
static void nap(Source &s, int64_t nanos) {
  Program &p = s.program;
  s.counters.beginWait();
  p.scheduler->setRunning(false);
  int64_t start = os::now();
  p.stop.sleep(nanos);
  p.scheduler->setRunning(true);
  s.counters.blocked.add(uint64_t(os::now() - start));
  s.counters.endWait();
}

void holdBack(Source &s) {
  Program &p = s.program;
  const int64_t start = os::now();
  Flight flight = look(s);
  noteRate(s, start, flight.ran);
  auto see = [&] {
    flight = look(s);
    s.flight.stuck = std::min(s.flight.stuck, flight.count);
    flight.count -= s.flight.stuck;
  };
  see();
  const uint64_t queued = s.queued.load(std::memory_order_relaxed);
  if (flight.count > flight.most) {
    auto enough = [&] {
      see();
      bool longEnough = flight.count <= flight.most && os::now() - start > kStretch;
      return flight.count <= flight.most / 2 || longEnough || p.failing || p.stop.raised();
    };
    auto may = [](const queue::OwnershipToken<RealSys> &token) {
      return !static_cast<const Domain &>(token).ownThread;
    };
    // Where there is a worker for every core, one more thread takes turns with them: nothing is
    // gained, and times that are measured are longer by that. Several sources would wait for each
    // other.
    auto crowded = [&] {
      return p.sources.size() == 1 && p.scheduler->getLevel() >= p.scheduler->options.cpus;
    };
    int64_t patience = kPatience;
    for (int64_t nanos = kFirstNap;
         crowded() ? !enough() : !p.scheduler->assist(s.pusher, enough, may);
         nanos = std::min(2 * nanos, kLongestNap)) {
      if (patience <= 0) {
        s.flight.stuck += flight.count;
        flight.count = 0;
        break;
      }
      uint64_t before = flight.ran;
      nap(s, std::min(nanos, untilHalf(s, flight)));
      see();
      patience = flight.ran != before && p.sources.size() == 1 ? kPatience : patience - nanos;
    }
  }
  uint64_t now = s.queued.load(std::memory_order_relaxed);
  s.flight.helped += now - queued;
  s.flight.looksAt =
      now +
      uint64_t(std::max<int64_t>(1, (flight.most - flight.count) / int64_t(p.sources.size())));
}

} // namespace sluice
