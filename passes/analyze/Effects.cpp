//===- Effects.cpp - what an operator touches outside its tuples ----------===//
#include "passes/analyze/Effects.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace sluice;

void Files::add(const Files &other) {
  named.insert(other.named.begin(), other.named.end());
  any |= other.any;
}

void Effects::add(const Effects &other) {
  outside = outside | other.outside;
  writes.add(other.writes);
  reads.add(other.reads);
  state |= other.state;
  removable &= other.removable;
}

//===--- files ------------------------------------------------------------===//

/// The value of a parameter that is a constant string.
static std::optional<StringRef> constantParam(stream::OperatorOp op, StringRef name) {
  Region *body = op.param(name);
  auto yield = body ? dyn_cast<stream::YieldOp>(body->front().back()) : stream::YieldOp();
  auto constant = yield && yield.getValues().size() == 1
                      ? yield.getValues()[0].getDefiningOp<spl::ConstOp>()
                      : spl::ConstOp();
  auto text = constant ? dyn_cast_if_present<StringAttr>(constant.getValueAttr()) : StringAttr();
  return text ? std::optional(text.getValue()) : std::nullopt;
}

/// Adds the file that a parameter names. The data directory is not known here.
static void addFile(stream::OperatorOp op, StringAttr param, Files &files, Effects &effects) {
  std::optional<StringRef> path = constantParam(op, param);
  if (!path || path->contains('{')) {
    files.any = true;
    return;
  }
  if (path->starts_with("/dev/"))
    effects.outside = effects.outside | spl::Effect::console;
  files.named.insert(llvm::sys::path::filename(*path).str());
}

static void addNative(stream::OperatorOp op, Effects &effects) {
  effects.removable = false;
  effects.state = true;
  stream::OperatorFactsAttr facts = op.getFactsAttr();
  if (facts && facts.getWrites())
    addFile(op, facts.getWrites(), effects.writes, effects);
  if (facts && facts.getReads())
    addFile(op, facts.getReads(), effects.reads, effects);
}

/// Whether both may have the same file.
static bool meet(const Files &a, const Files &b) {
  if (a.any || b.any)
    return !a.empty() && !b.empty();
  return llvm::any_of(a.named, [&](const std::string &name) { return b.named.count(name); });
}

bool sluice::conflict(const Effects &a, const Effects &b) {
  if ((a.outside & b.outside & ~spl::Effect::metrics) != spl::Effect::none) // each has its own
    return true;
  auto names = [](const Effects &e) { return !e.writes.empty() || !e.reads.empty(); };
  auto anyFile = [](const Effects &e) { return bitEnumContainsAny(e.outside, spl::Effect::files); };
  return (anyFile(a) && names(b)) || (anyFile(b) && names(a)) || meet(a.writes, b.writes);
}

bool sluice::mayWriteFor(const Effects &writer, const Effects &reader) {
  return meet(writer.writes, reader.reads);
}

bool sluice::mayReadWhatIsWritten(const Effects &a, const Effects &b) {
  return mayWriteFor(a, b) || mayWriteFor(b, a);
}

//===--- code -------------------------------------------------------------===//

/// Whether the state behind `place` is only read.
static bool onlyRead(Value place) {
  return llvm::all_of(place.getUsers(), [](Operation *user) {
    if (isa<spl::FieldRefOp, spl::IndexRefOp, spl::NthRefOp>(user))
      return onlyRead(user->getResult(0));
    return isa<spl::LoadOp>(user);
  });
}

/// A region with a way back may run for ever.
static bool hasLoop(Region &region) {
  llvm::SmallPtrSet<Block *, 8> open, done;
  auto visit = [&](auto &self, Block *block) -> bool {
    if (open.contains(block))
      return true;
    if (!done.insert(block).second)
      return false;
    open.insert(block);
    bool found =
        llvm::any_of(block->getSuccessors(), [&](Block *next) { return self(self, next); });
    open.erase(block);
    return found;
  };
  return !region.empty() && visit(visit, &region.front());
}

void EffectAnalysis::addRegion(Region &region, Effects &effects, llvm::StringSet<> &called) {
  if (hasLoop(region))
    effects.removable = false;
  region.walk([&](Operation *op) {
    if (auto native = dyn_cast<spl::NativeOp>(op))
      effects.outside = effects.outside | native.effects();
    else if (auto call = dyn_cast<spl::CallOp>(op))
      addCall(call.getCallee(), effects, called);
    else if (auto state = dyn_cast<spl::StateOp>(op))
      effects.state |= !onlyRead(state.getResult());
    auto cast = dyn_cast<spl::CastOp>(op);
    if (op->hasTrait<spl::CanFail>() && !(cast && !cast.canFail()))
      effects.removable = false;
    if (isa<stream::WaitOp>(op))
      effects.removable = false;
  });
}

void EffectAnalysis::addCall(StringRef callee, Effects &effects, llvm::StringSet<> &called) {
  if (!called.insert(callee).second)
    return;
  if (auto function = module.lookupSymbol<spl::FuncOp>(callee))
    addRegion(function.getBody(), effects, called);
}

Effects EffectAnalysis::operator()(stream::OperatorOp op, bool onPunct) {
  Effects effects;
  if (op.getNative())
    addNative(op, effects);
  llvm::StringSet<> called;
  for (Operation &item : op.getBody().front())
    if (isa<stream::OnTupleOp, stream::OnProcessOp>(item) ||
        (onPunct && isa<stream::OnPunctOp, stream::OnWatermarkOp>(item)))
      addRegion(item.getRegion(0), effects, called);
  effects.removable &= !effects.any();
  return effects;
}
