//===- PrintGraph.h - the graph for people and programs ---------*- C++ -*-===//
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "passes/PassOptions.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace sluice {

/// Operators and streams of the module, in any phase. Of the phase graph, only
/// operators outside of composites.
void printGraph(mlir::ModuleOp, GraphFormat, llvm::raw_ostream &);

} // namespace sluice
