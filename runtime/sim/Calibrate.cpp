//===- Calibrate.cpp - what this machine charges ---------------------------===//
#include "runtime/sim/Calibrate.h"
#include "runtime/queue/Scheduler.h"
#include <algorithm>
#include <cstring>

namespace sluice::sim {

namespace {

using queue::Mode;
using queue::RealSys;

/// The lower quartile, which leaves out runs that other programs disturbed.
double quartile(std::vector<double> &times) {
  auto at = times.begin() + long(times.size() / 4);
  std::nth_element(times.begin(), at, times.end());
  return *at;
}

/// Nanoseconds for each of the `count` things that `body` does.
template <class Body> double measure(int runs, double count, Body body) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    int64_t start = os::now();
    body();
    times.push_back(double(os::now() - start) / count);
  }
  return quartile(times);
}

/// Makes the compiler take the value as used.
template <class T> void keep(T &value) { asm volatile("" : "+m"(value) : : "memory"); }

//===--- boundaries -------------------------------------------------------------===//

/// A consumer of items that does nothing.
struct Nothing {
  struct Saved {};
  using Self = queue::Self<RealSys>;
  using Port = queue::Port<RealSys>;
  Saved enter(Self &, queue::OwnershipToken<RealSys> &) { return {}; }
  void leave(Self &, queue::OwnershipToken<RealSys> &, Saved) {}
  int32_t run(Self &, Port &, queue::Item) { return 0; }
  int32_t runInline(Self &, Port &, queue::Item) { return 0; }
  int32_t runTicket(Self &, queue::Run<RealSys> &, queue::Item) { return 0; }
  int32_t handOut(Self &, queue::Run<RealSys> &) { return 0; }
  bool isAlone(Port &, queue::Item) { return false; }
};

/// Nanoseconds of a push to a port by a thread alone: it runs inline, or goes into a ring of 64,
/// which the thread empties itself when it is full.
double pushNanos(Mode mode) {
  Nothing client;
  queue::OwnershipToken<RealSys> word;
  queue::Port<RealSys> port(word, {64, 1 << 30}, mode);
  queue::SchedulerOptions options;
  options.cpus = os::usableCpus();
  queue::Scheduler<RealSys, Nothing> scheduler(options, client);
  auto self = scheduler.makeSelf();
  constexpr int kCount = 400'000;
  return measure(7, kCount, [&] {
    int32_t status;
    for (int i = 0; i < kCount; ++i)
      scheduler.push(self, port, nullptr, 64, status);
  });
}

//===--- between cores ------------------------------------------------------------===//

/// Two threads call `body(turn)` by turns. The calling thread has the even turns.
template <class Body> void inTurn(uint64_t turns, Body body) {
  std::atomic<uint64_t> turn{0};
  auto play = [&](uint64_t first) {
    for (uint64_t i = first; i < turns; i += 2) {
      for (int spins = 0; turn.load(std::memory_order_acquire) != i;)
        if (++spins % 4096)
          os::spinPause();
        else
          os::yieldThread();
      body(i);
      turn.store(i + 1, std::memory_order_release);
    }
  };
  os::Thread other([&] { play(1); }, 1 << 20);
  play(0);
}

double lineNanos() {
  constexpr uint64_t kTurns = 40'000;
  return measure(7, kTurns, [&] { inTurn(kTurns, [](uint64_t) {}); });
}

/// Nanoseconds to read a byte that another core has just written.
double touchNanos() {
  std::vector<uint64_t> block(2048);
  std::vector<double> times;
  inTurn(4000, [&](uint64_t turn) {
    if (turn % 2) {
      for (uint64_t &word : block)
        word = turn;
      return;
    }
    int64_t start = os::now();
    uint64_t sum = 0;
    for (uint64_t word : block)
      sum += word;
    keep(sum);
    times.push_back(double(os::now() - start));
  });
  return quartile(times) / (2048 * 8);
}

//===--- copies -------------------------------------------------------------------===//

/// Nanoseconds to copy a byte, in blocks of 16 KiB that go round in so many bytes.
double copyNanos(size_t bytes) {
  constexpr size_t kBlock = 16384;
  std::vector<char> from(bytes, 1), to(bytes);
  size_t blocks = bytes / kBlock, count = std::max<size_t>(blocks, 4096), at = 0;
  return measure(5, double(count * kBlock), [&] {
    for (size_t i = 0; i < count; ++i, at = (at + 1) % blocks)
      memcpy(&to[at * kBlock], &from[at * kBlock], kBlock);
    keep(to[0]);
  });
}

/// Bytes a nanosecond that all cores together move through memory. A copied byte is read, fetched
/// and written.
double bandwidth(uint32_t threads) {
  constexpr size_t kBytes = 48 << 20;
  std::vector<std::vector<char>> from(threads, std::vector<char>(kBytes, 1)),
      to(threads, std::vector<char>(kBytes));
  double nanos = measure(5, 1, [&] {
    std::vector<os::Thread> team;
    for (uint32_t i = 0; i < threads; ++i)
      team.emplace_back([&, i] { memcpy(to[i].data(), from[i].data(), kBytes); }, 1 << 20);
  });
  return 3.0 * double(kBytes) * threads / nanos;
}

//===--- sleep --------------------------------------------------------------------===//

/// Measures the time until a sleeping thread runs, and what waking it takes.
void wakeNanos(double &sleeper, double &waker) {
  std::atomic<uint32_t> word{0};
  std::atomic<int64_t> woken{0};
  std::vector<double> delays, calls;
  os::Event never;
  for (int i = 0; i < 200; ++i) {
    word = 0;
    woken = 0;
    os::Thread other(
        [&] {
          while (word.load() == 0)
            os::park(word, 0);
          woken = os::now();
        },
        1 << 20);
    never.sleep(200'000); // it sleeps by now
    int64_t start = os::now();
    word = 1;
    os::wake(word, false);
    calls.push_back(double(os::now() - start));
    other.join();
    delays.push_back(double(woken - start));
  }
  sleeper = quartile(delays);
  waker = quartile(calls);
}

double flopNanos() {
  constexpr int kCount = 1'000'000;
  double x = 1, factor = 1.0000001;
  keep(factor);
  double result = measure(5, kCount, [&] {
    for (int i = 0; i < kCount / 2; ++i) {
      x = x * factor;
      x = x + -1e-7;
    }
    keep(x);
  });
  return result;
}

} // namespace

Machine calibrate() {
  Machine result;
  result.name = "calibrated";
  result.cores = os::usableCpus();
  result.flopNanos = flopNanos();
  result.directNanos = pushNanos(Mode::Direct);
  result.queueNanos = pushNanos(Mode::Queued);
  result.copyByteNanos = copyNanos(64 << 10);
  result.missByteNanos = copyNanos(192 << 20);
  result.memoryBytesPerNano = bandwidth(os::usableCpus());
  wakeNanos(result.wakeNanos, result.wakerNanos);
  if (os::usableCpus() > 1) {
    result.lineNanos = lineNanos();
    result.touchByteNanos = touchNanos();
  }
  return result;
}

} // namespace sluice::sim
