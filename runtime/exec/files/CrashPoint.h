//===- CrashPoint.h - where tests end a process --------------------*- C++ -*-===//
#pragma once

namespace sluice::checkpoint {

/// For tests: the process dies at the point with the number that SLUICE_CRASH_AT says, counted from
/// 1 as they come, as if it had been killed. Without it, nothing.
void crashPoint();

} // namespace sluice::checkpoint
