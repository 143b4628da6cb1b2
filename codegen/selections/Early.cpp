//===- Early.cpp - operators whose rows may run ahead ---------------------===//
#include "codegen/selections/Early.h"
#include "codegen/segments/Parts.h"
#include "passes/analyze/Effects.h"
#include "passes/analyze/Graph.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

/// A division that is not of integers, or by a constant other than 0 and -1.
static bool isSureDivision(Operation *op) {
  if (!isa<spl::DivOp, spl::RemOp>(op))
    return false;
  if (!isa<IntegerType>(op->getResult(0).getType()))
    return true;
  auto by = op->getOperand(1).getDefiningOp<spl::ConstOp>();
  auto value = by ? dyn_cast<IntegerAttr>(by.getValueAttr()) : IntegerAttr();
  return value && !value.getValue().isZero() && !value.getValue().isAllOnes();
}

/// Whether an operation may fail, or what it calls. `open`: functions that are looked at, or were.
static bool mayFail(Operation *op, ModuleOp module, llvm::DenseSet<Operation *> &open) {
  auto cast = dyn_cast<spl::CastOp>(op);
  auto native = dyn_cast<spl::NativeOp>(op);
  if (auto call = dyn_cast<spl::CallOp>(op)) {
    auto callee = module.lookupSymbol<spl::FuncOp>(call.getCallee());
    if (!callee || call.getRecursive())
      return true;
    bool fails = false;
    if (open.insert(callee).second)
      callee.getBody().walk([&](Operation *inside) { fails |= mayFail(inside, module, open); });
    return fails;
  }
  return op->hasTrait<spl::CanFail>() && !(cast && !cast.canFail()) &&
         !(native && native.is(spl::CallTrait::instruction)) && !isSureDivision(op);
}

/// The operations of a handler that may fail.
static SmallVector<Operation *> failuresOf(OpInfo &op, ModuleOp module) {
  SmallVector<Operation *> found;
  op.op.onTuple(0)->walk([&](Operation *inside) {
    llvm::DenseSet<Operation *> open;
    if (mayFail(inside, module, open))
      found.push_back(inside);
  });
  return found;
}

bool sluice::mayFail(OpInfo &op, ModuleOp module) { return !failuresOf(op, module).empty(); }

/// Whether something of `op` that `then` holds for may follow a submit.
template <typename Operations> static bool followsSubmit(OpInfo &op, const Operations &then) {
  return op.op.onTuple(0)
      ->walk([&](SubmitOp submit) {
        bool any = llvm::any_of(then, [&](Operation *other) { return mayFollow(submit, other); });
        return any ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool sluice::releasesBehindSubmit(OpInfo &op) {
  SmallVector<Operation *> releases;
  op.op.onTuple(0)->walk([&](spl::ReleaseOp release) { releases.push_back(release); });
  return followsSubmit(op, releases);
}

/// Whether one tuple may become several, on one output port or on different ones.
static bool makesSeveral(OpInfo &op) {
  SmallVector<Operation *> submits;
  op.op.onTuple(0)->walk([&](SubmitOp submit) { submits.push_back(submit); });
  return llvm::any_of(submits, [&](Operation *first) {
    return llvm::any_of(submits, [&](Operation *second) { return mayFollow(first, second); });
  });
}

/// Whether code that an operation calls may put the thread to sleep.
static bool mayWait(Operation *op, ModuleOp module, llvm::DenseSet<Operation *> &open) {
  if (auto native = dyn_cast<spl::NativeOp>(op))
    return native.is(spl::CallTrait::waits);
  auto call = dyn_cast<spl::CallOp>(op);
  auto callee = call ? module.lookupSymbol<spl::FuncOp>(call.getCallee()) : spl::FuncOp();
  bool waits = false;
  if (callee && open.insert(callee).second)
    callee.getBody().walk([&](Operation *inside) { waits |= mayWait(inside, module, open); });
  return waits;
}

/// What an outsider may see, or what only the last step does right.
static StringRef whyNotOperation(Operation *op, ModuleOp module) {
  bool onTuple = op->getParentOfType<OnTupleOp>() != nullptr;
  if (isa<SubmitOp>(op) && !onTuple)
    return "it submits tuples for punctuation";
  if (isa<SubmitPunctOp>(op) && onTuple)
    return "it submits punctuation for tuples";
  llvm::DenseSet<Operation *> open;
  if (isa<WaitOp, HoldOp>(op) || mayWait(op, module, open))
    return "it waits";
  if (isa<NowOp>(op))
    return "it asks for the time";
  if (isa<LeftOutOp>(op))
    return "it may leave tuples out";
  auto punct = dyn_cast<SubmitPunctOp>(op);
  std::optional<PunctuationKind> kind = punct ? punct.constantKind() : std::nullopt;
  if (punct && !punct.getWatermark() && (!kind || *kind == PunctuationKind::Final))
    return "it may close a stream";
  return "";
}

std::string sluice::whyNotEarly(GraphInfo &info, OpInfo &op, ModuleOp module) {
  if (op.native >= 0)
    return "it is written in C++";
  if (op.op.inputPorts() != 1)
    return "it has several input ports";
  if (!op.op.onTuple(0))
    return "it drops all tuples";
  if (op.op.getIsCatch())
    return "its failures are caught";
  if (op.counted)
    return "it asks what its ports did";
  if (EffectAnalysis(module)(op.op).any())
    return "what it does can be seen outside";
  StringRef why;
  op.op.walk([&](Operation *inside) {
    why = whyNotOperation(inside, module);
    return why.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (!why.empty())
    return why.str();
  if (makesSeveral(op))
    return "one tuple may become several";
  for (unsigned port = 0; port < op.op.getOutputs().size(); ++port)
    if (info.consumers(op, port).size() > 1)
      return "a stream of it has several consumers";
  return followsSubmit(op, failuresOf(op, module)) ? "it may fail when it has submitted" : "";
}
