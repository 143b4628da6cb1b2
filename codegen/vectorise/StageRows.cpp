//===- StageRows.cpp - loops of their own for parts of a row --------------===//
#include "codegen/vectorise/StageRows.h"
#include "codegen/vectorise/SteadyRound.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace sluice {

static constexpr uint64_t kMost = 64; // rows: what they hand on stays in the nearest cache
/// Operations for each value that is handed on.
static constexpr size_t kWorth = 5, kWorthWhereRowsWait = 40;

namespace {
struct Facts {
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
};

/// The blocks around a loop that runs in strips.
struct Strips {
  BasicBlock *head, *front, *before, *behind;
  PHINode *now = nullptr;  // the round of a strip
  Value *rounds = nullptr; // of a strip
};

/// A loop over rows, and the loops that it is cut into.
class Stages {
public:
  Stages(Loop &loop, const Facts &facts, size_t worth) : loop(loop), facts(facts), worth(worth) {}
  bool cutFront();

private:
  bool findFront();
  void copyPart(IRBuilder<> &);
  bool hasShape();
  void findCounters();
  bool isCounter(Value *v) const { return counters.contains(v); }
  bool isPure(const Instruction &) const;
  bool carriesState() const;
  size_t sizeOf(Instruction *, SmallPtrSetImpl<Instruction *> &seen) const;
  AllocaInst *array(Type *) const;
  void takeCounters(BasicBlock *body, BasicBlock *before, BasicBlock *start);
  Value *countRounds();
  Strips makeStrips();
  void close(IRBuilder<> &, BasicBlock *body, BasicBlock *behind, Value *round, Value *rounds);
  Value *copied(Value *v) const { return copies.lookup_or(v, v); }

  Loop &loop;
  const Facts &facts;
  const size_t worth; // operations for each value that is handed on
  const SCEV *backEdges = nullptr;
  MapVector<Value *, ConstantInt *> counters; // of the loop's head, and by what they grow
  SmallSetVector<Instruction *, 32> part;     // of the round, in order, which gets its own loop
  SmallSetVector<Instruction *, 8> handedOn;  // of the part, to the loop
  DenseMap<Value *, Value *> copies;
};
} // namespace

/// The latch, which leaves it, does so behind a number of rows that is known before.
bool Stages::hasShape() {
  auto *last = dyn_cast<BranchInst>(loop.getLoopLatch()->getTerminator());
  if (!last)
    return false;
  findCounters();
  backEdges = facts.evolution.getExitCount(&loop, loop.getLoopLatch());
  return !isa<SCEVCouldNotCompute>(backEdges) &&
         SCEVExpander(facts.evolution, "stage")
             .isSafeToExpandAt(backEdges, loop.getLoopPreheader()->getTerminator());
}

void Stages::findCounters() {
  for (PHINode &phi : loop.getHeader()->phis()) {
    auto *grows = phi.getType()->isIntegerTy()
                      ? dyn_cast<SCEVAddRecExpr>(facts.evolution.getSCEV(&phi))
                      : nullptr;
    auto *step = grows && grows->getLoop() == &loop && grows->isAffine()
                     ? dyn_cast<SCEVConstant>(grows->getOperand(1))
                     : nullptr;
    if (step)
      counters[&phi] = step->getValue();
  }
}

/// It can be done for a row at another time, or for one that is not there.
bool Stages::isPure(const Instruction &i) const {
  Type *type = i.getType();
  return !isa<PHINode>(i) && !i.isTerminator() && !i.mayReadOrWriteMemory() &&
         (type->isIntegerTy() || type->isFloatTy() || type->isDoubleTy()) &&
         isSafeToSpeculativelyExecute(&i);
}

/// Whether LLVM cannot make vectors of it as it is.
bool Stages::carriesState() const {
  if (loop.getNumBlocks() > 1)
    return true;
  return any_of(loop.getHeader()->phis(), [&](PHINode &phi) {
    RecurrenceDescriptor sum;
    return !isCounter(&phi) && !RecurrenceDescriptor::isReductionPHI(&phi, &loop, sum);
  });
}

/// How many operations of the part a value takes.
size_t Stages::sizeOf(Instruction *of, SmallPtrSetImpl<Instruction *> &seen) const {
  if (!part.contains(of) || !seen.insert(of).second)
    return 0;
  size_t size = 1;
  for (Value *operand : of->operands())
    if (auto *i = dyn_cast<Instruction>(operand))
      size += sizeOf(i, seen);
  return size;
}

