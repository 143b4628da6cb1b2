//===- Stopping.cpp - how long work may go on ----------------------------===//
#include "runtime/exec/ending/Stopping.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Thread.h"

namespace sluice {

static constexpr int64_t kGraceNanos = 500'000'000; // to finish what was begun after a stop

bool overdue(Thread &t) {
  if (!t.program.end.stop.raised())
    return false;
  if (!t.trouble.stopSeen)
    t.trouble.stopSeen = os::now();
  return os::now() - t.trouble.stopSeen > kGraceNanos;
}

} // namespace sluice
