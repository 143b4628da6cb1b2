//===- FlushTimer.cpp - flushing what has waited long enough --------------===//
#include "stdlib/operators/FileSink/FlushTimer.h"
#include <algorithm>

namespace sluice {

constexpr size_t kStackBytes = 256 * 1024;

FlushTimer &FlushTimer::shared() {
  static FlushTimer timer;
  return timer;
}

void FlushTimer::add(Flushable *file, int64_t periodNanos) {
  os::Held held(users);
  bool isFirst;
  {
    os::Held entriesHeld(lock);
    isFirst = entries.empty();
    entries.push_back({file, periodNanos, periodNanos});
  }
  if (!isFirst)
    return changed->raise();
  changed = std::make_unique<os::Event>();
  thread = os::Thread([this] { run(); }, kStackBytes);
}

void FlushTimer::remove(Flushable *file) {
  os::Held held(users);
  bool isLast;
  {
    os::Held entriesHeld(lock);
    std::erase_if(entries, [&](const Entry &entry) { return entry.file == file; });
    isLast = entries.empty();
  }
  if (!isLast)
    return;
  changed->raise();
  thread.join();
}

/// Flushes what is due after a sleep of so many ns. ns until the next is; below 0: there is none.
int64_t FlushTimer::flush(int64_t slept) {
  os::Held held(lock);
  int64_t next = -1;
  for (Entry &entry : entries) {
    entry.left -= slept;
    if (entry.left <= 0) {
      entry.file->flushByTimer();
      entry.left = entry.period;
    }
    next = next < 0 ? entry.left : std::min(next, entry.left);
  }
  return next;
}

void FlushTimer::run() {
  for (int64_t left = flush(0); left >= 0;) {
    bool isChanged = changed->sleep(left);
    if (isChanged)
      changed->lower();
    left = flush(isChanged ? 0 : left);
  }
}

} // namespace sluice
