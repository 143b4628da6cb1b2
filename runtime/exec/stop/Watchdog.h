//===- Watchdog.h - operators that do not come to an end --------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include <cstdint>
#include <vector>

namespace sluice {

struct Program;
struct Thread;
struct CounterSample;

/// Sleeps until the program is told to end, or fails. From then on it looks whether anything moves:
/// tuples, batches, frames. If nothing does for RunOptions::stopTimeout while threads compute
/// inside operators, `while (true) {}` say, it ends the process with a report that names them.
///
/// A row of a batch that takes long is not seen to end. So a thread gets twice the time that its
/// batch would take if each row took as long as those at the same port took on average, twelve
/// times the usual at most.
class Watchdog {
public:
  explicit Watchdog(Program &);
  ~Watchdog();
  Watchdog(const Watchdog &) = delete;
  /// The threads of sources and workers are made.
  void threadsAreMade() { hasThreads.store(true, std::memory_order_release); }

private:
  /// A thread, and the processor time that it had taken when something moved last.
  struct Watched {
    Thread *thread;
    double seconds;
  };
  void run();
  void look();
  void begin();
  bool isStuck(const Watched &, const CounterSample &) const;
  [[noreturn]] void end(const std::vector<Thread *> &, const CounterSample &);

  Program &p;
  os::Event over;
  std::atomic<bool> hasThreads{false}; // release and acquire: the lists of threads are complete
  int64_t asked = 0, moved = 0;        // ns, when it was told to end; when something moved last
  uint64_t last = 0;                   // what had moved by then
  std::vector<Watched> watched;
  os::Thread thread;
};

} // namespace sluice