AllocaInst *Stages::array(Type *type) const {
  BasicBlock &entry = loop.getHeader()->getParent()->getEntryBlock();
  IRBuilder<> b(&entry, entry.begin());
  AllocaInst *made = b.CreateAlloca(ArrayType::get(type, kMost), nullptr, "stage");
  made->setAlignment(Align(64));
  return made;
}

/// The tag of the arrays, as those of codegen/Aliasing.h.
static MDNode *arrayTag(LLVMContext &context) {
  MDBuilder b(context);
  MDNode *type = b.createTBAAScalarTypeNode("stage", b.createTBAARoot("sluice"));
  return b.createTBAAStructTagNode(type, type, 0);
}

static void store(IRBuilder<> &b, Value *v, AllocaInst *values, Value *round) {
  StoreInst *made = b.CreateStore(v, b.CreateInBoundsGEP(v->getType(), values, round));
  made->setMetadata(LLVMContext::MD_tbaa, arrayTag(b.getContext()));
}

static Value *load(IRBuilder<> &b, Type *type, AllocaInst *values, Value *round) {
  LoadInst *made = b.CreateLoad(type, b.CreateInBoundsGEP(type, values, round));
  made->setMetadata(LLVMContext::MD_tbaa, arrayTag(b.getContext()));
  return made;
}

Value *Stages::countRounds() {
  Instruction *at = loop.getLoopPreheader()->getTerminator();
  SCEVExpander expander(facts.evolution, "stage");
  IRBuilder<> b(at);
  Value *v = expander.expandCodeFor(backEdges, backEdges->getType(), at);
  return b.CreateAdd(b.CreateZExtOrTrunc(v, b.getInt64Ty()), b.getInt64(1), "rounds");
}

/// The counters of the loop, which `start` leads to, in `body`, which `before` leads to.
void Stages::takeCounters(BasicBlock *body, BasicBlock *before, BasicBlock *start) {
  IRBuilder<> b(body);
  for (auto [phi, step] : counters) {
    PHINode *made = b.CreatePHI(phi->getType(), 2, phi->getName());
    made->addIncoming(cast<PHINode>(phi)->getIncomingValueForBlock(start), before);
    copies[phi] = made;
  }
}

void Stages::copyPart(IRBuilder<> &b) {
  for (Instruction *i : part) {
    Instruction *made = b.Insert(i->clone(), i->getName());
    for (Use &use : made->operands())
      use.set(copied(use));
    copies[i] = made;
  }
}

