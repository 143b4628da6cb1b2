//===- Describe.h - the operators and streams of a program ------*- C++ -*-===//
#pragma once
#include "runtime/trace/Lines.h"
#include "sluice/abi.h"

namespace sluice {
struct Program;
} // namespace sluice

namespace sluice::watch {

trace::Operator operatorOf(const OperatorDesc &);
/// All that runs in the job.
trace::Flow flowOf(const Program &);

} // namespace sluice::watch
