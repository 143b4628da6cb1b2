//===- EndInside.cpp - the end of a program in the middle of a run -------===//
#include "runtime/exec/ending/EndInside.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/ending/StillDomains.h"
#include <algorithm>

namespace sluice {

/// Closes the operators that submit nothing, so that they write what they keep.
static void closeSinks(Program &p, const StillDomains &still, const std::vector<uint32_t> &leaves) {
  for (uint32_t i = 0; i < p.nativeOps.size(); ++i) {
    const OperatorDesc &op = p.desc.operators[p.nativeOps[i]];
    if (p.natives[i] && !op.outputs && still.has(*p.domains.ofOperator[p.nativeOps[i]]) &&
        std::ranges::find(leaves, p.nativeOps[i]) == leaves.end())
      p.natives[i]->close();
  }
}

void endInside(Program &p, Thread *inside, const std::vector<uint32_t> &leaves,
               const std::function<void(const StillDomains &)> &report) {
  p.failing = true;
  p.failed.raise();
  p.stop.raise();
  StillDomains still(p, inside);
  still.await();
  report(still);
  closeSinks(p, still, leaves);
  flushOutput(p);
  os::endProcess(1);
}

} // namespace sluice
