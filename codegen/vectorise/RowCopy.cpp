//===- RowCopy.cpp - a loop over rows, with vectors -----------------------===//
#include "codegen/vectorise/RowCopy.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace sluice {

RowCopy::RowCopy(const RowLoop &rows, unsigned lanes, BasicBlock *preheader, const Twine &name)
    : rows(rows), lanes(lanes), preheader(preheader) {
  Function *f = preheader->getParent();
  for (BasicBlock *block : rows.blocks)
    blocks[block] = BasicBlock::Create(f->getContext(), name + "." + block->getName(), f,
                                       rows.loop->getHeader());
}

void RowCopy::loop(BasicBlock *entry, Value *full, ArrayRef<Value *> sums, BasicBlock *after) {
  IRBuilder<> b(head());
  PHINode *at = b.CreatePHI(full->getType(), 2, "at");
  at->addIncoming(ConstantInt::get(full->getType(), 0), entry);
  for (auto [sum, before] : zip(rows.sums, sums)) {
    PHINode *phi = b.CreatePHI(before->getType(), 2, "sum");
    phi->addIncoming(before, entry);
    vectors[sum.first] = phi;
  }
  fill(b, at);
  b.SetInsertPoint(latch());
  Value *next = b.CreateAdd(at, ConstantInt::get(full->getType(), lanes));
  at->addIncoming(next, latch());
  for (const RowSum &sum : rows.sums)
    cast<PHINode>(vectors[sum.first])->addIncoming(vectors[sum.last], latch());
  b.CreateCondBr(b.CreateICmpEQ(next, full), after, head());
}

void RowCopy::once(Value *at, Value *rest, ArrayRef<Value *> sums, BasicBlock *after) {
  IRBuilder<> b(head());
  Type *narrow = b.getInt8Ty();
  Value *count = b.CreateVectorSplat(lanes, b.CreateTrunc(rest, narrow));
  mask = b.CreateICmpULT(b.CreateStepVector(FixedVectorType::get(narrow, lanes)), count, "there");
  for (auto [sum, before] : zip(rows.sums, sums))
    vectors[sum.first] = before;
  fill(b, at);
  b.SetInsertPoint(latch());
  b.CreateBr(after);
}

Value *after(IRBuilder<> &b, const RowCounter &counter, Value *start, Value *passed) {
  return b.CreateAdd(start,
                     b.CreateMul(b.CreateZExtOrTrunc(passed, start->getType()), counter.step));
}

void RowCopy::fill(IRBuilder<> &b, Value *at) {
  for (const RowCounter &counter : rows.counters)
    count(b, counter, at);
  for (BasicBlock *block : rows.blocks) {
    if (block != rows.loop->getHeader())
      b.SetInsertPoint(blocks[block]);
    for (Instruction &i : *block)
      if (!isOfHead(i))
        copy(b, i);
  }
  finishPhis();
}

/// For the first row, and what follows.
void RowCopy::count(IRBuilder<> &b, const RowCounter &counter, Value *at) {
  Type *type = counter.first->getType();
  Value *first = after(b, counter, counter.first->getIncomingValueForBlock(preheader), at);
  Value *steps =
      b.CreateMul(b.CreateStepVector(vectorOf(type)), b.CreateVectorSplat(lanes, counter.step));
  scalars[counter.first] = first;
  vectors[counter.first] = b.CreateAdd(b.CreateVectorSplat(lanes, first), steps);
}

void RowCopy::copy(IRBuilder<> &b, Instruction &i) {
  if (auto *br = dyn_cast<BranchInst>(&i))
    return branch(b, *br);
  if (isa<AssumeInst, LifetimeIntrinsic>(i))
    return;
  if (!varies(&i) || rows.places.contains(&i))
    copyScalar(b, i);
  if (!varies(&i) || isa<GetElementPtrInst>(i))
    return;
  if (auto *s = dyn_cast<StoreInst>(&i))
    return store(b, *s);
  vectors[&i] = widen(b, i);
}

void RowCopy::copyScalar(IRBuilder<> &b, Instruction &i) {
  Instruction *same = i.clone();
  if (!isa<PHINode>(i)) // those are finished later
    for (Use &use : same->operands())
      use.set(scalarOf(use));
  b.Insert(same, i.getName());
  scalars[&i] = same;
}

