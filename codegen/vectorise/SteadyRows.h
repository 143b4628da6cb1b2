//===- SteadyRows.h - rows between two limits -------------------*- C++ -*-===//
#pragma once
#include "llvm/IR/PassManager.h"

namespace sluice {

/// Where counters decide which way the rows of a loop take (a window is full, a pane ends, every
/// k-th tuple fires), a copy of the loop does all rows up to the next one that reaches a limit. How
/// many there are is known before. The copy has neither the comparisons nor what is done at a
/// limit, so that LLVM keeps in registers, and makes vectors of, what is left. The loop itself does
/// the other rows, one at a time.
struct SteadyRows : llvm::PassInfoMixin<SteadyRows> {
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

} // namespace sluice
