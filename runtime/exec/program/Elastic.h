//===- Elastic.h - domains run by workers -------------------------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"

namespace sluice {

/// Makes the scheduler of the program if its domains can run by themselves, and what calls and
/// queues need beside it. Before any thread runs.
void setUpQueues(Program &);
/// Starts the workers, if there are queues.
void startWorkers(Program &);
/// True if no batch was queued or ran at some moment of this call. Once all sources but daemons
/// have ended, or wait, only a batch and what a daemon submits can queue a batch.
bool isQuiet(const Program &);
/// After all sources but daemons have ended: waits until nothing is in flight.
void awaitQuiet(const Program &);
/// After all sources have ended: waits until every queue is empty and ends the workers.
void finishWorkers(Program &);

} // namespace sluice
