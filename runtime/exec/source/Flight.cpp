//===- Flight.cpp - how many batches are in flight ------------------------===//
//
// More batches than the threads can work at bring nothing: they fill memory and caches, and a
// change of what is queued has to wait for them. A source that would forward more works at what is
// in flight instead, as a worker does. Only sources are held back: batches in flight end at the
// sinks, so a worker that waited for that could wait for itself. Where batches are quick nothing is
// done, as many of them at a port at once save more than they cost.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/source/Flight.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include <algorithm>

namespace sluice {

/// Batches that may be in flight for each thread that works. One that is partitioned to channels
/// counts as many.
static constexpr int64_t kEach = 4;
/// Spans in ns. Where more than that is quick, what a source forwards in kQuick may be in flight,
/// but no more batches than run, at any ports, in kTurns: with fewer, batches gather at a few
/// ports, and a worker finds nothing at the others.
static constexpr int64_t kQuick = 25'000'000, kTurns = 1'000'000;
/// Bytes of those batches, at most. Batches are used again: if there are more than caches hold,
/// none is in a cache when it is.
static constexpr int64_t kQuickBytes = 4 << 20;
/// In ns. Where a source finds nothing to work at it naps, up to kPatience; what is still in flight
/// then stays for longer and is not counted any more (`stuck`). A single source naps as long as
/// anything runs: all of that is its own.
static constexpr int64_t kPatience = 10'000'000, kFirstNap = 50'000, kLongestNap = 1'000'000;
/// ns for which a source works at what others bring although it may forward again.
static constexpr int64_t kStretch = 1'000'000;

int64_t inFlightEach(const Program &p) { return kEach * p.table.parts; }

namespace {
/// What a source sees when it looks.
struct Flight {
  int64_t count = 0; // batches in flight
  int64_t most = 0;  // batches that may be in flight
  uint64_t ran = 0;  // batches that have run since the beginning
};
} // namespace

/// Counts the batches in flight, except for those at ports with a worker of their own, which are
/// meant to wait, and those in feedback loops. An estimate: each counter is read at a moment of its
/// own, so relaxed will do.
static Flight look(Source &s) {
  const Program &p = s.program;
  uint64_t queued = 0, ran = 0;
  int64_t quick = 0;
  auto add = [&](const Thread &t) {
    queued += t.counted.queued.load(std::memory_order_relaxed);
    ran += t.counted.ran.load(std::memory_order_relaxed);
  };
  add(*p.threads.main);
  for (auto &worker : p.threads.workers)
    add(*worker);
  for (auto &source : p.threads.sources) {
    add(*source);
    quick += source->quick.load(std::memory_order_relaxed);
  }
  auto count = int64_t(queued - ran);
  for (const InPort *in : p.queues.keepers)
    count -= int64_t(depthOf(*in));
  for (auto &loop : p.queues.domains.loops)
    count -= loop->inside.load(std::memory_order_relaxed);
  int64_t held = p.queues.scheduler->heldBytes();
  if (count > 0 && held > kQuickBytes / 4) // far more than the error of heldBytes()
    s.flight.bytes = held / count;
  if (s.flight.bytes > 0)
    quick = std::min(quick, kQuickBytes / s.flight.bytes);
  int64_t many = inFlightEach(p) * int64_t(p.queues.scheduler->getLevel() + p.threads.regular);
  return {std::max<int64_t>(0, count), std::max(quick, many), ran};
}

/// Updates the rates of the source: batches that it has queued itself, and that all have run.
/// `quick` is relaxed: an estimate for other sources.
static void noteRate(Source &s, int64_t now, uint64_t ran) {
  int64_t spent = now - s.flight.since;
  if (spent < kQuick / 2)
    return;
  uint64_t queued = s.counted.queued.load(std::memory_order_relaxed) - s.flight.helped;
  s.flight.batches.add(double(queued - s.flight.queued), spent);
  s.flight.runs.add(double(ran - s.flight.ran) / double(s.program.threads.regular), spent);
  s.quick.store(int64_t(std::min(s.flight.batches.within(kQuick), s.flight.runs.within(kTurns))),
                std::memory_order_relaxed);
  s.flight.ran = ran;
  s.flight.queued = queued;
  s.flight.since = now;
}

/// ns until about half of what may be in flight is left, by the rate of the source. A longer sleep
/// would leave others without work.
static int64_t untilHalf(const Source &s, const Flight &flight) {
  double each = s.flight.batches.within(kLongestNap);
  double nanos = each > 0
                     ? 0.75 * double(flight.count - flight.most / 2) * double(kLongestNap) / each
                     : double(kLongestNap);
  return int64_t(std::clamp(nanos, double(kFirstNap), double(kLongestNap)));
}

/// Sleeps; counted as a wait for space in a ring, which is neither work nor a wait for time or
/// data.
static void nap(Source &s, int64_t nanos) {
  Program &p = s.program;
  int64_t start = os::now();
  s.counters.beginBlocked(ThreadCounters::InSource, start);
  p.queues.scheduler->setRunning(false);
  p.end.stop.sleep(nanos);
  p.queues.scheduler->setRunning(true);
  s.counters.endBlocked(uint64_t(os::now() - start));
}

namespace {
/// A source that has queued many batches looks what is in flight, and waits if that is too much.
class Hold {
public:
  explicit Hold(Source &s) : s(s), p(s.program), start(os::now()), flight(look(s)) {
    noteRate(s, start, flight.ran);
    see();
  }
  void waitIfMany() {
    if (flight.count > flight.most)
      wait();
  }
  /// How many batches the source may queue before it looks again.
  uint64_t room() const {
    return uint64_t(
        std::max<int64_t>(1, (flight.most - flight.count) / int64_t(p.threads.regular)));
  }

private:
  void see() {
    flight = look(s);
    s.flight.stuck = std::min(s.flight.stuck, flight.count);
    flight.count -= s.flight.stuck;
  }
  bool isEnough() {
    see();
    bool longEnough = flight.count <= flight.most && os::now() - start > kStretch;
    return flight.count <= flight.most / 2 || longEnough || p.end.failing || p.end.stop.raised();
  }
  /// Where a worker runs on every processor one more thread only takes turns with them, and times
  /// that are measured become longer. With several sources this would make them wait for each
  /// other.
  bool isCrowded() const {
    return p.threads.regular == 1 &&
           p.queues.scheduler->getLevel() >= p.queues.scheduler->options.cpus;
  }
  /// Works at what is in flight. True: it is little enough; false: there is nothing to work at.
  bool help() {
    if (isCrowded())
      return isEnough();
    auto may = [](const queue::OwnershipToken<RealSys> &token) {
      return !static_cast<const Domain &>(token).ownThread;
    };
    return p.queues.scheduler->assist(s.pusher, [this] { return isEnough(); }, may);
  }
  void wait() {
    int64_t patience = kPatience;
    for (int64_t nanos = kFirstNap; !help(); nanos = std::min(2 * nanos, kLongestNap)) {
      if (patience <= 0) {
        s.flight.stuck += flight.count;
        flight.count = 0;
        break;
      }
      uint64_t before = flight.ran;
      nap(s, std::min(nanos, untilHalf(s, flight)));
      see();
      patience = flight.ran != before && p.threads.regular == 1 ? kPatience : patience - nanos;
    }
  }

