//===- SteadyRound.h - the way that most rows take --------------*- C++ -*-===//
//
// Which branches of a loop over rows are decided by counters: values that stay as they are or
// change by one in each round, compared with limits. Until a counter reaches its limit, all rounds
// take the same way.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace sluice {

/// `base` + `offset`, modulo the width of its type. No base: the offset alone. Any other type than
/// integers: `base`.
struct Linear {
  llvm::Value *base = nullptr;
  uint64_t offset = 0;
  bool operator==(const Linear &) const = default;
};

/// What holds in all rounds of a run: `left` `predicate` `right`. `step`: by what `left` - `right`
/// grows each round: 0, or -1 or 1 if they are not to be equal.
struct Limit {
  llvm::CmpInst::Predicate predicate;
  Linear left, right;
  int step;
  bool operator==(const Limit &) const = default;
};

/// One round of a loop, as far as it is known which way it takes. Values of the loop's head stand
/// for what they are when the round begins.
class SteadyRound {
public:
  /// The way of which the most is known. None: no way is decided by counters and leads through no
  /// other loop, no call, and out of the loop at its end only, but for what is unlikely. The loop
  /// is in simple form.
  static std::optional<SteadyRound> find(llvm::Loop &, llvm::LoopInfo &,
                                         const llvm::BranchProbabilityInfo &);

  llvm::Loop &loop() const { return *of; }
  /// The blocks on the way: each comes behind those that lead to it.
  llvm::ArrayRef<llvm::BasicBlock *> blocks() const { return live; }
  bool takes(llvm::BasicBlock *from, llvm::BasicBlock *to) const {
    return edges.contains({from, to});
  }
  /// Whether the round leaves the way there, which is unlikely and not decided by counters.
  bool leaves(llvm::BasicBlock *from, llvm::BasicBlock *to) const {
    return leaving.contains({from, to});
  }
  llvm::SmallVector<Limit> limits() const;
  /// What a condition is in each round of a run, if that is known.
  std::optional<bool> known(llvm::Value *condition) const;
  /// What a value of the loop's head is in all rounds of a run, if it does not change.
  std::optional<Linear> constantOf(llvm::PHINode *) const;

  /// What ends the loop: `next` grows by one each round, and `end` stays as it is.
  struct End {
    Linear next, end;
    llvm::Type *type;
    bool isBelow; // the loop goes on while next < end; else while they are not equal
  };
  std::optional<End> end() const;

private:
  /// What a comparison is taken to say.
  struct Assumed {
    std::optional<bool> says;
    bool isChosen = false; // it stays so
  };

  SteadyRound(llvm::Loop &, llvm::LoopInfo &, const llvm::BranchProbabilityInfo &);
  void settle();
  void choose();
  std::optional<SteadyRound> with(llvm::ICmpInst *, bool says) const;
  bool isAssumption(llvm::ICmpInst *) const;
  bool isPlain(llvm::BasicBlock *) const;
  bool isPlain() const;
  bool decides() const;

  void run();
  Linear valueOf(llvm::Value *) const;
  Linear headOf(llvm::PHINode &) const;
  Linear merged(llvm::PHINode &) const;
  Linear evaluate(llvm::Instruction &) const;
  std::optional<bool> compared(llvm::ICmpInst &) const;
  std::optional<bool> folded(llvm::ICmpInst &) const;

  bool isConstant(llvm::Value *) const;
  std::optional<int64_t> stepOf(llvm::PHINode *) const;
  std::optional<int64_t> stepOf(const Linear &) const;
  std::optional<int64_t> stepOf(llvm::ICmpInst *) const;

  llvm::Loop *of;
  llvm::LoopInfo *loops;
  const llvm::BranchProbabilityInfo *probabilities;
  llvm::BasicBlock *latch;
  llvm::SmallVector<llvm::BasicBlock *> order; // all blocks
  llvm::MapVector<llvm::ICmpInst *, Assumed> assumed;
  llvm::DenseMap<llvm::PHINode *, Linear> replaced; // of the head, by what they are equal to
  llvm::SmallVector<Limit> equal;                   // which replaced them

  // What follows.
  llvm::SmallVector<llvm::BasicBlock *> live;
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> isLive;
  llvm::DenseSet<std::pair<llvm::BasicBlock *, llvm::BasicBlock *>> edges;
  llvm::DenseSet<std::pair<llvm::BasicBlock *, llvm::BasicBlock *>> leaving;
  llvm::DenseMap<llvm::Value *, Linear> values;
};

} // namespace sluice
