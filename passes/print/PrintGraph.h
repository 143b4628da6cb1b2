//===- PrintGraph.h - the graph for people and programs ---------*- C++ -*-===//
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace sluice {

/// Operators and streams of the module, in any phase. Of the phase graph, only
/// operators outside of composites.
void printGraphAsDot(mlir::ModuleOp, llvm::raw_ostream &);
void printGraphAsJson(mlir::ModuleOp, llvm::raw_ostream &);

} // namespace sluice
