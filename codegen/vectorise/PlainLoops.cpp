//===- PlainLoops.cpp - one vector a round --------------------------------===//
#include "codegen/vectorise/PlainLoops.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace sluice {

static constexpr const char *kCount = "llvm.loop.interleave.count";

static bool isCounter(PHINode &phi, const Loop &loop, ScalarEvolution &evolution) {
  if (!evolution.isSCEVable(phi.getType()))
    return false;
  auto *grows = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi));
  return grows && grows->getLoop() == &loop && grows->isAffine();
}

static bool isPlain(const Loop &loop, ScalarEvolution &evolution) {
  for (PHINode &phi : loop.getHeader()->phis())
    if (!isCounter(phi, loop, evolution))
      return false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block)
      if (isa<StoreInst>(i))
        return true;
  return false;
}

PreservedAnalyses PlainLoops::run(Function &f, FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(f);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(f);
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && !findStringMetadataForLoop(loop, kCount) &&
        isPlain(*loop, evolution))
      addStringMetadataToLoop(loop, kCount, 1);
  return PreservedAnalyses::all(); // nothing asks for what is said of a loop but its vectoriser
}

} // namespace sluice
