//===- Threads.h - threads of sources ---------------------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/abi.h"

namespace sluice {

class Adapter;

/// Starts a thread for each source, and those that run beside them; returns when all have ended.
void runSources(Program &, Adapter *);

} // namespace sluice
