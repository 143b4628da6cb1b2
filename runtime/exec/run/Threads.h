//===- Threads.h - threads of sources ---------------------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/abi.h"

namespace sluice {

class Adapter;
namespace watch {
class Watcher;
}
namespace checkpoint {
class Checkpoints;
}

/// Starts a thread for each source, and those that run beside them; returns when all have ended.
/// `checkpoints`: null where none are made.
void runSources(Program &, Adapter &, watch::Watcher &, checkpoint::Checkpoints *);

} // namespace sluice
