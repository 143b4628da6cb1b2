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
    return op.emitError("phase flat: operator `")
           << op.getKind() << "` has neither handlers nor a native body";
  for (Operation &item : op.getBody().front()) {
    bool belongs =
        op.getNative()
            ? isa<ParamOp>(item)
            : isa<StateOp, OnTupleOp, OnPunctOp, OnWatermarkOp, OnProcessOp, OnEndOp>(item);
    if (!belongs)
      return item.emitError("phase flat: no '")
             << item.getName() << "' in "
             << (op.getNative() ? "a native operator" : "an operator with handlers");
    bool usesState =
        isa<ParamOp>(item) &&
        item.walk([](spl::StateOp) { return WalkResult::interrupt(); }).wasInterrupted();
    if (isa<ParamOp>(item) && (item.getRegion(0).getNumArguments() || usesState))
      return item.emitError("phase flat: parameters of native operators are evaluated at start, "
                            "without a tuple or state");
  }
  return success();
}

/// Operators of a region stand together, those of regions inside included, so that
/// what it consists of has consecutive ids.
static LogicalResult verifyRegions(GraphOp graph) {
  size_t count = graph.parallelRegionCount();
  SmallVector<bool> open(count), closed(count);
  for (OperatorOp op : graph.getBody().getOps<OperatorOp>()) {
    SmallVector<bool> inside(count);
    if (op.parallelRegion() >= int(count))
      return op.emitError("phase flat: the graph has no region ") << op.parallelRegion();
    for (int region = op.parallelRegion(); region >= 0;
         region = graph.parallelRegion(region).getParent())
      inside[region] = true;
    for (size_t region = 0; region < count; ++region) {
      if (inside[region] && closed[region])
        return op.emitError("phase flat: the operators of region ")
               << region << " do not stand together";
      closed[region] = closed[region] || (open[region] && !inside[region]);
      open[region] = inside[region];
    }
    for (unsigned operand = 0; operand < op.getInputs().size(); ++operand)
      for (SplitAttr split : op.splitsOf(operand))
        if (int region = split.getRegion(); region >= int(count) || !inside[region])
          return op.emitError("phase flat: is split for region ")
                 << region << ", which it is not in";
  }
  return success();
}

namespace {
struct VerifyFlat : sluice::impl::StreamVerifyFlatBase<VerifyFlat> {
  void runOnOperation() override {
    auto result = getOperation().walk([](Operation *op) -> WalkResult {
      if (isa<CompositeOp, MergeOp, HistoryOp, spl::OutputFnOp>(op))
        return op->emitError("phase flat: '") << op->getName() << "' should be gone",
               WalkResult::interrupt();
      if (auto graph = dyn_cast<GraphOp>(op); graph && failed(verifyRegions(graph)))
        return WalkResult::interrupt();
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
