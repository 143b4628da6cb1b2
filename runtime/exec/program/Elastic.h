//===- Elastic.h - domains run by workers -------------------------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"

namespace sluice {

namespace queue {
class ThreadTeam;
}

/// Makes the scheduler of the program if its domains can run by themselves, and what calls and
/// queues need beside it. Before any thread runs.
void setUpQueues(Program &);
/// Starts the workers, if there are queues.
void startWorkers(Program &, queue::ThreadTeam &);
/// After all sources have ended: waits until every queue is empty and ends the workers.
void finishWorkers(Program &, queue::ThreadTeam &);

} // namespace sluice
