//===- Chain.h - a batch runs through called ports ---------------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"
#include <cstdint>

namespace sluice {

/// Forwards the batch to the only consumer of its port (PortState::only), and from there on as far
/// as boundaries are called and segments forward in place. Returns as forward() does.
int32_t runChain(Thread &, uint32_t port, Batch *);

} // namespace sluice
