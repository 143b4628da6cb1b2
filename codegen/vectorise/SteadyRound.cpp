//===- SteadyRound.cpp - the way that most rows take ----------------------===//
#include "codegen/vectorise/SteadyRound.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace sluice {

static constexpr size_t kMostComparisons = 64, kMostInstructions = 1000;

static unsigned widthOf(const Value *v) {
  return v->getType()->isIntegerTy() ? v->getType()->getIntegerBitWidth() : 0;
}

static uint64_t cut(uint64_t value, unsigned width) {
  return width < 64 ? value & ((uint64_t(1) << width) - 1) : value;
}

/// Two numbers are seldom equal.
static std::optional<bool> byDefault(const ICmpInst &comparison) {
  return comparison.isEquality() ? std::optional(comparison.getPredicate() == CmpInst::ICMP_NE)
                                 : std::nullopt;
}

//===--- what is assumed ----------------------------------------------------------===//

SteadyRound::SteadyRound(Loop &loop, LoopInfo &loops, const BranchProbabilityInfo &probabilities)
    : of(&loop), loops(&loops), probabilities(&probabilities), latch(loop.getLoopLatch()) {
  LoopBlocksRPO blocks(&loop);
  blocks.perform(&loops);
  order.assign(blocks.begin(), blocks.end());
  const Instruction *last = latch->getTerminator();
  for (BasicBlock *block : order)
    for (Instruction &i : *block)
      if (auto *comparison = dyn_cast<ICmpInst>(&i);
          comparison && !comparison->use_empty() && widthOf(comparison->getOperand(0)) &&
          widthOf(comparison->getOperand(0)) <= 64 && !is_contained(last->operands(), comparison))
        assumed[comparison] = {byDefault(*comparison)};
}

/// What a comparison says whatever is assumed.
static std::optional<bool> compare(CmpPredicate predicate, Linear left, Linear right,
                                   unsigned width) {
  if (left.base != right.base)
    return std::nullopt;
  if (ICmpInst::isEquality(predicate))
    return (cut(left.offset, width) == cut(right.offset, width)) == (predicate == CmpInst::ICMP_EQ);
  if (left.base)
    return std::nullopt;
  return ICmpInst::compare(APInt(width, cut(left.offset, width)),
                           APInt(width, cut(right.offset, width)), predicate);
}

/// Takes back all that is assumed of values that do not grow by one.
void SteadyRound::settle() {
  for (bool more = true; more;) {
    run();
    more = false;
    for (auto &[comparison, what] : assumed)
      if (what.says && !what.isChosen && isAssumption(comparison) && !stepOf(comparison)) {
        what.says = std::nullopt;
        more = true;
      }
  }
}

/// Whether it is on the way, and what it says is assumed, not known.
bool SteadyRound::isAssumption(ICmpInst *comparison) const {
  return isLive.contains(comparison->getParent()) && assumed.lookup(comparison).says &&
         !folded(*comparison);
}

/// Takes a comparison to say so: the number of tuples in a window that is full stays as it is.
/// None: what it compares would not stay.
std::optional<SteadyRound> SteadyRound::with(ICmpInst *comparison, bool says) const {
  SteadyRound other = *this;
  for (auto &[each, what] : other.assumed)
    if (!what.isChosen)
      what.says = byDefault(*each);
  other.assumed[comparison] = {says, /*isChosen=*/true};
  Linear left = valueOf(comparison->getOperand(0)), right = valueOf(comparison->getOperand(1));
  for (auto &[each, what] : assumed) // two of the same values would each follow from the other
    if (each != comparison && what.isChosen && values.contains(each) &&
        valueOf(each->getOperand(0)) == left && valueOf(each->getOperand(1)) == right)
      return std::nullopt;
  if (comparison->isEquality()) {
    auto of = [&](const Linear &side) {
      auto *phi = dyn_cast_or_null<PHINode>(side.base);
      return phi && phi->getParent() == this->of->getHeader() ? phi : nullptr;
    };
    if (!of(left))
      std::swap(left, right);
    if (!of(left) || of(right) || other.replaced.contains(of(left)))
      return std::nullopt;
    other.replaced[of(left)] = {right.base, cut(right.offset - left.offset, widthOf(of(left)))};
    other.equal.push_back({CmpInst::ICMP_EQ, left, right, /*step=*/0});
  }
  other.settle();
  auto stays = [&](auto &each) { return !each.second.isChosen || other.stepOf(each.first) == 0; };
  bool allStay = all_of(other.assumed, stays) && all_of(other.replaced, [&](auto &each) {
                   return other.stepOf(each.first) == 0 &&
                          (!each.second.base || other.isConstant(each.second.base));
                 });
  return allStay && (other.isPlain() || !isPlain()) ? std::optional(std::move(other))
                                                    : std::nullopt;
}

