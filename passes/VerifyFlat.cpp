//===- VerifyFlat.cpp - what holds from phase flat on ---------------------===//
#include "passes/Passes.h"

namespace sluice {
#define GEN_PASS_DEF_STREAMVERIFYFLAT
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

static LogicalResult verifyOperator(OperatorOp op) {
  if (!op.isCustom() && !op.getNative())
    return op.emitError("phase flat: operator `") << op.getKind() << "` has neither handlers nor a native body";
  for (Operation &item : op.getBody().front()) {
    bool belongs = op.getNative() ? isa<ParamOp>(item) : isa<StateOp, OnTupleOp, OnPunctOp, OnProcessOp>(item);
    if (!belongs)
      return item.emitError("phase flat: no '") << item.getName() << "' in a " << (op.getNative() ? "native" : "Custom") << " operator";
    if (isa<ParamOp>(item) && item.getRegion(0).getNumArguments())
      return item.emitError("phase flat: parameters of native operators are evaluated at start, without a tuple");
  }
  return success();
}

namespace {
struct VerifyFlat : sluice::impl::StreamVerifyFlatBase<VerifyFlat> {
  void runOnOperation() override {
    auto result = getOperation().walk([](Operation *op) -> WalkResult {
      if (isa<CompositeOp, MergeOp, spl::OutputFnOp>(op))
        return op->emitError("phase flat: '") << op->getName() << "' should be gone", WalkResult::interrupt();
      if (auto operatorOp = dyn_cast<OperatorOp>(op))
        return verifyOperator(operatorOp);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
