//===- VectoriseRows.cpp - rows side by side ------------------------------===//
#include "codegen/vectorise/VectoriseRows.h"
#include "codegen/vectorise/RowCopy.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace sluice {

/// So many rows at once: registers for what is live through the loops inside, and enough of them
/// for the time an operation takes.
static unsigned lanesFor(const RowLoop &rows, const TargetTransformInfo &target) {
  auto bits = unsigned(
      target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue());
  unsigned all =
      std::min(32u, target.getNumberOfRegisters(target.getRegisterClassForType(/*Vector=*/true)));
  unsigned registers = 8; // a quarter of all is for what is not live for long
  while (registers > 2 && registers * rows.live > all / 4 * 3)
    registers /= 2;
  return bits / std::max(32u, rows.widest) >= 2
             ? std::min(64u, registers * bits / std::max(32u, rows.widest))
             : 0;
}

static bool hasMasks(const RowLoop &rows, unsigned lanes, const TargetTransformInfo &target) {
  for (BasicBlock *block : rows.blocks)
    for (Instruction &i : *block)
      if (Value *pointer = getLoadStorePointerOperand(&i);
          pointer && rows.varying.contains(pointer)) {
        auto *type = FixedVectorType::get(getLoadStoreType(&i), lanes);
        if (!(isa<LoadInst>(i) ? target.isLegalMaskedLoad(type, getLoadStoreAlignment(&i), 0)
                               : target.isLegalMaskedStore(type, getLoadStoreAlignment(&i), 0)))
          return false;
      }
  return true;
}

namespace {
/// The copies of a loop and the ways between them:
///
///   before -> wide -> left -> [some -> masked] -> exit
///                              some -> few -> the loop itself -> exit
class Ways {
public:
  Ways(const RowLoop &rows, unsigned lanes, const TargetTransformInfo &target)
      : rows(rows), lanes(lanes), target(target), before(rows.loop->getLoopPreheader()),
        header(rows.loop->getHeader()), latch(rows.loop->getLoopLatch()),
        exit(rows.loop->getUniqueExitBlock()), left(block("rows.left")), some(block("rows.some")),
        few(block("rows.few")) {}

  /// `rounds`: how often the loop is run, known in its preheader.
  void build(IRBuilder<> &b, Value *rounds);

private:
  BasicBlock *block(const char *name) {
    return BasicBlock::Create(header->getContext(), name, header->getParent(), header);
  }
  void sumUp(IRBuilder<> &b, const RowCopy &all, ArrayRef<Value *> none);
  void runMasked(IRBuilder<> &b);
  void runFew(IRBuilder<> &b);
  void leave(BasicBlock *from, const DenseMap<const Value *, Value *> &ends);

  const RowLoop &rows;
  const unsigned lanes;
  const TargetTransformInfo &target;
  BasicBlock *before, *header, *latch, *exit, *left, *some, *few;
  Value *full = nullptr, *rest = nullptr; // rounds that fill blocks, and the others
  SmallVector<Value *> soFar;             // sums after the full blocks, vectors
  DenseMap<const Value *, Value *> ends; // after them, by what the loop calls it: sums and counters
};
} // namespace

void Ways::build(IRBuilder<> &b, Value *rounds) {
  full = b.CreateAnd(rounds, b.getInt64(-int64_t(lanes)), "full");
  rest = b.CreateSub(rounds, full, "rest");
  SmallVector<Value *> none;
  for (const RowSum &sum : rows.sums) {
    Value *start = sum.first->getIncomingValueForBlock(before);
    none.push_back(b.CreateInsertElement(
        Constant::getNullValue(FixedVectorType::get(start->getType(), lanes)), start, uint64_t(0)));
  }
  for (const RowCounter &counter : rows.counters) // where it is left, all rounds are done
    ends[counter.next] = after(b, counter, counter.first->getIncomingValueForBlock(before), rounds);
  RowCopy all(rows, lanes, before, "wide");
  Instruction *end = before->getTerminator();
  b.CreateCondBr(b.CreateICmpEQ(full, b.getInt64(0)), left, all.head());
  end->eraseFromParent();
  all.loop(before, full, none, left);
  b.SetInsertPoint(left);
  sumUp(b, all, none);
  leave(left, ends);
  b.CreateCondBr(b.CreateICmpEQ(rest, b.getInt64(0)), exit, some);
  b.SetInsertPoint(some);
  if (hasMasks(rows, lanes, target))
    runMasked(b);
  else
    b.CreateBr(few);
  b.SetInsertPoint(few);
  runFew(b);
}

