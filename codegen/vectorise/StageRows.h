//===- StageRows.h - loops of their own for parts of a row ------*- C++ -*-===//
#pragma once
#include "llvm/IR/PassManager.h"

namespace sluice {

/// What a loop over at most 64 rows computes of their numbers alone becomes a loop before it, which
/// keeps the results in an array. `StageSums` makes a loop behind it of sums that the loop itself
/// does not look at. LLVM's vectoriser does these loops; it would not do one in which a row needs
/// what the row before has left in the state of an operator.
struct StageRows : llvm::PassInfoMixin<StageRows> {
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};
struct StageSums : llvm::PassInfoMixin<StageSums> {
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

} // namespace sluice