/// Chooses for one comparison after the other that what it compares stays, if it may.
void SteadyRound::choose() {
  for (ICmpInst *comparison : to_vector(make_first_range(assumed))) {
    if (!isLive.contains(comparison->getParent()) || folded(*comparison))
      continue;
    if (comparison->isEquality()) {
      if (stepOf(comparison) != 0)
        if (auto other = with(comparison, !*byDefault(*comparison)))
          *this = std::move(*other);
      continue;
    }
    std::optional<SteadyRound> yes = with(comparison, true), no = with(comparison, false);
    if (bool(yes) != bool(no)) // else which way it goes is not a matter of counters
      *this = std::move(yes ? *yes : *no);
  }
}

std::optional<SteadyRound> SteadyRound::find(Loop &loop, LoopInfo &loops,
                                             const BranchProbabilityInfo &probabilities) {
  size_t instructions = 0;
  for (BasicBlock *block : loop.blocks())
    instructions += block->size();
  auto *last = dyn_cast<BranchInst>(loop.getLoopLatch()->getTerminator());
  if (instructions > kMostInstructions || !last || !last->isConditional())
    return std::nullopt;
  SteadyRound round(loop, loops, probabilities);
  if (round.assumed.empty() || round.assumed.size() > kMostComparisons)
    return std::nullopt;
  round.settle();
  round.choose();
  return round.isPlain() && round.decides() && round.end() ? std::optional(std::move(round))
                                                           : std::nullopt;
}

/// Whether it is in no other loop, and has no call.
bool SteadyRound::isPlain(BasicBlock *block) const {
  return loops->getLoopFor(block) == of && none_of(*block, [](const Instruction &i) {
           auto *call = dyn_cast<CallBase>(&i);
           return call && !isa<AssumeInst>(i) ? call->mayReadOrWriteMemory()
                                              : i.isVolatile() || i.isAtomic();
         });
}

bool SteadyRound::isPlain() const {
  return isLive.contains(latch) && all_of(live, [&](BasicBlock *block) {
           return isPlain(block) && (block == latch || all_of(successors(block), [&](auto *next) {
                                       return !takes(block, next) || of->contains(next);
                                     }));
         });
}

/// Whether a round is shorter for what is known of it.
bool SteadyRound::decides() const {
  return live.size() < order.size() || any_of(
                                           live,
                                           [&](BasicBlock *block) {
                                             return any_of(*block, [&](Instruction &i) {
                                               auto *select = dyn_cast<SelectInst>(&i);
                                               return select && known(select->getCondition());
                                             });
                                           });
}

//===--- what follows -------------------------------------------------------------===//

