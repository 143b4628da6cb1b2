//===- RowPipeline.cpp - what is done to loops over rows ------------------===//
#include "codegen/vectorise/RowPipeline.h"
#include "codegen/vectorise/PromoteState.h"
#include "codegen/vectorise/StageRows.h"
#include "codegen/vectorise/SteadyRows.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace sluice {

static FunctionPassManager tidy() {
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  return passes;
}

PreservedAnalyses RowPipeline::run(Function &f, FunctionAnalysisManager &analyses) {
  PreservedAnalyses all = PreservedAnalyses::all();
  auto changes = [&](auto pass) {
    PreservedAnalyses kept = pass.run(f, analyses);
    analyses.invalidate(f, kept);
    all.intersect(kept);
    return !kept.areAllPreserved();
  };
  if (!changes(PromoteState()))
    return all;
  changes(tidy());
  changes(StageRows());
  if (changes(SteadyRows())) {
    changes(tidy());
    changes(createFunctionToLoopPassAdaptor(IndVarSimplifyPass()));
  }
  return all;
}

} // namespace sluice
