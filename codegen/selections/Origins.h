//===- Origins.h - what an operator hands on as it is -----------*- C++ -*-===//
#pragma once
#include "codegen/segments/GraphInfo.h"

namespace sluice {

/// Leaves of a value of the type: each is a column of a batch.
unsigned leafCount(mlir::Type type);
/// By leaf of what the handler of `inPort` submits on `outPort`, wherever it does: the leaf of its
/// input that it is a copy of, or -1. Empty if it never submits there.
llvm::SmallVector<int> originsOf(OpInfo &op, unsigned inPort, unsigned outPort);
/// Whether the only input port's handler submits a tuple on `outPort` for each, and none of them
/// can be lost.
bool submitsAlways(OpInfo &op, unsigned outPort);

} // namespace sluice
