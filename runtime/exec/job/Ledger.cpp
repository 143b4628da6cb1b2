//===- Ledger.cpp - what outlives the PEs of a job ------------------------===//
#include "runtime/exec/job/Ledger.h"
#include "runtime/base/process.h"

namespace sluice {

Ledger::Ledger(JobSize size)
    : size(size), bytes((size_t(size.pes) + size.operators) * sizeof(Line)),
      lines(static_cast<Line *>(os::mapShared(bytes))) {}

Ledger::~Ledger() {
  if (lines)
    os::unmapShared(lines, bytes);
}

} // namespace sluice
