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
/// Work that ends may move nothing for long. So a thread gets more than stopTimeout:
/// * 60 times as much while it is in the C++ of an operator of the standard toolkit, which sorts
///   say, and not in code of others that it submits to; and while it handles punctuation, the final
///   one or that of a batch with markers in it, as this may go through all that an operator keeps.
/// * One second more for each 16 MiB that the program holds, as one tuple may end a window.
/// * For a batch, as it is not known which row a thread is at, twice the time that its rows would
///   take at the average of those at the same port so far; 12 times the usual at most.
/// C++ of toolkits gets stopTimeout, or what its batch does.
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
