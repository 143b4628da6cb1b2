//===- SteadyRows.cpp - rows between two limits ---------------------------===//
#include "codegen/vectorise/SteadyRows.h"
#include "codegen/vectorise/SteadyRound.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/SSAUpdaterBulk.h"

using namespace llvm;

namespace sluice {

// Rows of a run: one by one, fewer take no longer; more have no place in the arrays of StageRows.
static constexpr uint64_t kFewest = 6, kMost = 64;

namespace {
/// The loop and its copy:
///
///   head -> [start -> copy -> end] -> loop, one round -> head
///
/// `end` leads out of the loop if all rounds are done, and to `head` where a run is as long as runs
/// may be.
class Runs {
public:
  explicit Runs(const SteadyRound &round)
      : round(round), loop(round.loop()), last(*round.end()), first(loop.getHeader()),
        latch(loop.getLoopLatch()), b(first->getContext()), head(block("rows.head")),
        start(block("rows.start")), end(block("rows.end")) {}

  void build();

private:
  BasicBlock *block(const Twine &name) {
    return BasicBlock::Create(b.getContext(), name, first->getParent(), first);
  }
  void makeHead();
  void countRows();
  Value *valueOf(const Linear &, Type *);
  Value *valueBefore(Value *);
  void copyLoop();
  void copyHead(BasicBlock *copy);
  void copyBlock(BasicBlock *, BasicBlock *copy);
  void copyWays(BasicBlock *);
  void mergeValues();
  void leaveCopy();
  Value *copied(Value *v) const { return copies.lookup_or(v, v); }

