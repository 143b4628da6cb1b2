//===- Allocation.cpp - what may take scratch memory ----------------------===//
#include "codegen/segments/Allocation.h"
#include "ir/Kinds.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace sluice;
using spl::isScalar;

bool Allocation::mayAllocate(Operation *op) {
  if (auto native = dyn_cast<spl::NativeOp>(op))
    return native.mayUseScratch();
  if (isa<spl::MakeListOp, spl::DefaultListOp, spl::MakeSetOp, spl::MakeMapOp, spl::SliceOp,
          spl::SortRowsOp>(op))
    return true;
  if (isa<spl::BinaryOp, spl::CastOp, spl::CopyOp>(op))
    return !llvm::all_of(op->getOperandTypes(), isScalar) ||
           !llvm::all_of(op->getResultTypes(), isScalar);
  if (auto call = dyn_cast<spl::CallOp>(op)) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<spl::FuncOp>(op, call.getCalleeAttr());
    auto [slot, isNew] = functions.try_emplace(callee, true); // true while it is open: recursion
    if (isNew)
      functions[callee] = mayAllocate(callee.getBody());
    return functions[callee];
  }
  return false;
}

bool Allocation::mayAllocate(Region &region) {
  return region
      .walk([&](Operation *op) {
        return mayAllocate(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool Allocation::tupleMayAllocate(OpInfo &op, unsigned inPort) {
  if (op.native >= 0)
    return true;
  auto key = std::make_pair(op.index, inPort);
  auto [slot, isNew] = tuples.try_emplace(key, true); // a loop would not be direct
  if (!isNew)
    return slot->second;
  Region *body = op.op.onTuple(inPort);
  bool may = body && mayAllocate(*body);
  for (unsigned port = 0; body && !may && port < op.op.getOutputs().size(); ++port)
    may = consumersMayAllocate(op, port);
  return tuples[key] = may;
}

bool Allocation::consumersMayAllocate(OpInfo &op, unsigned outPort) {
  return llvm::any_of(info->consumers(op, outPort), [&](const Consumer &c) {
    return c.edge == stream::Edge::Call && tupleMayAllocate(*c.op, c.port);
  });
}

void sluice::dropCheckpoints(Operation *function,
                             llvm::function_ref<bool(Operation *)> mayAllocate) {
  SmallVector<spl::ArenaCheckpointOp> checkpoints;
  function->walk([&](spl::ArenaCheckpointOp checkpoint) { checkpoints.push_back(checkpoint); });
  for (spl::ArenaCheckpointOp checkpoint : checkpoints) {
    // Where it is one of several (StreamInsertSavePoints) a release is not of it alone.
    if (!llvm::all_of(checkpoint->getUsers(), llvm::IsaPred<spl::ReleaseOp>))
      continue;
    // The blocks with what can run between the checkpoint and a release of it.
    llvm::SetVector<Block *> between;
    for (Operation *release : checkpoint->getUsers())
      between.insert(release->getBlock());
    for (unsigned i = 0; i < between.size(); ++i)
      if (between[i] != checkpoint->getBlock())
        between.insert(between[i]->pred_begin(), between[i]->pred_end());
    bool needed = llvm::any_of(between, [&](Block *block) {
      return llvm::any_of(*block, [&](Operation &op) {
        return (block != checkpoint->getBlock() || checkpoint->isBeforeInBlock(&op)) &&
               mayAllocate(&op);
      });
    });
    if (needed)
      continue;
    for (Operation *release : llvm::make_early_inc_range(checkpoint->getUsers()))
      release->erase();
    checkpoint.erase();
  }
}
