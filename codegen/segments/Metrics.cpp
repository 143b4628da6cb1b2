//===- Metrics.cpp - what operators ask about themselves ------------------===//
#include "codegen/Layout.h"
#include "codegen/segments/LowerSegments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

static bool touchesMetrics(Operation *o) {
  auto native = dyn_cast<spl::NativeOp>(o);
  return native && spl::bitEnumContainsAny(native.effects(), spl::Effect::metrics);
}

bool SegmentLowering::anyFunctionTouchesMetrics(ModuleOp module) {
  bool touches = false;
  for (auto function : module.getOps<spl::FuncOp>())
    function.walk([&](spl::NativeOp native) { touches |= touchesMetrics(native); });
  return touches;
}

void SegmentLowering::count(OpInfo &op, Direction direction, unsigned port, Value ctx, Value kind,
                            Location loc) {
  if (!op.counted)
    return;
  bool in = direction == Direction::In;
  Value id = i32(loc, port + (in ? op.firstIn : op.firstOut));
  if (kind)
    runtime(loc, in ? "sl_punct_in" : "sl_punct_out", {ctx, id, kind});
  else
    runtime(loc, in ? "sl_tuple_in" : "sl_tuple_out", {ctx, id});
}

void SegmentLowering::nameOperator(OpInfo &op, func::FuncOp f) {
  f.walk([&](Operation *o) {
    if (!touchesMetrics(o) && !(functionsTouchMetrics && isa<spl::CallOp>(o)))
      return;
    b.setInsertionPoint(o);
    Location loc = o->getLoc();
    Value place = address(f.getArgument(0), layout::ctxOp, loc);
    LLVM::StoreOp::create(b, loc, i32(loc, op.index), place);
  });
}
