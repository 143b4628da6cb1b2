//===- Early.cpp - operators whose rows may run ahead ---------------------===//
#include "codegen/selections/Early.h"
#include "codegen/segments/Parts.h"
#include "passes/analyze/Effects.h"
#include "passes/analyze/Graph.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

/// A division by a constant other than 0 and -1.
static bool isSureDivision(Operation *op) {
  if (!isa<spl::DivOp, spl::RemOp>(op))
    return false;
  auto by = op->getOperand(1).getDefiningOp<spl::ConstOp>();
  auto value = by ? dyn_cast<IntegerAttr>(by.getValueAttr()) : IntegerAttr();
  return value && !value.getValue().isZero() && !value.getValue().isAllOnes();
}

/// Whether code may fail. `open`: functions that are looked at, or were.
static bool mayFail(Region &region, ModuleOp module, llvm::DenseSet<Operation *> &open) {
  return region
      .walk([&](Operation *op) {
        auto cast = dyn_cast<spl::CastOp>(op);
        auto native = dyn_cast<spl::NativeOp>(op);
        bool fails = op->hasTrait<spl::CanFail>() && !(cast && !cast.canFail()) &&
                     !(native && native.is(spl::CallTrait::instruction)) && !isSureDivision(op);
        if (auto call = dyn_cast<spl::CallOp>(op)) {
          auto callee = module.lookupSymbol<spl::FuncOp>(call.getCallee());
          fails = !callee || call.getRecursive() ||
                  (open.insert(callee).second && mayFail(callee.getBody(), module, open));
        }
        return fails ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether one tuple may become several, on one output port or on different ones.
static bool makesSeveral(OpInfo &op) {
  SmallVector<Operation *> submits;
  op.op.onTuple(0)->walk([&](SubmitOp submit) { submits.push_back(submit); });
  return llvm::any_of(submits, [&](Operation *first) {
    return llvm::any_of(submits, [&](Operation *second) { return mayFollow(first, second); });
  });
}

/// What no other handler does, or what an outsider may see.
static StringRef whyNotOperation(Operation *op) {
  bool onTuple = op->getParentOfType<OnTupleOp>() != nullptr;
  if (isa<SubmitOp>(op) && !onTuple)
    return "it submits tuples for punctuation";
  if (isa<SubmitPunctOp>(op) && onTuple)
    return "it submits punctuation for tuples";
  if (isa<WaitOp, HoldOp>(op))
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
    why = whyNotOperation(inside);
    return why.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (!why.empty())
    return why.str();
  if (makesSeveral(op))
    return "one tuple may become several";
  for (unsigned port = 0; port < op.op.getOutputs().size(); ++port)
    if (info.consumers(op, port).size() > 1)
      return "a stream of it has several consumers";
  llvm::DenseSet<Operation *> open;
  return mayFail(*op.op.onTuple(0), module, open) ? "it may fail" : "";
}