void SteadyRound::run() {
  live.clear(), isLive.clear(), edges.clear(), leaving.clear(), values.clear();
  for (BasicBlock *block : order) {
    bool isHead = block == of->getHeader();
    if (!isHead && none_of(predecessors(block), [&](BasicBlock *p) { return takes(p, block); }))
      continue;
    live.push_back(block);
    isLive.insert(block);
    for (Instruction &i : *block) {
      auto *phi = dyn_cast<PHINode>(&i);
      values[&i] = phi && isHead ? headOf(*phi) : phi ? merged(*phi) : evaluate(i);
    }
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    std::optional<bool> way;
    if (branch && branch->isConditional())
      way = known(branch->getCondition());
    for (unsigned n = 0; n < block->getTerminator()->getNumSuccessors(); ++n) {
      BasicBlock *next = block->getTerminator()->getSuccessor(n);
      bool isLeft = !way && block != latch && !isPlain(next) &&
                    probabilities->getEdgeProbability(block, n) < BranchProbability(1, 16);
      if (!way || n == unsigned(!*way))
        (isLeft ? leaving : edges).insert({block, next});
    }
  }
}

Linear SteadyRound::valueOf(Value *v) const {
  if (auto *constant = dyn_cast<ConstantInt>(v); constant && constant->getBitWidth() <= 64)
    return {nullptr, constant->getZExtValue()};
  auto at = values.find(v);
  return at == values.end() ? Linear{v, 0} : at->second;
}

Linear SteadyRound::headOf(PHINode &phi) const {
  auto at = replaced.find(&phi);
  return at == replaced.end() ? Linear{&phi, 0} : at->second;
}

Linear SteadyRound::merged(PHINode &phi) const {
  std::optional<Linear> all;
  for (auto [from, v] : zip(phi.blocks(), phi.incoming_values())) {
    if (!takes(from, phi.getParent()))
      continue;
    Linear each = valueOf(v);
    if (all && *all != each)
      return {&phi, 0};
    all = each;
  }
  return all.value_or(Linear{&phi, 0});
}

Linear SteadyRound::evaluate(Instruction &i) const {
  const Linear self{&i, 0};
  auto of = [&](unsigned n) { return valueOf(i.getOperand(n)); };
  auto isKnown = [&](unsigned n) { return !of(n).base; };
  unsigned width = widthOf(&i);
  if (isa<SelectInst>(i))
    return isKnown(0) ? of(of(0).offset ? 1 : 2) : self;
  if (!width || width > 64)
    return self;
  if (auto *comparison = dyn_cast<ICmpInst>(&i)) {
    std::optional<bool> says = compared(*comparison);
    return says ? Linear{nullptr, uint64_t(*says)} : self;
  }
  switch (i.getOpcode()) {
  case Instruction::Add:
    return isKnown(1)   ? Linear{of(0).base, cut(of(0).offset + of(1).offset, width)}
           : isKnown(0) ? Linear{of(1).base, cut(of(0).offset + of(1).offset, width)}
                        : self;
  case Instruction::Sub:
    return of(0).base == of(1).base ? Linear{nullptr, cut(of(0).offset - of(1).offset, width)}
           : isKnown(1)             ? Linear{of(0).base, cut(of(0).offset - of(1).offset, width)}
                                    : self;
  case Instruction::Xor:
    return isKnown(0) && isKnown(1) ? Linear{nullptr, of(0).offset ^ of(1).offset} : self;
  case Instruction::ZExt:
    return isKnown(0) ? of(0) : self;
  case Instruction::Freeze:
    return isKnown(0) ? of(0) : self;
  default:
    return self;
  }
}

/// What a comparison says because of what it compares, or as another one is taken to say so.
std::optional<bool> SteadyRound::folded(ICmpInst &comparison) const {
  Value *left = comparison.getOperand(0), *right = comparison.getOperand(1);
  if (!widthOf(left) || widthOf(left) > 64)
    return std::nullopt;
  CmpPredicate predicate = comparison.getPredicate();
  if (auto says = compare(predicate, valueOf(left), valueOf(right), widthOf(left)))
    return says;
  for (auto &[other, what] : assumed)
    if (other != &comparison && what.isChosen && values.contains(other) &&
        valueOf(other->getOperand(0)) == valueOf(left) &&
        valueOf(other->getOperand(1)) == valueOf(right)) {
      if (other->getPredicate() == predicate)
        return what.says;
      if (other->getInversePredicate() == predicate)
        return !*what.says;
    }
  return std::nullopt;
}

