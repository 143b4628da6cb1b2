//===- Cost.h - what a tuple costs, by estimate ------------------*- C++ -*-===//
#pragma once
#include "ir/Stream.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace sluice {

/// Nanoseconds that an operator needs for one tuple, from what its handlers hold.
/// A rough figure: it says which operators are worth a thread, not how long they
/// run. Loops, calls of native code and native operators count as heavy.
class CostEstimate {
public:
  explicit CostEstimate(mlir::ModuleOp module) : module(module) {}
  double operator()(stream::OperatorOp op);
  /// The same for a source: what it does for one tuple that it makes. One round of the
  /// innermost loop that makes them.
  double ofSource(stream::OperatorOp op);

  /// What nobody can know before the program runs (a loop, native code).
  static constexpr double kHeavy = 100;

private:
  double of(mlir::Region &region);
  double of(mlir::Operation &op);

  mlir::ModuleOp module;
  llvm::DenseMap<mlir::Operation *, double> functions; // spl.func; open ones are heavy
};

} // namespace sluice
