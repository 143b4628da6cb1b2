//===- InPlace.h - segments that forward their input batch ------*- C++ -*-===//
//
// A segment may write its output into the batch that it was given and forward that
// batch. It does so if the batch belongs to it alone, and its output has the same
// columns and at most one row for each row of the input. It writes only the columns
// that it changes.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "codegen/segments/GraphInfo.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/analyze/Cost.h"
#include "llvm/ADT/DenseSet.h"

namespace sluice {

/// How one segment forwards in place.
struct InPlace {
  unsigned out;  // the id of the output port that forwards the batches
  bool everyRow; // the segment drops no row: each row keeps its position
  /// For each column of the output, the column of the input whose values it has, or -1.
  llvm::SmallVector<int> origins;
  /// The operators from the head to that port, each with the output port that leads on.
  llvm::SmallVector<std::pair<OpInfo *, unsigned>> path;
  std::optional<unsigned> producer; // of the input
  bool marks = false;               // some operator submits punctuation for a tuple
};

/// Returns how the segment headed by this input port forwards in place, or nothing if it
/// fills other batches than it is given. `costs`: ns a tuple, by index of the operator.
std::optional<InPlace> planInPlace(GraphInfo &, OpInfo &head, unsigned port,
                                   llvm::ArrayRef<double> costs);

/// What each operator of the graph costs, by index.
llvm::SmallVector<Cost> segmentCosts(GraphInfo &, mlir::ModuleOp);
/// The same in ns a tuple.
llvm::SmallVector<double> segmentNanos(GraphInfo &, mlir::ModuleOp);
/// The operators of a placed module whose segments will forward in place.
llvm::DenseSet<mlir::Operation *> inPlaceHeads(mlir::ModuleOp);

} // namespace sluice
