//===- RowLoops.cpp - loops over rows around other loops ------------------===//
#include "codegen/vectorise/RowLoops.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace sluice {

namespace {
class Finder {
public:
  Finder(Loop &loop, const LoopFacts &facts)
      : facts(facts), layout(loop.getHeader()->getDataLayout()) {
    found.loop = &loop;
  }

  std::optional<RowLoop> find() {
    if (!hasShape() || !takesHead() || isNeededBehind())
      return std::nullopt;
    findVarying();
    if (!canBeWide() || !isIndependent())
      return std::nullopt;
    countLive();
    return std::move(found);
  }

private:
  bool hasShape();
  bool takesHead();
  bool takesCounter(PHINode &);
  bool takesSum(PHINode &);
  bool isNeededBehind();
  void findVarying();
  bool canBeWide();
  bool isWide(Instruction &);
  bool takesCall(CallBase &);
  bool takesAccess(Instruction &, Value *pointer, Type *);
  bool isPlace(Value *);
  bool isIndependent();
  void countLive();

  bool isInside(const Value *v) const {
    auto *i = dyn_cast<Instruction>(v);
    return i && found.loop->contains(i);
  }
  bool varies(const Value *v) const { return found.varying.contains(v); }

  const LoopFacts &facts;
  const DataLayout &layout;
  RowLoop found;
  SmallVector<Instruction *> accesses;
};
} // namespace

/// One way in, one way round and out, loops inside.
bool Finder::hasShape() {
  Loop &loop = *found.loop;
  BasicBlock *latch = loop.getLoopLatch();
  if (loop.isInnermost() || !loop.isLoopSimplifyForm() || loop.getExitingBlock() != latch ||
      !loop.getUniqueExitBlock())
    return false;
  found.backEdges = facts.evolution.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(found.backEdges) || !found.backEdges->getType()->isIntegerTy(64))
    return false;
  LoopBlocksRPO order(&loop);
  order.perform(&facts.loops);
  found.blocks.assign(order.begin(), order.end());
  return true;
}

bool Finder::takesHead() {
  for (PHINode &phi : found.loop->getHeader()->phis()) {
    if (!phi.getType()->isIntegerTy() || !(takesCounter(phi) || takesSum(phi)))
      return false;
    found.varying.insert(&phi);
  }
  return !found.counters.empty();
}

bool Finder::takesCounter(PHINode &phi) {
  auto *grows = dyn_cast<SCEVAddRecExpr>(facts.evolution.getSCEV(&phi));
  if (!grows || grows->getLoop() != found.loop || !grows->isAffine() ||
      !isa<SCEVConstant>(grows->getOperand(1)))
    return false;
  auto *next = dyn_cast<Instruction>(phi.getIncomingValueForBlock(found.loop->getLoopLatch()));
  if (!next)
    return false;
  found.counters.push_back({&phi, next, cast<SCEVConstant>(grows->getOperand(1))->getValue()});
  return true;
}

/// Each round adds to it or takes from it, once or more, and nobody else looks.
bool Finder::takesSum(PHINode &phi) {
  Value *last = phi.getIncomingValueForBlock(found.loop->getLoopLatch());
  for (Instruction *at = &phi; at != last;) {
    auto *add = at->hasOneUse() ? dyn_cast<BinaryOperator>(*at->user_begin()) : nullptr;
    bool sums = add && (add->getOpcode() == Instruction::Add ||
                        (add->getOpcode() == Instruction::Sub && add->getOperand(0) == at));
    if (!sums || facts.loops.getLoopFor(add->getParent()) != found.loop ||
        add->getOperand(0) == add->getOperand(1) ||
        !facts.dominators.dominates(add->getParent(), found.loop->getLoopLatch()))
      return false;
    found.adds[add] = at;
    at = add;
  }
  auto *end = dyn_cast<Instruction>(last);
  if (!end || end == &phi ||
      any_of(end->users(), [&](User *user) { return user != &phi && isInside(user); }))
    return false;
  found.sums.push_back({&phi, end});
  return true;
}

/// Anything but a sum, or where a counter ends.
bool Finder::isNeededBehind() {
  for (BasicBlock *block : found.blocks)
    for (Instruction &i : *block)
      if (any_of(i.users(), [&](User *user) { return !isInside(user); }) &&
          none_of(found.sums, [&](const RowSum &sum) { return sum.last == &i; }) &&
          none_of(found.counters, [&](const RowCounter &counter) { return counter.next == &i; }))
        return true;
  return false;
}

void Finder::findVarying() {
  for (bool more = true; more;) {
    more = false;
    for (BasicBlock *block : found.blocks)
      for (Instruction &i : *block)
        if (!varies(&i) && any_of(i.operands(), [&](Value *v) { return varies(v); }))
          more = found.varying.insert(&i).second;
  }
}

//===--- what there are vectors of ----------------------------------------------===//

bool Finder::canBeWide() {
  for (BasicBlock *block : found.blocks)
    for (Instruction &i : *block)
      if (!isWide(i))
        return false;
  return true;
}

