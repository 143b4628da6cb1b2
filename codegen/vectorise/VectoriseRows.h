//===- VectoriseRows.h - rows side by side ----------------------*- C++ -*-===//
#pragma once
#include "llvm/IR/PassManager.h"

namespace sluice {

/// The attribute of a function that does so many rows at once.
constexpr llvm::StringLiteral kRowsAtOnce = "sluice-rows-at-once";
/// The attribute of a function to whose loops over rows one row of so many comes, as they take
/// different ways.
constexpr llvm::StringLiteral kWaysOfRows = "sluice-ways-of-rows";

/// LLVM makes vectors of innermost loops. Where what is done for a row has loops of its own, as
/// often for every row, the loop around them is done here: for a block of rows at a time each value
/// is a vector, of several registers so that none waits for what it has just computed. What is left
/// is one block more, under a mask where the machine has masks, or rows one by one. Every operation
/// is done for each row as before: results are the same to the bit.
struct VectoriseRows : llvm::PassInfoMixin<VectoriseRows> {
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

} // namespace sluice
