//===- Queues.h - which ports are queued, and how wide they are ---*- C++ -*-===//
#pragma once
#include "runtime/queue/Ready.h"
#include "sluice/abi.h"
#include <vector>

namespace sluice {

struct InPort;

/// Does what --queues says, before any thread runs. 0, or the exit code: it names something that
/// does not exist, which was reported.
int applyQueues(Program &);
/// Does what --width says, after setUpQueues(). 0, or the exit code, as above.
int applyWidths(Program &);
/// Sets how many workers may run what is behind the port at once: 1 to InPort::maxWidth(). By the
/// thread that `self` belongs to, at any time.
void setWidth(Program &, queue::Self<queue::RealSys> &self, InPort &, uint32_t width);

} // namespace sluice
