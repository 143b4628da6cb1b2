//===- Explain.h - why the program is placed as it is -----------*- C++ -*-===//
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace sluice {

/// For people: what each operator remembers, how it is reached, and why. Phase
/// placed.
void explainPlacement(mlir::ModuleOp, llvm::raw_ostream &);

} // namespace sluice
