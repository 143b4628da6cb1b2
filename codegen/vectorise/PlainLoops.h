//===- PlainLoops.h - one vector a round ------------------------*- C++ -*-===//
#pragma once
#include "llvm/IR/PassManager.h"

namespace sluice {

/// Loops that carry nothing from one round to the next but counters and that write memory, before
/// LLVM makes vectors of them: one vector a round. Their stores take the time; the machine has the
/// next rounds under way by itself, and a round of four vectors only leaves more rows of short
/// batches to the code for the rest. Loops that sum up, or wait for what they have just computed,
/// stay LLVM's to judge.
struct PlainLoops : llvm::PassInfoMixin<PlainLoops> {
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

} // namespace sluice
