//===- Workers.h - domains run by workers -------------------------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"

namespace sluice {

/// Makes the scheduler of the program if its domains can run by themselves, and what calls and
/// queues need beside it. Before any thread runs.
void setUpQueues(Program &);
/// Starts the workers, if there are queues.
void startWorkers(Program &);
/// After all sources have ended: waits until every queue is empty and ends the workers.
void finishWorkers(Program &);

} // namespace sluice