std::optional<bool> SteadyRound::compared(ICmpInst &comparison) const {
  auto says = folded(comparison);
  return says ? says : assumed.lookup(&comparison).says;
}

std::optional<bool> SteadyRound::known(Value *condition) const {
  Linear v = valueOf(condition);
  return v.base ? std::nullopt : std::optional(bool(v.offset & 1));
}

//===--- what changes from round to round -------------------------------------------===//

std::optional<int64_t> SteadyRound::stepOf(PHINode *phi) const {
  Linear last = valueOf(phi->getIncomingValueForBlock(latch));
  Linear first = headOf(*phi);
  if (!widthOf(phi) || widthOf(phi) > 64)
    return last == first ? std::optional<int64_t>(0) : std::nullopt;
  if (first.base != last.base)
    return std::nullopt;
  int64_t step = SignExtend64(cut(last.offset - first.offset, widthOf(phi)), widthOf(phi));
  return first.base == phi || step == 0 ? std::optional(step) : std::nullopt;
}

/// Whether a value is the same in all rounds, and can be computed before the first.
bool SteadyRound::isConstant(Value *v) const {
  auto *i = dyn_cast<Instruction>(v);
  if (!i || !of->contains(i))
    return true;
  if (auto *phi = dyn_cast<PHINode>(i))
    return phi->getParent() == of->getHeader() && stepOf(phi) == 0;
  return !i->mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(i) &&
         all_of(i->operands(), [&](Value *v) { return isConstant(v); });
}

std::optional<int64_t> SteadyRound::stepOf(const Linear &v) const {
  auto *phi = dyn_cast_or_null<PHINode>(v.base);
  if (phi && phi->getParent() == of->getHeader())
    return stepOf(phi);
  return !v.base || isConstant(v.base) ? std::optional<int64_t>(0) : std::nullopt;
}

/// By what the first operand grows more than the second: -1, 0 or 1, or something else.
std::optional<int64_t> SteadyRound::stepOf(ICmpInst *comparison) const {
  auto left = stepOf(valueOf(comparison->getOperand(0)));
  auto right = stepOf(valueOf(comparison->getOperand(1)));
  if (!left || !right || *left - *right < -1 || *left - *right > 1)
    return std::nullopt;
  return *left - *right;
}

SmallVector<Limit> SteadyRound::limits() const {
  SmallVector<Limit> all = equal;
  for (auto &[comparison, what] : assumed)
    if (isAssumption(comparison))
      all.push_back({*what.says ? comparison->getPredicate() : comparison->getInversePredicate(),
                     valueOf(comparison->getOperand(0)), valueOf(comparison->getOperand(1)),
                     int(*stepOf(comparison))});
  return all;
}

std::optional<Linear> SteadyRound::constantOf(PHINode *phi) const {
  return stepOf(phi) == 0 ? std::optional(headOf(*phi)) : std::nullopt;
}

std::optional<SteadyRound::End> SteadyRound::end() const {
  auto *last = cast<BranchInst>(latch->getTerminator());
  auto *comparison = dyn_cast<ICmpInst>(last->getCondition());
  if (!comparison || !widthOf(comparison->getOperand(0)) || widthOf(comparison->getOperand(0)) > 64)
    return std::nullopt;
  CmpPredicate goesOn = last->getSuccessor(0) == of->getHeader()
                            ? comparison->getPredicate()
                            : comparison->getInversePredicate();
  Linear next = valueOf(comparison->getOperand(0)), end = valueOf(comparison->getOperand(1));
  if (stepOf(next) == 0) {
    std::swap(next, end);
    goesOn = ICmpInst::getSwappedPredicate(goesOn);
  }
  if (stepOf(next) != 1 || stepOf(end) != 0 ||
      (goesOn != CmpInst::ICMP_NE && goesOn != CmpInst::ICMP_ULT))
    return std::nullopt;
  return End{next, end, comparison->getOperand(0)->getType(), goesOn == CmpInst::ICMP_ULT};
}

} // namespace sluice