void Ways::sumUp(IRBuilder<> &b, const RowCopy &all, ArrayRef<Value *> none) {
  for (auto [sum, start] : zip(rows.sums, none)) {
    PHINode *phi = b.CreatePHI(start->getType(), 2);
    phi->addIncoming(start, before);
    phi->addIncoming(all.sumOf(sum), all.latch());
    soFar.push_back(phi);
  }
  for (auto [sum, vector] : zip(rows.sums, soFar))
    ends[sum.last] = b.CreateAddReduce(vector);
}

/// One row alone needs no other block.
void Ways::runMasked(IRBuilder<> &b) {
  RowCopy once(rows, lanes, before, "masked");
  b.CreateCondBr(b.CreateICmpEQ(rest, b.getInt64(1)), few, once.head());
  once.once(full, rest, soFar, exit);
  b.SetInsertPoint(once.latch()->getTerminator());
  DenseMap<const Value *, Value *> last = ends;
  for (const RowSum &sum : rows.sums)
    last[sum.last] = b.CreateAddReduce(once.sumOf(sum));
  leave(once.latch(), last);
}

/// The loop itself, from where the blocks have left it.
void Ways::runFew(IRBuilder<> &b) {
  auto startWith = [&](PHINode *phi, Value *v) {
    int n = phi->getBasicBlockIndex(before);
    phi->setIncomingValue(n, v);
    phi->setIncomingBlock(n, few);
  };
  for (const RowCounter &counter : rows.counters)
    startWith(counter.first,
              after(b, counter, counter.first->getIncomingValueForBlock(before), full));
  for (const RowSum &sum : rows.sums)
    startWith(sum.first, ends[sum.last]);
  b.CreateBr(header);
}

void Ways::leave(BasicBlock *from, const DenseMap<const Value *, Value *> &ends) {
  for (PHINode &phi : exit->phis()) {
    Value *v = phi.getIncomingValueForBlock(latch), *end = ends.lookup(v);
    phi.addIncoming(end ? end : v, from);
  }
}

/// The loop is left for few rows. False: it cannot be said how many there are.
static bool vectorise(const RowLoop &rows, const LoopFacts &facts,
                      const TargetTransformInfo &target, SmallPtrSetImpl<BasicBlock *> &seen) {
  const unsigned lanes = lanesFor(rows, target);
  Instruction *end = rows.loop->getLoopPreheader()->getTerminator();
  SCEVExpander expander(facts.evolution, "rows");
  if (!lanes || !expander.isSafeToExpandAt(rows.backEdges, end))
    return false;
  Function *f = end->getFunction();
  SmallPtrSet<BasicBlock *, 32> others;
  for (BasicBlock &each : *f)
    if (!rows.loop->contains(&each))
      others.insert(&each);
  IRBuilder<> b(end);
  Value *rounds = b.CreateAdd(expander.expandCodeFor(rows.backEdges, b.getInt64Ty(), end),
                              b.getInt64(1), "rounds");
  Ways(rows, lanes, target).build(b, rounds);
  uint64_t all = lanes * f->getFnAttributeAsParsedInteger(kWaysOfRows, 1);
  f->addFnAttr(kRowsAtOnce, utostr(std::max(all, f->getFnAttributeAsParsedInteger(kRowsAtOnce))));
  for (BasicBlock &each : *f) // the loops of all copies are done
    if (!others.contains(&each))
      seen.insert(&each);
  return true;
}

PreservedAnalyses VectoriseRows::run(Function &f, FunctionAnalysisManager &analyses) {
  SmallPtrSet<BasicBlock *, 16> seen; // heads of loops that were looked at
  bool changed = false;
  for (bool more = true; more;) {
    more = false;
    LoopFacts facts{
        analyses.getResult<LoopAnalysis>(f), analyses.getResult<DominatorTreeAnalysis>(f),
        analyses.getResult<ScalarEvolutionAnalysis>(f), analyses.getResult<AAManager>(f)};
    for (Loop *loop : facts.loops.getLoopsInPreorder()) {
      if (loop->isInnermost() || !seen.insert(loop->getHeader()).second)
        continue;
      changed |= simplifyLoop(loop, &facts.dominators, &facts.loops, &facts.evolution, nullptr,
                              nullptr, false);
      changed |= formLCSSA(*loop, facts.dominators, &facts.loops, &facts.evolution);
      std::optional<RowLoop> rows = findRowLoop(*loop, facts);
      if (rows && vectorise(*rows, facts, analyses.getResult<TargetIRAnalysis>(f), seen)) {
        analyses.invalidate(f, PreservedAnalyses::none());
        changed = more = true;
        break;
      }
    }
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace sluice
