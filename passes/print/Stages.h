//===- Stages.h - what one thread at a time runs ------------------*- C++ -*-===//
#pragma once
#include "passes/analyze/Graph.h"
#include "llvm/ADT/DenseSet.h"

namespace sluice {

/// The operators whose segments write what they submit into the batches that they take.
using InPlaceHeads = llvm::DenseSet<mlir::Operation *>;
/// The operators in parallel regions of which one channel may run a batch for all.
using WholeBatches = llvm::DenseSet<mlir::Operation *>;

/// The operators that direct boundaries connect with this one.
llvm::SmallVector<unsigned> domainOf(const Graph &, unsigned op);
/// The operator at which all tuples enter the operators of a domain.
unsigned headOf(const Graph &, llvm::ArrayRef<unsigned> domain);
/// Why several workers may not run what is behind the boundary at an operator, or nothing. The same
/// rules as the runtime's (findShared, findByKey).
std::string whyAlone(const Graph &, unsigned head, const InPlaceHeads &);

} // namespace sluice
