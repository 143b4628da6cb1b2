//===- MergeValues.cpp - values with several definitions ------------------===//
#include "passes/place/MergeValues.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace sluice;

Value MergeValues::atEnd(Block *block, mlir::Type type, const Ends &ends, Ends &starts) {
  Value here = ends.lookup(block);
  return here ? here : atStart(block, type, ends, starts);
}

/// The argument stands for the value before those of the block's predecessors are known, as a loop
/// may lead back to it.
Value MergeValues::atStart(Block *block, mlir::Type type, const Ends &ends, Ends &starts) {
  if (Value known = starts.lookup(block))
    return known;
  assert(!block->hasNoPredecessors() && "a value is used where it has no definition");
  if (Block *only = block->getSinglePredecessor())
    return starts[block] = atEnd(only, type, ends, starts);
  BlockArgument argument = block->addArgument(type, region.getLoc());
  starts[block] = argument;
  llvm::SmallVector<std::pair<BranchOpInterface, unsigned>> edges;
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it)
    edges.emplace_back(cast<BranchOpInterface>((*it)->getTerminator()), it.getSuccessorIndex());
  for (auto [branch, successor] : edges) {
    // First: on the way it may give other operands to the same branch.
    Value value = atEnd(branch->getBlock(), type, ends, starts);
    branch.getSuccessorOperands(successor).append(value);
  }
  return argument;
}

void MergeValues::rewrite() {
  for (auto &[value, others] : definitions) {
    Ends ends = others, starts;
    ends[value.getParentBlock()] = value;
    llvm::SetVector<Block *> blocks;
    for (Operation *user : value.getUsers())
      if (user->getBlock() != value.getParentBlock())
        blocks.insert(user->getBlock());
    // First, as it gives branches more operands, which moves those that they have.
    for (Block *block : blocks)
      (void)atStart(block, value.getType(), ends, starts);
    for (OpOperand &use : llvm::make_early_inc_range(value.getUses()))
      if (Block *block = use.getOwner()->getBlock(); blocks.contains(block))
        use.set(starts[block]);
  }
}
