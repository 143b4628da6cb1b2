//===- PromoteState.cpp - state in registers ------------------------------===//
#include "codegen/vectorise/PromoteState.h"
#include "codegen/vectorise/MemoryName.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace sluice {

/// Accesses in a round that are not known, on average.
static constexpr double kMostUnseen = 0.25;

namespace {
/// Some bytes of state, always read and written as one type.
struct Part {
  Type *type = nullptr; // null: of several types, or it overlaps another part
  SmallVector<Instruction *> accesses;
  Align align; // the least of its accesses
  bool isWritten = false;
  AllocaInst *slot = nullptr; // stands for the part inside the loop
};

/// What touches state in a way that is not known, and how.
struct Unseen {
  Instruction *at;
  ModRefInfo how;
};

class StateLoop {
public:
  StateLoop(Loop &loop, AAResults &aliases, const BlockFrequencyInfo &frequencies)
      : loop(loop), aliases(aliases), frequencies(frequencies),
        layout(loop.getHeader()->getDataLayout()) {}

  /// Appends the slots to `slots`. The loop has a preheader and exits of its own.
  void promote(SmallVectorImpl<AllocaInst *> &slots);

private:
  bool findBase();
  void findParts();
  std::optional<int64_t> offsetOf(Instruction &) const;
  bool findUnseen();
  void leaveOutOverlaps();
  bool isMostlySeen() const;
  bool pays(const Part &) const;
  double roundsOf(const Instruction &) const;
  void read(IRBuilder<> &, int64_t offset, const Part &) const;
  void write(IRBuilder<> &, int64_t offset, const Part &) const;
  void replace(int64_t offset, Part &) const;

  Loop &loop;
  AAResults &aliases;
  const BlockFrequencyInfo &frequencies;
  const DataLayout &layout;
  Value *base = nullptr;          // of all parts
  AAMDNodes tags;                 // of all parts
  MapVector<int64_t, Part> parts; // by offset from `base`
  SmallVector<Unseen> unseen;
};
} // namespace

static bool isSimple(const Instruction &i) {
  auto *load = dyn_cast<LoadInst>(&i);
  auto *store = dyn_cast<StoreInst>(&i);
  return (load && load->isSimple()) || (store && store->isSimple());
}

static bool isState(const Instruction &i) { return isSimple(i) && memoryName(i) == "state"; }

/// False: parts have no base in common that is known before the loop.
bool StateLoop::findBase() {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block) {
      if (!isState(i))
        continue;
      int64_t offset = 0;
      Value *of = GetPointerBaseWithConstantOffset(getLoadStorePointerOperand(&i), offset, layout);
      if (!loop.isLoopInvariant(of) || (base && base != of))
        return false;
      base = of;
      tags.TBAA = i.getAAMetadata().TBAA;
    }
  return base;
}

/// A part is known by its place: LLVM drops the tag where it merges stores.
std::optional<int64_t> StateLoop::offsetOf(Instruction &i) const {
  if (!isSimple(i))
    return std::nullopt;
  int64_t offset = 0;
  Value *of = GetPointerBaseWithConstantOffset(getLoadStorePointerOperand(&i), offset, layout);
  return of == base ? std::optional(offset) : std::nullopt;
}

void StateLoop::findParts() {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block)
      if (std::optional<int64_t> offset = offsetOf(i)) {
        Part &part = parts[*offset];
        Type *type = getLoadStoreType(&i);
        part.type = part.accesses.empty() || part.type == type ? type : nullptr;
        Align align = getLoadStoreAlignment(&i);
        part.align = part.accesses.empty() ? align : std::min(part.align, align);
        part.accesses.push_back(&i);
        part.isWritten |= isa<StoreInst>(i);
      }
}

void StateLoop::leaveOutOverlaps() {
  SmallVector<int64_t> offsets = map_to_vector(parts, [](auto &part) { return part.first; });
  sort(offsets);
  for (auto [before, after] : zip(offsets, drop_begin(offsets))) {
    Part &part = parts[before];
    if (part.type && before + int64_t(layout.getTypeStoreSize(part.type)) <= after)
      continue;
    part.type = parts[after].type = nullptr;
  }
}

