//===- Natives.h - operators written in C++ -----------------------*- C++ -*-===//
//
// A native operator is identified by its native id, its index in Program::natives.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/abi.h"
#include <cstdint>

namespace sluice {

/// Makes the native operators and gives them the values of their parameters. 0, or -1: the failure
/// was recorded.
int32_t makeNatives(Program &);
/// Opens those that open first (NativeOp::opensFirst), or the others. 0 or -1, as above.
int32_t openNatives(Program &, bool first);
/// Closes those that were made; reports what fails.
void closeNatives(Program &);
/// Runs the process of a native source. The result is that of a handler: see settle().
int32_t runNative(Thread &, uint32_t native);
/// Submits final punctuation on every output port of a native operator, once. 0, or -1: the
/// program is failing.
int32_t closeOutputs(Thread &, uint32_t native);

} // namespace sluice