/// Ends a loop of one block.
void Stages::close(IRBuilder<> &b, BasicBlock *body, BasicBlock *behind, Value *round,
                   Value *rounds) {
  for (auto [phi, step] : counters)
    cast<PHINode>(copies[phi])->addIncoming(b.CreateAdd(copies[phi], step), body);
  Value *next = b.CreateAdd(round, b.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  cast<PHINode>(round)->addIncoming(next, body);
  b.CreateCondBr(b.CreateICmpEQ(next, rounds), behind, body);
}

/// Makes strips of at most kMost rows:
///
///   head -> front -> before -> loop, `rounds` of them -> behind -> head
Strips Stages::makeStrips() {
  BasicBlock *first = loop.getHeader(), *latch = loop.getLoopLatch();
  BasicBlock *preheader = loop.getLoopPreheader();
  Value *all = countRounds();
  auto block = [&](const char *name) {
    return BasicBlock::Create(first->getContext(), name, first->getParent(), first);
  };
  Strips s{block("stage.head"), block("stage.front"), block("stage.before"), block("stage.behind")};
  IRBuilder<> b(s.head);
  PHINode *done = b.CreatePHI(b.getInt64Ty(), 2, "done");
  done->addIncoming(b.getInt64(0), preheader);
  for (PHINode &phi : first->phis()) {
    PHINode *made = b.CreatePHI(phi.getType(), 2, phi.getName());
    made->addIncoming(phi.getIncomingValueForBlock(preheader), preheader);
    made->addIncoming(phi.getIncomingValueForBlock(latch), s.behind);
    phi.setIncomingValueForBlock(preheader, made);
    phi.replaceIncomingBlockWith(preheader, s.before);
  }
  preheader->getTerminator()->replaceSuccessorWith(first, s.head);
  s.rounds = b.CreateBinaryIntrinsic(Intrinsic::umin, b.CreateSub(all, done), b.getInt64(kMost), {},
                                     "strip");
  b.CreateBr(s.front);
  b.SetInsertPoint(s.before);
  b.CreateBr(first);
  s.now = PHINode::Create(b.getInt64Ty(), 2, "round", first->begin());
  s.now->addIncoming(b.getInt64(0), s.before);
  auto *last = cast<BranchInst>(latch->getTerminator());
  BasicBlock *exit = last->getSuccessor(last->getSuccessor(0) == first);
  b.SetInsertPoint(last);
  Value *next = b.CreateAdd(s.now, b.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  s.now->addIncoming(next, latch);
  b.CreateCondBr(b.CreateICmpEQ(next, s.rounds), s.behind, first);
  Value *condition = last->getCondition();
  last->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(condition);
  b.SetInsertPoint(s.behind);
  Value *soFar = b.CreateAdd(done, s.rounds);
  done->addIncoming(soFar, s.behind);
  b.CreateCondBr(b.CreateICmpEQ(soFar, all), exit, s.head);
  exit->replacePhiUsesWith(latch, s.behind);
  return s;
}

/// What is computed of the row's number alone, in every round; part of it that takes long enough is
/// handed on. False: there is none.
bool Stages::findFront() {
  LoopBlocksRPO order(&loop);
  order.perform(&facts.loops);
  for (BasicBlock *block : order)
    for (Instruction &i : *block)
      if (isPure(i) && all_of(i.operands(), [&](Value *v) {
            auto *of = dyn_cast<Instruction>(v);
            return !of || !loop.contains(of) || part.contains(of) || isCounter(of);
          }))
        part.insert(&i);
  for (Instruction *i : part) {
    SmallPtrSet<Instruction *, 16> seen;
    bool isNeeded =
        any_of(i->users(), [&](User *user) { return !part.contains(cast<Instruction>(user)); });
    bool isAlways = facts.dominators.dominates(i->getParent(), loop.getLoopLatch());
    if (isNeeded && isAlways && sizeOf(i, seen) >= worth)
      handedOn.insert(i);
  }
  SmallPtrSet<Instruction *, 16> needed;
  for (Instruction *i : handedOn)
    sizeOf(i, needed);
  part.remove_if([&](Instruction *i) { return !needed.contains(i); });
  return !part.empty();
}

bool Stages::cutFront() {
  if (!hasShape() || !carriesState() || !findFront())
    return false;
  Strips strips = makeStrips();
  BasicBlock *body = strips.front;
  IRBuilder<> b(body);
  PHINode *round = b.CreatePHI(b.getInt64Ty(), 2, "round");
  round->addIncoming(b.getInt64(0), strips.head);
  takeCounters(body, strips.head, strips.before);
  copyPart(b);
  for (Instruction *i : handedOn) {
    AllocaInst *values = array(i->getType());
    b.SetInsertPoint(body);
    store(b, copied(i), values, round);
    b.SetInsertPoint(loop.getHeader(), loop.getHeader()->getFirstNonPHIIt());
    Value *v = load(b, i->getType(), values, strips.now);
    i->replaceUsesWithIf(
        v, [&](Use &use) { return cast<Instruction>(use.getUser())->getParent() != body; });
  }
  b.SetInsertPoint(body);
  close(b, body, strips.before, round, strips.rounds);
  return true;
}

/// How many operations a value takes that is worth a loop of its own. More where rows go several
/// ways, or through loops, as look-ups do: a processor computes what depends on the row's number
/// while it waits there.
static size_t worthOf(Loop &loop, LoopInfo &loops, const BranchProbabilityInfo &probabilities) {
  bool isSteady =
      loop.getNumBlocks() == 1 || SteadyRound::find(loop, loops, probabilities).has_value();
  return isSteady ? kWorth : kWorthWhereRowsWait;
}

PreservedAnalyses StageRows::run(Function &f, FunctionAnalysisManager &analyses) {
  SmallPtrSet<BasicBlock *, 16> seen; // heads of loops that were looked at
  bool changed = false;
  for (bool more = true; more;) {
    more = false;
    Facts facts{analyses.getResult<LoopAnalysis>(f), analyses.getResult<DominatorTreeAnalysis>(f),
                analyses.getResult<ScalarEvolutionAnalysis>(f)};
    for (Loop *loop : facts.loops.getLoopsInPreorder()) {
      if (!seen.insert(loop->getHeader()).second)
        continue;
      changed |= simplifyLoop(loop, &facts.dominators, &facts.loops, &facts.evolution, nullptr,
                              nullptr, false);
      changed |= formLCSSA(*loop, facts.dominators, &facts.loops, &facts.evolution);
      if (!loop->isLoopSimplifyForm() || !loop->isLoopExiting(loop->getLoopLatch()))
        continue;
      size_t worth = worthOf(*loop, facts.loops, analyses.getResult<BranchProbabilityAnalysis>(f));
      if (Stages(*loop, facts, worth).cutFront()) {
        analyses.invalidate(f, PreservedAnalyses::none());
        changed = more = true;
        break;
      }
    }
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace sluice
