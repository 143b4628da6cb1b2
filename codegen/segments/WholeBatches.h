//===- WholeBatches.h - regions whose channels are alike --------*- C++ -*-===//
//
// Where nobody can tell which channel of a @parallel region has run a tuple, a batch need not be
// taken apart: one channel runs it for all of them. Only getChannel() could tell; it is then what
// the row was dealt to (Ctx::channels).
//
//===----------------------------------------------------------------------===//
#pragma once
#include "codegen/segments/GraphInfo.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"

namespace sluice {

/// By region of the graph: whether one channel may run a batch for all. `costs`: ns a tuple, by
/// index of the operator.
llvm::SmallVector<bool> findWholeBatches(GraphInfo &, mlir::ModuleOp, llvm::ArrayRef<double> costs);
/// The operators in such regions of a placed module.
llvm::DenseSet<mlir::Operation *> runningWholeBatches(mlir::ModuleOp);

} // namespace sluice
