//===- RunningStore.cpp - a summary by group, and nothing else ------------===//
#include "passes/expand/summary/Groups.h"
#include "passes/expand/summary/Stores.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;

namespace {
/// For tumbling windows: tuples enter one by one and leave together.
class RunningStore : public Contents {
public:
  RunningStore(stream::OperatorOp op, Region *groupBy, Record &window)
      : summary(op), groups(summary, groupBy, window),
        tuplesAt(window.add("tuples", ui64(op.getContext()))) {}

  void insert(HandlerBuilder &code, Value window, Value tuple, ArrayRef<Value>) override {
    Arguments arguments = summary.arguments(code, tuple);
    groups.add(code, window, groups.keyOf(code, tuple), arguments, tuple);
    code.increment(code.fieldRef(window, tuplesAt));
  }
  Value size(HandlerBuilder &code, Value window) override {
    return code.load(code.fieldRef(window, tuplesAt));
  }
  void submit(HandlerBuilder &code, Value window) override {
    groups.submit(code, window, size(code, window), [](Value, Summary::OnTuple) {
      llvm_unreachable("stream-plan-windows keeps tuples for a fold");
    });
  }
  mlir::Type element() const override { return {}; }
  void clear(HandlerBuilder &code, Value window) override {
    groups.clear(code, window);
    code.store(code.constant(ui64(window.getContext()), 0), code.fieldRef(window, tuplesAt));
  }
  Value oldestMark(HandlerBuilder &, Value, unsigned) override { return never(); }
  void evictOldest(HandlerBuilder &, Value) override { never(); }
  void evictIf(HandlerBuilder &, Value, unsigned, Leaves) override { never(); }

private:
  static Value never() { llvm_unreachable("tuples of a tumbling window leave together"); }

  Summary summary;
  Groups groups;
  unsigned tuplesAt;
};
} // namespace

std::unique_ptr<Contents> window::makeRunning(stream::OperatorOp op, Region *groupBy,
                                              Record &window) {
  return std::make_unique<RunningStore>(op, groupBy, window);
}
