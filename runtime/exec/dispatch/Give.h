//===- Give.h - a batch goes to the consumers of its port --------*- C++ -*-===//
//
// Some run it now, others queue it. By the thread that is inside the domain of the port.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/state/Sent.h"
#include "sluice/abi.h"

namespace sluice {

/// Gives a batch to the consumers of a port.
Sent give(Thread &, uint32_t port, Batch *);
/// The same for a port of which it is not known that there is only one (PortState::only).
Sent giveToEach(Thread &, uint32_t port, Batch *);

} // namespace sluice
