//===- Stopping.cpp - how long work may go on ----------------------------===//
#include "runtime/exec/ending/Stopping.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Thread.h"
#include "runtime/queue/Team.h"

namespace sluice {

static constexpr int64_t kGraceNanos = 500'000'000; // to finish what was begun after a stop

//===--- turns ----------------------------------------------------------------===//

bool overdue(Thread &t) {
  if (!t.program.stop.raised())
    return false;
  if (!t.stopSeen)
    t.stopSeen = os::now();
  return os::now() - t.stopSeen > kGraceNanos;
}

} // namespace sluice
