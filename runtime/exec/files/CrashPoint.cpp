//===- CrashPoint.cpp - where tests end a process ---------------------------===//
#include "runtime/exec/files/CrashPoint.h"
#include <atomic>
#include <csignal>
#include <cstdlib>

namespace sluice::checkpoint {

void crashPoint() {
  static const char *const text = getenv("SLUICE_CRASH_AT");
  static const long at = text ? atol(text) : 0;
  static std::atomic<long> reached{0}; // relaxed: only counted
  if (at && reached.fetch_add(1, std::memory_order_relaxed) + 1 == at)
    raise(SIGKILL);
}

} // namespace sluice::checkpoint
