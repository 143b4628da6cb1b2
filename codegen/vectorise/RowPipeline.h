//===- RowPipeline.h - what is done to loops over rows ----------*- C++ -*-===//
#pragma once
#include "llvm/IR/PassManager.h"

namespace sluice {

/// The order of the passes that free loops over rows from state in memory and from branches, before
/// vectorisers see them. They know no processor. LLVM's own passes tidy up between them, in
/// functions that have changed.
struct RowPipeline : llvm::PassInfoMixin<RowPipeline> {
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

} // namespace sluice
