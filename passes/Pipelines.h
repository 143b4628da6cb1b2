//===- Pipelines.h - the phases and the order of passes ---------*- C++ -*-===//
#pragma once
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace sluice {

/// What a module is in; the only vocabulary for it.
enum class Phase { Graph, Flat, Placed, Lowered, LLVM };

/// "graph", "flat", "placed", "lowered", "llvm".
llvm::StringRef phaseName(Phase);
std::optional<Phase> parsePhase(llvm::StringRef name);

struct PlacementOptions {
  /// Where boundaries go: none, all or auto.
  std::string boundaries = "auto";
  /// exact, or any: branches of a fork may overtake each other.
  std::string mergeOrder = "exact";
};

/// Each takes a module from one phase to the next and verifies it there.
void buildGraphToFlat(mlir::OpPassManager &);
void buildFlatToPlaced(mlir::OpPassManager &, const PlacementOptions & = {});

/// Makes the pipelines known as --graph-to-flat and --flat-to-placed.
void registerPipelines();

} // namespace sluice