/// False: one of them ends its block, with nothing behind it.
bool StateLoop::findUnseen() {
  MemoryLocation all = MemoryLocation::getBeforeOrAfter(base, tags);
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block) {
      StringRef name = memoryName(i);
      if (!i.mayReadOrWriteMemory() || (!name.empty() && name != "state") || offsetOf(i))
        continue; // memory with another tag of ours lies apart
      ModRefInfo how = aliases.getModRefInfo(&i, all);
      if (isNoModRef(how))
        continue;
      if (i.isTerminator())
        return false;
      unseen.push_back({&i, how});
    }
  return true;
}

/// How often it is run in a round of the loop, as far as that is known.
double StateLoop::roundsOf(const Instruction &i) const {
  return double(frequencies.getBlockFreq(i.getParent()).getFrequency()) /
         double(std::max<uint64_t>(1, frequencies.getBlockFreq(loop.getHeader()).getFrequency()));
}

/// Whether nearly all rounds touch state in ways that are known. Where a call in the middle may
/// look at it (a table that is searched for each row), registers only make more of the code around.
bool StateLoop::isMostlySeen() const {
  double rounds = 0;
  for (const Unseen &each : unseen)
    rounds += roundsOf(*each.at);
  return rounds <= kMostUnseen;
}

/// Whether fewer accesses are left.
bool StateLoop::pays(const Part &part) const {
  double accesses = 0, left = 0;
  for (const Instruction *i : part.accesses)
    accesses += roundsOf(*i);
  for (const Unseen &each : unseen)
    left += roundsOf(*each.at) * (int(part.isWritten) + int(isModSet(each.how)));
  return part.type && accesses > left;
}

void StateLoop::read(IRBuilder<> &b, int64_t offset, const Part &part) const {
  Value *at = b.CreatePtrAdd(base, b.getInt64(offset));
  LoadInst *load = b.CreateAlignedLoad(part.type, at, part.align);
  load->setAAMetadata(tags);
  b.CreateStore(load, part.slot);
}

void StateLoop::write(IRBuilder<> &b, int64_t offset, const Part &part) const {
  if (!part.isWritten)
    return;
  Value *value = b.CreateLoad(part.type, part.slot);
  Value *at = b.CreatePtrAdd(base, b.getInt64(offset));
  b.CreateAlignedStore(value, at, part.align)->setAAMetadata(tags);
}

void StateLoop::replace(int64_t offset, Part &part) const {
  Function &f = *loop.getHeader()->getParent();
  IRBuilder<> b(&f.getEntryBlock(), f.getEntryBlock().begin());
  part.slot = b.CreateAlloca(part.type, nullptr, "state");
  b.SetInsertPoint(loop.getLoopPreheader()->getTerminator());
  read(b, offset, part);
  for (Instruction *access : part.accesses) {
    access->setOperand(isa<LoadInst>(access) ? 0 : 1, part.slot);
    access->setAAMetadata(AAMDNodes());
  }
  for (const Unseen &each : unseen) {
    b.SetInsertPoint(each.at);
    write(b, offset, part);
    b.SetInsertPoint(each.at->getNextNode());
    if (isModSet(each.how))
      read(b, offset, part);
  }
  SmallVector<BasicBlock *> exits;
  loop.getUniqueExitBlocks(exits);
  for (BasicBlock *exit : exits) {
    b.SetInsertPoint(exit, exit->getFirstInsertionPt());
    write(b, offset, part);
  }
}

void StateLoop::promote(SmallVectorImpl<AllocaInst *> &slots) {
  if (!loop.isLoopSimplifyForm() || !findBase() || !findUnseen() || !isMostlySeen())
    return;
  findParts();
  leaveOutOverlaps();
  for (auto &[offset, part] : parts)
    if (pays(part)) {
      replace(offset, part);
      slots.push_back(part.slot);
    }
}

PreservedAnalyses PromoteState::run(Function &f, FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(f);
  if (loops.empty() || none_of(instructions(f), isState))
    return PreservedAnalyses::all();
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(f);
  bool changed = false;
  for (Loop *loop : loops)
    changed |= simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
  BranchProbabilityInfo probabilities(f, loops);
  BlockFrequencyInfo frequencies(f, probabilities, loops);
  SmallVector<Loop *, 4> order = loops.getLoopsInPreorder();
  for (Loop *loop : reverse(order)) { // those inside first
    SmallVector<AllocaInst *> slots;
    StateLoop(*loop, analyses.getResult<AAManager>(f), frequencies).promote(slots);
    if (!slots.empty())
      PromoteMemToReg(slots, dominators, &analyses.getResult<AssumptionAnalysis>(f));
    changed |= !slots.empty();
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace sluice