  const SteadyRound &round;
  Loop &loop;
  const SteadyRound::End last;
  BasicBlock *first, *latch; // of the loop
  IRBuilder<> b;
  BasicBlock *head, *start, *end;
  Value *left = nullptr, *rows = nullptr; // rounds of the loop; of the run
  bool leaves = false;                    // the copy leads into the middle of a round
  PHINode *done = nullptr;                // of them
  DenseMap<Value *, Value *> before;      // what values are when a run begins
  DenseMap<Value *, Value *> copies;
  DenseMap<BasicBlock *, BasicBlock *> copyOf;
  SmallPtrSet<BasicBlock *, 8> isCopy;
};
} // namespace

/// Rounds begin in `head`, which has the values that the loop hands on.
void Runs::makeHead() {
  BasicBlock *preheader = loop.getLoopPreheader();
  b.SetInsertPoint(head);
  for (PHINode &phi : first->phis()) {
    PHINode *made = b.CreatePHI(phi.getType(), 2, phi.getName());
    for (BasicBlock *from : {preheader, latch})
      made->addIncoming(phi.getIncomingValueForBlock(from), from);
    before[&phi] = made;
  }
  for (BasicBlock *from : {preheader, latch})
    from->getTerminator()->replaceSuccessorWith(first, head);
}

/// What a value that stays is, computed where a run begins.
Value *Runs::valueBefore(Value *v) {
  auto *i = dyn_cast<Instruction>(v);
  if (!i || !loop.contains(i))
    return v;
  if (Value *known = before.lookup(v))
    return known;
  Instruction *made = i->clone();
  for (Use &use : made->operands())
    use.set(valueBefore(use));
  made->dropPoisonGeneratingAnnotations(); // it may stand behind a condition
  return before[v] = b.Insert(made);
}

Value *Runs::valueOf(const Linear &v, Type *type) {
  if (!v.base)
    return ConstantInt::get(type, v.offset);
  Value *base = valueBefore(v.base);
  return v.offset ? b.CreateAdd(base, ConstantInt::get(type, v.offset)) : base;
}

static Type *typeOf(const Limit &limit) {
  return limit.left.base ? limit.left.base->getType() : limit.right.base->getType();
}

/// How many rounds are left, and how many of them reach no limit.
void Runs::countRows() {
  Type *i64 = b.getInt64Ty();
  Value *next = valueOf(last.next, last.type), *limit = valueOf(last.end, last.type);
  Value *more = last.isBelow ? b.CreateBinaryIntrinsic(Intrinsic::usub_sat, limit, next)
                             : b.CreateSub(limit, next);
  left = b.CreateAdd(b.CreateZExt(more, i64), b.getInt64(1), "left");
  rows = left;
  Value *holds = b.getTrue();
  SmallVector<Limit> seen;
  for (const Limit &each : round.limits()) {
    if (is_contained(seen, each))
      continue;
    seen.push_back(each);
    Value *of = valueOf(each.left, typeOf(each)), *at = valueOf(each.right, typeOf(each));
    if (each.step == 0) {
      holds = b.CreateAnd(holds, b.CreateFreeze(b.CreateICmp(each.predicate, of, at)));
      continue;
    }
    // Frozen: what is compared behind a condition may be poison before the loop.
    Value *until = b.CreateFreeze(each.step > 0 ? b.CreateSub(at, of) : b.CreateSub(of, at));
    rows = b.CreateBinaryIntrinsic(Intrinsic::umin, rows, b.CreateZExt(until, i64));
  }
  rows = b.CreateBinaryIntrinsic(Intrinsic::umin, rows, b.getInt64(kMost), {}, "run");
  b.CreateCondBr(b.CreateAnd(holds, b.CreateICmpUGE(rows, b.getInt64(kFewest))), start, first);
}

void Runs::copyHead(BasicBlock *copy) {
  for (PHINode &phi : first->phis()) {
    if (std::optional<Linear> constant = round.constantOf(&phi)) {
      copies[&phi] = valueOf(*constant, phi.getType());
      continue;
    }
    auto *made = PHINode::Create(phi.getType(), 2, phi.getName(), copy);
    made->addIncoming(before[&phi], start);
    copies[&phi] = made;
  }
  done = PHINode::Create(b.getInt64Ty(), 2, "done", copy);
  done->addIncoming(b.getInt64(0), start);
}

void Runs::copyBlock(BasicBlock *from, BasicBlock *copy) {
  b.SetInsertPoint(copy);
  for (Instruction &i : *from) {
    if (i.isTerminator() || copies.contains(&i))
      continue;
    if (std::optional<bool> is = i.getType()->isIntegerTy(1) ? round.known(&i) : std::nullopt) {
      copies[&i] = b.getInt1(*is);
      continue;
    }
    Instruction *made = b.Insert(i.clone(), i.getName());
    copies[&i] = made;
    auto *phi = dyn_cast<PHINode>(made);
    if (!phi) {
      for (Use &use : made->operands())
        use.set(copied(use));
      continue;
    }
    phi->removeIncomingValueIf([](unsigned) { return true; }, /*DeletePHIIfEmpty=*/false);
    for (auto [source, v] : zip(cast<PHINode>(i).blocks(), cast<PHINode>(i).incoming_values()))
      if (round.takes(source, from))
        phi->addIncoming(copied(v), copyOf.lookup(source));
  }
}

void Runs::copyWays(BasicBlock *from) {
  SmallSetVector<BasicBlock *, 2> ways;
  for (BasicBlock *next : successors(from))
    if (round.takes(from, next) || round.leaves(from, next))
      ways.insert(next);
  b.SetInsertPoint(copyOf[from]);
  for (BasicBlock *next : ways)
    if (round.leaves(from, next)) {
      leaves = true;
      // A switch may lead there for several numbers.
      auto edges = ways.size() == 1 ? 1 : count(successors(from), next);
      for (PHINode &phi : next->phis())
        for (auto edge = edges; edge > 0; --edge)
          phi.addIncoming(copied(phi.getIncomingValueForBlock(from)), copyOf[from]);
    }
  if (ways.size() == 1) {
    b.CreateBr(copyOf[ways.front()]);
    return;
  }
  Instruction *made = b.Insert(from->getTerminator()->clone());
  for (Use &use : made->operands()) {
    auto *to = dyn_cast<BasicBlock>(use);
    use.set(!to ? copied(use) : round.takes(from, to) ? copyOf[to] : to);
  }
}

/// Where the copy leads into the middle of a round of the loop, what the round has computed so far
/// is what the copy has.
void Runs::mergeValues() {
  SSAUpdaterBulk merged;
  for (BasicBlock *each : round.blocks())
    for (Instruction &i : *each) {
      Value *copy = copies.lookup(&i);
      SmallVector<Use *> uses;
      for (Use &use : i.uses()) {
        auto *user = cast<Instruction>(use.getUser());
        auto *phi = dyn_cast<PHINode>(user);
        BasicBlock *at = phi ? phi->getIncomingBlock(use) : user->getParent();
        if (at != each && at != end && !isCopy.contains(at))
          uses.push_back(&use);
      }
      if (!copy || uses.empty())
        continue;
      unsigned variable = merged.AddVariable(i.getName(), i.getType());
      merged.AddAvailableValue(variable, each, &i);
      merged.AddAvailableValue(variable, copyOf[each], copy);
      for (Use *use : uses)
        merged.AddUse(variable, use);
    }
  DominatorTree dominators(*head->getParent());
  merged.RewriteAllUses(&dominators);
}

/// The blocks on the way, in a loop that ends after `rows` rounds.
void Runs::copyLoop() {
  for (BasicBlock *each : round.blocks())
    isCopy.insert(copyOf[each] = block(each->getName() + ".run"));
  BasicBlock *copy = copyOf[first];
  b.SetInsertPoint(start);
  copyHead(copy);
  b.CreateBr(copy);
  for (BasicBlock *each : round.blocks())
    copyBlock(each, copyOf[each]);
  for (BasicBlock *each : round.blocks())
    if (each != latch)
      copyWays(each);
  for (PHINode &phi : first->phis())
    if (!round.constantOf(&phi))
      cast<PHINode>(copies[&phi])
          ->addIncoming(copied(phi.getIncomingValueForBlock(latch)), copyOf[latch]);
}

/// Says that a loop has few rounds: one vector at a time.
static MDNode *shortLoop(LLVMContext &context) {
  auto count = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), 1));
  Metadata *interleave[] = {MDString::get(context, "llvm.loop.interleave.count"), count};
  MDNode *loop = MDNode::getDistinct(context, {nullptr, MDNode::get(context, interleave)});
  loop->replaceOperandWith(0, loop);
  return loop;
}

