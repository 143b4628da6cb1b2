//===- beside.h - files of operators beside checkpoints ---------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"
#include <string>

namespace sluice {

/// The path of files that an operator may make in the directory of the checkpoints, to which it
/// adds an ending of its own that begins with a dot: for what it must not forget between two of
/// them. Empty: no checkpoints are made.
std::string besideCheckpoints(const Ctx *, const OperatorDesc *);

/// Whether the run goes on from what an earlier one has left there, if there is anything.
bool resumesBeside(const Ctx *);

} // namespace sluice
