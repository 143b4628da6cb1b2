//===- Cost.h - what a tuple costs, by estimate ------------------*- C++ -*-===//
#pragma once
#include "ir/Stream.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace sluice {

/// What is known of an operator, or of a part of one.
struct Cost {
  double nanos = 0; // a tuple
  double saved =
      0; // nanoseconds that its loops would take more if tuples were not done side by side
  bool sideBySide = true; // all tuples go the same way and only numbers change
                          // (codegen/vectorise/VectoriseRows.h)
  bool waits = false;     // it may put the thread to sleep
  double waited = 0;      // nanoseconds a tuple that the thread sleeps; no processor is taken

  /// Nanoseconds that a thread is inside for one tuple.
  double inside() const { return nanos + waited; }
};

/// Nanoseconds that an operator needs for one tuple, from what its handlers hold.
/// A rough figure: it says which operators are worth a thread, not how long they
/// run. Loops, calls of native code and native operators count as heavy, and so does a
/// wait for a time that is not constant.
class CostEstimate {
public:
  explicit CostEstimate(mlir::ModuleOp module) : module(module) {}
  Cost of(stream::OperatorOp op);
  /// The same for a source: what it does for one tuple that it makes. One round of the
  /// innermost loop that makes them.
  Cost ofSource(stream::OperatorOp op);

  /// What nobody can know before the program runs (a loop, native code).
  static constexpr double kHeavy = 100;

private:
  Cost ofRegion(mlir::Region &region);
  Cost ofOperation(mlir::Operation &op);
  static double nanosOf(mlir::Operation &op);

  mlir::ModuleOp module;
  llvm::DenseMap<mlir::Operation *, Cost> functions; // spl.func; open ones are heavy
};

/// Bytes of a tuple in a frame to another PE: its columns, and by estimate what they point to.
double bytesOnLink(mlir::Type record);

} // namespace sluice
