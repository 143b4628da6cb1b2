//===- FlushTimer.h - flushing what has waited long enough ------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include <memory>
#include <vector>

namespace sluice {

/// What the timer flushes. It is called by the timer's thread.
struct Flushable {
  virtual void flushByTimer() = 0;

protected:
  ~Flushable() = default;
};

/// A thread of the process that flushes each of the files added to it once in its period. It runs
/// while there are any.
class FlushTimer {
public:
  static FlushTimer &shared();
  void add(Flushable *, int64_t periodNanos);
  /// Afterwards the timer does not call it any more.
  void remove(Flushable *);

private:
  struct Entry {
    Flushable *file;
    int64_t period, left; // ns; until it is flushed, if the thread only sleeps
  };
  void run();
  int64_t flush(int64_t slept);

  os::Lock users; // held while the thread is started or ended
  os::Lock lock;  // guards `entries`; held while one is flushed
  std::vector<Entry> entries;
  std::unique_ptr<os::Event> changed;
  os::Thread thread;
};

} // namespace sluice
