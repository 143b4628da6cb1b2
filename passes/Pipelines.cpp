//===- Pipelines.cpp - the order of passes --------------------------------===//
#include "passes/Pipelines.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "passes/Passes.h"

using namespace mlir;
using namespace sluice;

static constexpr llvm::StringLiteral kPhaseNames[] = {"graph", "flat", "placed", "lowered", "llvm"};

StringRef sluice::phaseName(Phase phase) { return kPhaseNames[unsigned(phase)]; }

std::optional<Phase> sluice::parsePhase(StringRef name) {
  for (auto [index, known] : llvm::enumerate(kPhaseNames))
    if (known == name)
      return Phase(index);
  return std::nullopt;
}

void sluice::buildGraphToFlat(OpPassManager &manager) {
  manager.addPass(createStreamExpandComposites());
  manager.addPass(createStreamExpandOperators());
  manager.addPass(createStreamPrune());
  manager.addPass(createStreamVerifyFlat());
}

void sluice::buildFlatToPlaced(OpPassManager &manager, const PlacementOptions &options) {
  manager.addPass(createStreamFindLoops());
  manager.addPass(createStreamAnalyzeOrder({options.mergeOrder}));
  manager.addPass(createStreamAnalyzeState());
  manager.addPass(createStreamPlaceBoundaries({options.boundaries}));
  manager.addPass(createStreamFormSegments());
  manager.addPass(createStreamVerifyPlaced());
}

namespace {
struct PlacementPipelineOptions : PassPipelineOptions<PlacementPipelineOptions> {
  Option<std::string> boundaries{*this, "boundaries", llvm::cl::desc("none, auto or all"),
                                 llvm::cl::init("auto")};
  Option<std::string> mergeOrder{*this, "merge-order", llvm::cl::desc("exact or any"),
                                 llvm::cl::init("exact")};
};
} // namespace

void sluice::registerPipelines() {
  PassPipelineRegistration<>("graph-to-flat", "phase graph to phase flat", buildGraphToFlat);
  PassPipelineRegistration<PlacementPipelineOptions>(
      "flat-to-placed", "phase flat to phase placed",
      [](OpPassManager &manager, const PlacementPipelineOptions &options) {
        buildFlatToPlaced(manager, {options.boundaries, options.mergeOrder});
      });
}
