//===- Natives.h - operators written in C++ ---------------------*- C++ -*-===//
//
// A native operator is identified by its native id, its index in Natives::list.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/state/Program.h"
#include "runtime/memory/Memory.h"
#include "sluice/abi.h"
#include "sluice/native.h"

namespace sluice {

/// Makes the native operators and gives them the values of their parameters. 0, or -1: the failure
/// was recorded.
int32_t makeNatives(Program &);
/// Opens those that open first (NativeOp::opensFirst), or the others. 0 or -1, as above.
int32_t openNatives(Program &, bool first);
/// Closes those that were made; reports what fails.
void closeNatives(Program &);

} // namespace sluice