bool Finder::isWide(Instruction &i) {
  if (auto *branch = dyn_cast<BranchInst>(&i)) // all rows go the same way
    return branch->isUnconditional() || !varies(branch->getCondition()) ||
           branch->getParent() == found.loop->getLoopLatch();
  if (auto *load = dyn_cast<LoadInst>(&i))
    return load->isSimple() && takesAccess(i, load->getPointerOperand(), load->getType());
  if (auto *store = dyn_cast<StoreInst>(&i))
    return store->isSimple() && varies(store->getPointerOperand()) &&
           facts.loops.getLoopFor(store->getParent()) == found.loop &&
           takesAccess(i, store->getPointerOperand(), store->getValueOperand()->getType());
  if (auto *call = dyn_cast<CallBase>(&i))
    return takesCall(*call);
  if (i.isTerminator() || i.mayReadOrWriteMemory() || isa<AllocaInst>(i))
    return false;
  if (!varies(&i))
    return true;
  if (isa<GetElementPtrInst>(i))
    return true; // where it leads to memory it is a place
  Type *type = i.getType();
  unsigned bits = unsigned(type->getPrimitiveSizeInBits());
  if (!(type->isIntegerTy() || type->isFloatTy() || type->isDoubleTy()) || bits > 64)
    return false;
  if (auto *op = dyn_cast<BinaryOperator>(&i); op && op->isIntDivRem())
    return false; // rows that are not there could divide by zero
  found.widest = std::max(found.widest, bits);
  return isa<BinaryOperator, UnaryOperator, CmpInst, SelectInst, PHINode, FreezeInst, CastInst>(
             i) &&
         !any_of(i.operands(), [](Value *v) { return v->getType()->isPointerTy(); });
}

/// Those that are what they are for each row alone.
bool Finder::takesCall(CallBase &call) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
  if (!intrinsic)
    return false;
  switch (intrinsic->getIntrinsicID()) {
  case Intrinsic::assume:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
    return true; // left out
  case Intrinsic::fabs:
  case Intrinsic::sqrt:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::fma:
  case Intrinsic::copysign:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::ctpop:
    found.widest = std::max(found.widest, unsigned(call.getType()->getPrimitiveSizeInBits()));
    return !call.getType()->isVectorTy();
  default:
    return false;
  }
}

/// Memory of its own for each row, one beside the other; or, for a load, the same for all.
bool Finder::takesAccess(Instruction &access, Value *pointer, Type *type) {
  unsigned bits = unsigned(type->getPrimitiveSizeInBits());
  if (!(type->isIntegerTy() || type->isFloatTy() || type->isDoubleTy()) || bits % 8 || bits > 64)
    return false;
  accesses.push_back(&access);
  if (!varies(pointer))
    return true;
  auto *place = dyn_cast<SCEVAddRecExpr>(facts.evolution.getSCEV(pointer));
  if (!place || place->getLoop() != found.loop || !place->isAffine() || !isPlace(pointer))
    return false;
  auto *step = dyn_cast<SCEVConstant>(place->getOperand(1));
  found.widest = std::max(found.widest, bits);
  return step && step->getAPInt() == bits / 8;
}

/// It can be computed for the first row of a block alone.
bool Finder::isPlace(Value *v) {
  if (!isInside(v) || !varies(v) ||
      any_of(found.counters, [&](const RowCounter &counter) { return counter.first == v; }))
    return true;
  auto *i = cast<Instruction>(v);
  if (!isa<GetElementPtrInst, BinaryOperator, CastInst>(i) ||
      !all_of(i->operands(), [&](Value *of) { return isPlace(of); }))
    return false;
  found.places.insert(i);
  return true;
}

//===--- what rows do to each other ---------------------------------------------===//

/// What one row writes no other row reads or writes.
bool Finder::isIndependent() {
  auto pointerOf = [](const Instruction *i) { return getLoadStorePointerOperand(i); };
  auto whole = [&](const Instruction *i) {
    return MemoryLocation::getBeforeOrAfter(pointerOf(i), i->getAAMetadata());
  };
  for (Instruction *store : accesses)
    for (Instruction *other : accesses) {
      if (!isa<StoreInst>(store) || store == other)
        continue;
      const SCEV *mine = facts.evolution.getSCEV(const_cast<Value *>(pointerOf(store)));
      bool same = mine == facts.evolution.getSCEV(const_cast<Value *>(pointerOf(other))) &&
                  layout.getTypeStoreSize(getLoadStoreType(store)) ==
                      layout.getTypeStoreSize(getLoadStoreType(other));
      if (!same && !facts.aliases.isNoAlias(whole(store), whole(other)))
        return false;
    }
  return true;
}

void Finder::countLive() {
  for (Loop *inner : found.loop->getLoopsInPreorder()) {
    if (inner == found.loop)
      continue;
    SmallPtrSet<const Value *, 16> live;
    for (PHINode &phi : inner->getHeader()->phis())
      if (varies(&phi))
        live.insert(&phi);
    for (BasicBlock *block : inner->blocks())
      for (Instruction &i : *block)
        for (Value *v : i.operands())
          if (varies(v) && isInside(v) && !inner->contains(cast<Instruction>(v)) &&
              !isa<PHINode>(i))
            live.insert(v);
    found.live = std::max(found.live, unsigned(live.size()));
  }
}

std::optional<RowLoop> findRowLoop(Loop &loop, const LoopFacts &facts) {
  return Finder(loop, facts).find();
}

} // namespace sluice
