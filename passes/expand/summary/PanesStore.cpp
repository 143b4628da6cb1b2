//===- PanesStore.cpp - a ring of panes, merged by each trigger -----------===//
#include "passes/expand/summary/Groups.h"
#include "passes/expand/summary/PaneStore.h"
#include "passes/expand/summary/Stores.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;

namespace {
/// For groups, and for states that grow: suffixes would be copies of much of the window.
class PanesStore : public PaneStore {
public:
  PanesStore(stream::OperatorOp op, Region *groupBy, Record &window, ArrayRef<mlir::Type> marks,
             int64_t length)
      : PaneStore(window, marks, length), summary(op), ofPane(summary, groupBy, entry),
        result(op.getContext()), ofWindow(summary, groupBy, result) {
    complete();
  }

  void insert(HandlerBuilder &code, Value window, Value tuple, ArrayRef<Value> marks) override {
    Arguments arguments = summary.arguments(code, tuple);
    Value key = ofPane.keyOf(code, tuple);
    auto add = [&](Value pane) { ofPane.add(code, pane, key, arguments, tuple); };
    auto open = [&](Value pane) {
      ofPane.clear(code, pane);
      add(pane);
    };
    enter(code, window, marks, open, add, [](Value) {});
  }

  void submit(HandlerBuilder &code, Value window) override {
    Value all = code.variable("result", result.type());
    code.store(code.zero(result.type()), all);
    code.forEach(ring->count(code, window),
                 [&](Value at) { ofWindow.merge(code, all, ofPane, ring->at(code, window, at)); });
    ofWindow.submit(code, all, size(code, window), [](Value, Summary::OnTuple) {
      llvm_unreachable("stream-plan-windows keeps tuples for a fold");
    });
  }

private:
  Summary summary;
  Groups ofPane;
  Record result; // of a window when it fires
  Groups ofWindow;
};
} // namespace

std::unique_ptr<Contents> window::makePanes(stream::OperatorOp op, Region *groupBy, Record &window,
                                            ArrayRef<mlir::Type> marks, int64_t length) {
  return std::make_unique<PanesStore>(op, groupBy, window, marks, length);
}
