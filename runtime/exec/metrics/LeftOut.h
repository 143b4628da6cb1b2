//===- LeftOut.h - what operators leave out ---------------------*- C++ -*-===//
#pragma once
#include "runtime/exec/counters/LeftOut.h"
#include "sluice/abi.h"
#include "sluice/leftout.h"
#include <vector>

namespace sluice {

/// Counts what the state of operators still holds, when the program has ended.
void countLeftInState(Program &);
/// Writes a line for each operator and counter of which not all was said before. Channels of a
/// region are counted together.
void tellLeftOut(Program &, const std::vector<LeftOutSample> &);

} // namespace sluice
