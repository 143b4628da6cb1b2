//===- RowLoops.h - loops over rows around other loops ----------*- C++ -*-===//
//
// Whether the rows of a loop may be done side by side: each reads and writes its own
// memory, and all go the same way through the loops inside.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include <optional>

namespace llvm {
class AAResults;
class ConstantInt;
class DominatorTree;
class ScalarEvolution;
class SCEV;
} // namespace llvm

namespace sluice {

/// What is known of a function.
struct LoopFacts {
  llvm::LoopInfo &loops;
  llvm::DominatorTree &dominators;
  llvm::ScalarEvolution &evolution;
  llvm::AAResults &aliases;
};

/// What all rows add to, whole numbers: `first` is of the loop's head, `last` what the next round
/// finds there.
struct RowSum {
  llvm::PHINode *first;
  llvm::Instruction *last;
};

/// What grows by the same each round: `first` is of the loop's head, `next` what the next round
/// finds there.
struct RowCounter {
  llvm::PHINode *first;
  llvm::Instruction *next;
  llvm::ConstantInt *step;
};

/// A loop around others whose rounds ("rows") do not depend on each other.
struct RowLoop {
  llvm::Loop *loop;
  llvm::SmallVector<llvm::BasicBlock *> blocks; // those before come first, but for back edges
  llvm::SmallVector<RowCounter> counters;
  llvm::SmallVector<RowSum> sums;
  llvm::DenseMap<const llvm::Value *, const llvm::Value *>
      adds;                                                // of a sum: the operand that it adds to
  llvm::SmallPtrSet<const llvm::Value *, 32> varying;      // differ from row to row
  llvm::SmallPtrSet<const llvm::Instruction *, 32> places; // compute where a row's memory is
  const llvm::SCEV *backEdges;                             // rounds, less one
  unsigned widest = 8;                                     // bits of the widest value that varies
  unsigned live = 0; // values that vary and are needed through a loop inside
};

/// Null: the rows have to be done one after the other.
std::optional<RowLoop> findRowLoop(llvm::Loop &loop, const LoopFacts &facts);

} // namespace sluice