Value *RowCopy::widen(IRBuilder<> &b, Instruction &i) {
  auto operand = [&](unsigned n) { return vectorFor(b, i.getOperand(n)); };
  Value *wide;
  if (auto *l = dyn_cast<LoadInst>(&i))
    return load(b, *l);
  if (isa<PHINode>(i))
    return b.CreatePHI(vectorOf(i.getType()), 2, i.getName());
  if (const Value *sum = rows.adds.lookup(&i))
    return addTo(b, sum, i);
  if (auto *op = dyn_cast<BinaryOperator>(&i))
    wide = b.CreateBinOp(op->getOpcode(), operand(0), operand(1));
  else if (auto *op = dyn_cast<UnaryOperator>(&i))
    wide = b.CreateUnOp(op->getOpcode(), operand(0));
  else if (auto *cmp = dyn_cast<CmpInst>(&i))
    wide = b.CreateCmp(cmp->getPredicate(), operand(0), operand(1));
  else if (auto *op = dyn_cast<CastInst>(&i))
    wide = b.CreateCast(op->getOpcode(), operand(0), vectorOf(i.getType()));
  else if (isa<FreezeInst>(i))
    wide = b.CreateFreeze(operand(0));
  else if (auto *select =
               dyn_cast<SelectInst>(&i)) // by a condition that is the same for all it stays one
    wide = b.CreateSelect(varies(select->getCondition()) ? operand(0)
                                                         : scalarOf(select->getCondition()),
                          operand(1), operand(2));
  else {
    auto &call = cast<IntrinsicInst>(i);
    SmallVector<Value *> arguments;
    for (unsigned n = 0; n < call.arg_size(); ++n)
      arguments.push_back(operand(n));
    wide = b.CreateIntrinsic(vectorOf(i.getType()), call.getIntrinsicID(), arguments);
  }
  if (auto *made = dyn_cast<Instruction>(wide))
    made->copyIRFlags(&i);
  return wide;
}

/// Each row of a block has a sum of its own; one that is not there adds nothing. Which come first
/// makes no difference, but whether what is in between is too large may: no promise of the original
/// is kept.
Value *RowCopy::addTo(IRBuilder<> &b, const Value *sum, Instruction &i) {
  Value *more = vectorFor(b, i.getOperand(i.getOperand(0) == sum));
  if (mask)
    more = b.CreateSelect(mask, more, Constant::getNullValue(more->getType()));
  return b.CreateBinOp(cast<BinaryOperator>(i).getOpcode(), vectors.lookup(sum), more);
}

static void tag(Instruction *made, const Instruction &from) {
  made->copyMetadata(from,
                     {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
}

Value *RowCopy::load(IRBuilder<> &b, LoadInst &i) {
  Value *from = scalarOf(i.getPointerOperand());
  FixedVectorType *type = vectorOf(i.getType());
  Instruction *made = mask ? cast<Instruction>(b.CreateMaskedLoad(type, from, i.getAlign(), mask,
                                                                  Constant::getNullValue(type)))
                           : b.CreateAlignedLoad(type, from, i.getAlign());
  tag(made, i);
  return made;
}

void RowCopy::store(IRBuilder<> &b, StoreInst &i) {
  Value *what = vectorFor(b, i.getValueOperand()), *to = scalarOf(i.getPointerOperand());
  Instruction *made = mask ? cast<Instruction>(b.CreateMaskedStore(what, to, i.getAlign(), mask))
                           : b.CreateAlignedStore(what, to, i.getAlign());
  tag(made, i);
}

void RowCopy::branch(IRBuilder<> &b, BranchInst &i) {
  if (i.getParent() == rows.loop->getLoopLatch())
    return; // who made the copy ends it
  if (i.isUnconditional())
    b.CreateBr(blocks.lookup(i.getSuccessor(0)));
  else
    b.CreateCondBr(scalarOf(i.getCondition()), blocks.lookup(i.getSuccessor(0)),
                   blocks.lookup(i.getSuccessor(1)));
}

void RowCopy::finishPhis() {
  for (BasicBlock *block : rows.blocks)
    for (PHINode &phi : block->phis()) {
      if (isOfHead(phi))
        continue;
      auto *made = cast<PHINode>(varies(&phi) ? vectors[&phi] : scalars[&phi]);
      for (unsigned n = 0; n < phi.getNumIncomingValues(); ++n) {
        BasicBlock *from = blocks.lookup(phi.getIncomingBlock(n));
        if (!varies(&phi)) {
          made->setIncomingBlock(n, from);
          made->setIncomingValue(n, scalarOf(phi.getIncomingValue(n)));
          continue;
        }
        IRBuilder<> b(from);
        if (Instruction *end = from->getTerminator())
          b.SetInsertPoint(end);
        made->addIncoming(vectorFor(b, phi.getIncomingValue(n)), from);
      }
    }
}

} // namespace sluice
