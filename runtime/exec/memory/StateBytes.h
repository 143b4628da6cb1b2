//===- StateBytes.h - how much memory state takes -----------------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"

namespace sluice {

/// Bytes that the state variables of an operator own, free lists and slabs not counted: what they
/// take is more. `state`: what Ctx::state is for the operator.
uint64_t stateBytes(const OperatorDesc &, const char *state);

} // namespace sluice