  Source &s;
  Program &p;
  const int64_t start; // ns
  Flight flight;
};
} // namespace

void holdBack(Source &s) {
  Hold hold(s);
  // relaxed: the source reads what it wrote itself.
  const uint64_t queued = s.counted.queued.load(std::memory_order_relaxed);
  hold.waitIfMany();
  const uint64_t now = s.counted.queued.load(std::memory_order_relaxed);
  s.flight.helped += now - queued;
  s.flight.looksAt = now + hold.room();
}

/// Those that have run are counted first, then those that wait: if no more were queued by then none
/// was in flight. acquire: pairs with the release of countRan() and countQueued(). The main thread
/// has queued what waited at a checkpoint.
static bool areAllDone(const Program &p, const std::vector<InPort *> &waiting) {
  uint64_t ran = 0, queued = 0;
  auto sum = [&p](auto add) {
    add(*p.threads.main);
    for (auto &t : p.threads.workers)
      add(*t);
    for (auto &s : p.threads.sources)
      add(*s);
  };
  sum([&](const Thread &t) { ran += t.counted.ran.load(std::memory_order_acquire); });
  for (const InPort *in : waiting)
    ran += in->drops->depth();
  sum([&](const Thread &t) { queued += t.counted.queued.load(std::memory_order_acquire); });
  return ran == queued;
}

bool isQuiet(const Program &p) { return areAllDone(p, {}); }

bool isQuietButForDelays(const Program &p) { return areAllDone(p, p.queues.delays); }

void awaitQuiet(const Program &p) {
  os::Event never;
  for (int64_t nanos = 20'000; !isQuiet(p); nanos = std::min<int64_t>(nanos * 2, 1'000'000))
    never.sleep(nanos);
}

} // namespace sluice
