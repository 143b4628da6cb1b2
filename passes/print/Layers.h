//===- Layers.h - a graph in layers -----------------------------*- C++ -*-===//
//
// The one layout of graphs for people: `sluice graph --format=svg` and the page of `sluice trace
// plot` draw it, each in its own way. Nothing here depends on MLIR.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace sluice {

/// By node, what it leads to.
using Adjacency = std::vector<std::vector<uint32_t>>;

/// By node, its layer: behind those of all that lead to it, but for edges that close a cycle.
std::vector<uint32_t> findLayers(const Adjacency &to);

/// Nodes by layer, in their order.
Adjacency groupByLayer(llvm::ArrayRef<uint32_t> layerOf);

/// Sorts each layer so that few edges cross: nodes come near to what leads to them and to what
/// they lead to.
void untangle(Adjacency &layers, const Adjacency &to);

} // namespace sluice
