//===- OrderAnalysis.h - where batching could be seen ----------*- C++ -*-===//
//
// The rules (a), (b), (c) and (d) of stream-analyze-order (Passes.td). They are applied to
// operators, or to groups of operators between which there are calls only: a group runs a tuple
// to its end before it takes the next one, so nothing can be seen inside.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/PassOptions.h"
#include "passes/analyze/Effects.h"
#include "passes/analyze/Graph.h"

namespace sluice {

/// What each output port must forward at once; by operator, by output port.
using PortOrders = llvm::SmallVector<llvm::SmallVector<stream::Order>>;

/// `groups`: by operator, one operator of its group, the same for all of a group. Streams inside a
/// group are of no order.
PortOrders analyzeOrder(const Graph &graph, llvm::ArrayRef<unsigned> groups,
                        EffectAnalysis &effects, MergeOrder mergeOrder);

/// Each operator by itself.
PortOrders analyzeOrder(const Graph &graph, EffectAnalysis &effects, MergeOrder mergeOrder);

} // namespace sluice
