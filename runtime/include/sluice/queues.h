//===- queues.h - what waits behind an operator -----------------*- C++ -*-===//
#pragma once
#include "sluice/native.h"

namespace sluice {

/// About how many of the tuples that the operator has submitted to an output port wait for the
/// operator behind it: those in the queue of that, by whole batches, and those on the way there. 0
/// where it is called.
extern "C" uint64_t sl_waiting(Ctx *, const OperatorDesc *, uint32_t output);

} // namespace sluice
