//===- StageRows.h - loops of their own for parts of a row ------*- C++ -*-===//
#pragma once
#include "llvm/IR/PassManager.h"

namespace sluice {

/// What a loop computes of the numbers of its rows alone becomes a loop before it, 64 rows at a
/// time, which keeps the results in an array. LLVM's vectoriser does this loop; it would not do the
/// other one, in which a row needs what the row before has left in the state of an operator.
struct StageRows : llvm::PassInfoMixin<StageRows> {
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

} // namespace sluice