/// A run ends after its rows; what it leaves a round of the loop takes, or who comes behind it.
void Runs::leaveCopy() {
  b.SetInsertPoint(copyOf[latch]);
  Value *next = b.CreateAdd(done, b.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  done->addIncoming(next, copyOf[latch]);
  Instruction *again = b.CreateCondBr(b.CreateICmpEQ(next, rows), end, copyOf[first]);
  again->setMetadata(LLVMContext::MD_loop, shortLoop(b.getContext()));
  auto *back = cast<BranchInst>(latch->getTerminator());
  BasicBlock *exit = back->getSuccessor(back->getSuccessor(0) == head);
  BasicBlock *some = block("rows.some");
  b.SetInsertPoint(end);
  b.CreateCondBr(b.CreateICmpEQ(rows, left), exit, some);
  b.SetInsertPoint(some);
  b.CreateCondBr(b.CreateICmpEQ(rows, b.getInt64(kMost)), head, first);
  for (PHINode &phi : exit->phis())
    phi.addIncoming(copied(phi.getIncomingValueForBlock(latch)), end);
  for (PHINode &phi : first->phis()) {
    Value *handedOn = copied(phi.getIncomingValueForBlock(latch));
    while (phi.getNumIncomingValues() > 0)
      phi.removeIncomingValue(phi.getNumIncomingValues() - 1, /*DeletePHIIfEmpty=*/false);
    phi.addIncoming(before[&phi], head);
    phi.addIncoming(handedOn, some);
    cast<PHINode>(before[&phi])->addIncoming(handedOn, some);
  }
}

void Runs::build() {
  makeHead();
  b.SetInsertPoint(head);
  countRows();
  copyLoop();
  leaveCopy();
  if (leaves)
    mergeValues();
}

PreservedAnalyses SteadyRows::run(Function &f, FunctionAnalysisManager &analyses) {
  SmallPtrSet<BasicBlock *, 16> seen; // heads of loops that were looked at
  bool changed = false;
  for (bool more = true; more;) {
    more = false;
    auto &loops = analyses.getResult<LoopAnalysis>(f);
    auto &dominators = analyses.getResult<DominatorTreeAnalysis>(f);
    for (Loop *loop : loops.getLoopsInPreorder()) {
      if (!seen.insert(loop->getHeader()).second)
        continue;
      changed |= simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
      if (!loop->isLoopSimplifyForm() || !loop->isLoopExiting(loop->getLoopLatch()))
        continue;
      std::optional<SteadyRound> round =
          SteadyRound::find(*loop, loops, analyses.getResult<BranchProbabilityAnalysis>(f));
      if (!round)
        continue;
      changed |= formLCSSA(*loop, dominators, &loops, nullptr);
      SmallPtrSet<BasicBlock *, 32> others;
      for (BasicBlock &each : f)
        others.insert(&each);
      Runs(*round).build();
      for (BasicBlock &each : f)
        if (!others.contains(&each))
          seen.insert(&each);
      analyses.invalidate(f, PreservedAnalyses::none());
      changed = more = true;
      break;
    }
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace sluice
