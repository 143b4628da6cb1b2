//===- Phases.cpp - the whole way down ------------------------------------===//
#include "codegen/Phases.h"
#include "codegen/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace sluice;

void sluice::buildPhases(mlir::OpPassManager &manager, Phase last,
                         const PlacementOptions &options) {
  if (last >= Phase::Flat)
    buildGraphToFlat(manager);
  if (last >= Phase::Placed)
    buildFlatToPlaced(manager, options);
  if (last >= Phase::Lowered) {
    manager.addPass(createLowerSegments());
    // This one makes arith.extui of `condition ? 1 : 0`, also for integers with a sign, which arith
    // does not have.
    manager.addPass(mlir::createCanonicalizerPass(mlir::GreedyRewriteConfig(), {"SelectToExtUI"}));
    manager.addPass(createBuildListsInScratch());
  }
  if (last >= Phase::LLVM)
    manager.addPass(createConvertSplToLLVM());
}
