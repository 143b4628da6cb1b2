//===- Phases.h - the whole way down ----------------------------*- C++ -*-===//
#pragma once
#include "passes/Pipelines.h"

namespace sluice {

/// Adds the passes that take a module from phase graph to `last`:
/// passes/Pipelines.h up to placed, then lower-segments and convert-spl-to-llvm.
void buildPhases(mlir::OpPassManager &, Phase last, const PlacementOptions &);

} // namespace sluice
