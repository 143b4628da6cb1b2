//===- Chaos.h - random changes of a running program --------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/abi.h"

namespace sluice {

/// --chaos, for tests: changes modes, widths and the level at random until the end. On a thread of
/// its own.
void chaosUntil(Program &, os::Event &end);

} // namespace sluice
