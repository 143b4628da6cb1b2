//===- MakeWatermarks.cpp - event time becomes watermarks -----------------===//
//
// toolkit.md 3.6. A watermark follows the tuple from which it is made.
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/Watermark.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace sluice {
#define GEN_PASS_DEF_STREAMMAKEWATERMARKS
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;
using spl::CompareKind;

/// Whether the operator has a window of event time.
static bool hasInterval(OperatorOp op) {
  return llvm::any_of(op.getBody().getOps<WindowOp>(), [](WindowOp window) {
    return window.getWindow().getKind() == WindowKind::Interval;
  });
}

/// Whether watermarks of the stream come to a window of event time.
static bool leadsToInterval(Value stream, llvm::SmallPtrSetImpl<Value> &seen) {
  if (!seen.insert(stream).second)
    return false;
  return llvm::any_of(stream.getUses(), [&](OpOperand &use) {
    bool leads = hasInterval(cast<OperatorOp>(use.getOwner()));
    forEachForwarded(use, [&](Value out) { leads = leads || leadsToInterval(out, seen); });
    return leads;
  });
}

/// The handler of a tuple: passes it on, and behind it a watermark if one is due.
static void addOnTuple(OperatorOp maker, EventTimeOp item) {
  AddedState next =
      addTime(maker, "nextWatermark", "the next watermark"); // the earliest that is far enough
  HandlerBuilder code = beginOnTuple(maker, 0);
  Value tuple = code.argument(0);
  code.submit(0, tuple);
  Value time = code.inlineBody(item.getTime(), tuple).front();
  Value watermark = code.sub(time, code.constant(time.getType(), item.getLag()));
  Value due = code.compare(CompareKind::ge, watermark, code.load(next.place(code)));
  code.when(due, [&] {
    code.submitWatermark(0, watermark);
    int64_t gap = std::max<int64_t>(item.getGap(), 1);
    code.store(code.add(watermark, code.constant(time.getType(), gap)), next.place(code));
  });
  code.end();
}

namespace {
struct MakeWatermarks : sluice::impl::StreamMakeWatermarksBase<MakeWatermarks> {
  void runOnOperation() override {
    SmallVector<EventTimeOp> items;
    getOperation().walk([&](EventTimeOp item) { items.push_back(item); });
    for (EventTimeOp item : items) {
      make(item);
      item.erase();
    }
  }

  void make(EventTimeOp item) {
    auto op = item->getParentOfType<OperatorOp>();
    Value stream = op.getOutputs()[item.getPort()];
    llvm::SmallPtrSet<Value, 8> seen;
    if (!leadsToInterval(stream, seen))
      return;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    OperatorOp maker =
        makePart(builder, op, "watermarks of output " + std::to_string(item.getPort()), stream, {1},
                 stream.getType());
    stream.replaceAllUsesExcept(maker.getOutputs()[0], maker);
    addOnTuple(maker, item);
    addOnPunct(maker, maker, 0, /*forward=*/true);
    ++makers;
  }
};
} // namespace
