//===- StraightCode.h - vectors without loops -------------------*- C++ -*-===//
#pragma once
#include "llvm/IR/PassManager.h"

namespace sluice {

/// Runs LLVM's SLP vectoriser, which makes vectors of like instructions that
/// stand beside each other: an unrolled loop over a short list, or the attributes of a tuple. It
/// leaves out what lies in the state of operators. A row reads there what the row before has just
/// written, one by one, and a processor cannot forward two stores to one load: it waits until both
/// are in the cache.
struct StraightCode : llvm::PassInfoMixin<StraightCode> {
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

} // namespace sluice
