//===- PromoteState.h - state in registers ----------------------*- C++ -*-===//
#pragma once
#include "llvm/IR/PassManager.h"

namespace sluice {

/// Makes values of a loop of the state of operators that it reads and writes in every round: such
/// state is read before the loop and written where the loop is left, on all ways out. Before what
/// may touch state unseen (most calls of the runtime) it is written, and it is read again behind.
/// LLVM's own promotion leaves a loop alone where there is such a call, however seldom.
struct PromoteState : llvm::PassInfoMixin<PromoteState> {
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

} // namespace sluice
