//===- Chain.h - a batch runs through called ports ---------------*- C++ -*-===//
#pragma once
#include "runtime/exec/state/Sent.h"
#include "sluice/abi.h"

namespace sluice {

/// Forwards the batch to the only consumer of its port (PortState::only), and from there on as far
/// as boundaries are called and segments forward in place.
Sent runChain(Thread &, uint32_t port, Batch *);

} // namespace sluice
