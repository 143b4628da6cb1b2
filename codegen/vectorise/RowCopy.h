//===- RowCopy.h - a loop over rows, with vectors ---------------*- C++ -*-===//
#pragma once
#include "codegen/vectorise/RowLoops.h"
#include "llvm/IR/IRBuilder.h"

namespace sluice {

/// A counter after `passed` rounds.
llvm::Value *after(llvm::IRBuilder<> &, const RowCounter &, llvm::Value *start,
                   llvm::Value *passed);

/// A copy of the loop in which each value that varies is a vector.
class RowCopy {
public:
  /// Its blocks, still empty. `preheader`: of the loop, where what it needs is known.
  RowCopy(const RowLoop &rows, unsigned lanes, llvm::BasicBlock *preheader,
          const llvm::Twine &name);

  /// Blocks of rows up to `full` rounds; comes from `entry`, goes on to `after`. `sums`: what is
  /// there before, a vector for each.
  void loop(llvm::BasicBlock *entry, llvm::Value *full, llvm::ArrayRef<llvm::Value *> sums,
            llvm::BasicBlock *after);
  /// One block behind `at` rounds, of which `rest` rows are there.
  void once(llvm::Value *at, llvm::Value *rest, llvm::ArrayRef<llvm::Value *> sums,
            llvm::BasicBlock *after);
  /// What a sum has come to, a vector.
  llvm::Value *sumOf(const RowSum &sum) const { return vectors.lookup(sum.last); }

  llvm::BasicBlock *head() const { return blocks.lookup(rows.loop->getHeader()); }
  llvm::BasicBlock *latch() const { return blocks.lookup(rows.loop->getLoopLatch()); }

private:
  llvm::FixedVectorType *vectorOf(llvm::Type *type) const {
    return llvm::FixedVectorType::get(type, lanes);
  }
  bool varies(const llvm::Value *v) const { return rows.varying.contains(v); }
  bool isOfHead(const llvm::Instruction &i) const {
    return llvm::isa<llvm::PHINode>(i) && i.getParent() == rows.loop->getHeader();
  }

  llvm::Value *scalarOf(llvm::Value *v) const {
    auto found = scalars.find(v);
    return found == scalars.end() ? v : found->second;
  }
  llvm::Value *vectorFor(llvm::IRBuilder<> &b, llvm::Value *v) {
    if (llvm::Value *known = vectors.lookup(v))
      return known;
    return b.CreateVectorSplat(lanes, scalarOf(v));
  }

  void fill(llvm::IRBuilder<> &b, llvm::Value *at);
  void count(llvm::IRBuilder<> &b, const RowCounter &counter, llvm::Value *at);
  void copy(llvm::IRBuilder<> &b, llvm::Instruction &i);
  void copyScalar(llvm::IRBuilder<> &b, llvm::Instruction &i);
  llvm::Value *widen(llvm::IRBuilder<> &b, llvm::Instruction &i);
  llvm::Value *addTo(llvm::IRBuilder<> &b, const llvm::Value *sum, llvm::Instruction &i);
  llvm::Value *load(llvm::IRBuilder<> &b, llvm::LoadInst &i);
  void store(llvm::IRBuilder<> &b, llvm::StoreInst &i);
  void branch(llvm::IRBuilder<> &b, llvm::BranchInst &i);
  void finishPhis();

  const RowLoop &rows;
  const unsigned lanes;
  llvm::BasicBlock *preheader;
  llvm::Value *mask = nullptr; // of rows that are there; null: all
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> blocks;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> scalars,
      vectors; // of what is the same for all rows, or for the first one; of what varies
};

} // namespace sluice
