//===- TwoStacksStore.cpp - a ring of summaries of suffixes ---------------===//
//
// Two-Stacks Lite (Tangwongsan, Hirzel, Schneider: Low-Latency Sliding-Window Aggregation in
// Worst-Case Constant Time, DEBS 2017, section 3). The ring has a front part and a back part. An
// element of the front part summarises itself and all that follow in that part; an element
// of the back part is alone, and `back` summarises them all. The window is the oldest element,
// merged with `back`. When the front part is empty, the back part becomes it, from the newest
// element to the oldest: each element is merged once. An element is a pane (PaneStore.h), which
// counts for the back part when it is complete.
//
//===----------------------------------------------------------------------===//
#include "passes/expand/summary/Groups.h"
#include "passes/expand/summary/PaneStore.h"
#include "passes/expand/summary/Stores.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;
using spl::CompareKind;

namespace {
class TwoStacksStore : public PaneStore {
public:
  TwoStacksStore(stream::OperatorOp op, Record &window, ArrayRef<mlir::Type> marks, int64_t pane)
      : PaneStore(window, marks, pane), summary(op) {
    MLIRContext *context = op.getContext();
    summaryType = summary.record().type();
    summaryAt = entry.add("summary", summaryType);
    backAt = window.add("back", summaryType);
    frontAt = window.add("front", ui64(context));
    complete();
  }

  void insert(HandlerBuilder &code, Value window, Value tuple, ArrayRef<Value> marks) override {
    Arguments arguments = summary.arguments(code, tuple);
    auto of = [&](Value pane) { return code.fieldRef(pane, summaryAt); };
    enter(
        code, window, marks, [&](Value pane) { summary.lift(code, arguments, tuple, of(pane)); },
        [&](Value pane) { summary.add(code, arguments, tuple, of(pane)); },
        [&](Value pane) { enterBack(code, window, of(pane)); });
  }

  void submit(HandlerBuilder &code, Value window) override {
    Value all = code.variable("all", summaryType), back = code.fieldRef(window, backAt);
    Value inFront = front(code, window);
    code.when(
        code.compare(CompareKind::eq, inFront, zero(code, window)),
        [&] { code.store(code.load(back), all); },
        [&] {
          Value oldest = code.fieldRef(ring->oldest(code, window), summaryAt);
          code.store(code.load(oldest), all);
          Value more = code.compare(CompareKind::ne, inFront, ring->count(code, window));
          code.when(more, [&] { summary.merge(code, all, back); });
        });
    WindowCounts counts;
    counts.tuples = size(code, window);
    counts.groups = code.constant(ui64(window.getContext()), 1);
    if (summary.asks(spl::WindowCount::by_group))
      counts.byGroup = countsOfOne(code, counts.tuples);
    summary.submit(code, all, counts, [](Summary::OnTuple) {
      llvm_unreachable("stream-plan-windows keeps tuples for a fold");
    });
  }

  void clear(HandlerBuilder &code, Value window) override {
    PaneStore::clear(code, window);
    code.store(zero(code, window), code.fieldRef(window, frontAt));
  }

protected:
  void popPane(HandlerBuilder &code, Value window) override {
    Value none = code.compare(CompareKind::eq, front(code, window), zero(code, window));
    code.when(none, [&] { flip(code, window); });
    ring->pop(code, window);
    code.increment(code.fieldRef(window, frontAt), -1);
  }

private:
  Value front(HandlerBuilder &code, Value window) {
    return code.load(code.fieldRef(window, frontAt));
  }
  static Value zero(HandlerBuilder &code, Value window) {
    return code.constant(ui64(window.getContext()), 0);
  }

  /// The newest pane, which is complete, in the back part.
  void enterBack(HandlerBuilder &code, Value window, Value pane) {
    Value back = code.fieldRef(window, backAt), panes = ring->count(code, window);
    Value others = code.sub(panes, code.constant(panes.getType(), 1));
    code.when(
        code.compare(CompareKind::eq, others, front(code, window)),
        [&] { code.store(code.load(pane), back); }, [&] { summary.merge(code, back, pane); });
  }

  /// The back part becomes the front part.
  void flip(HandlerBuilder &code, Value window) {
    Value count = ring->count(code, window), one = code.constant(count.getType(), 1);
    code.store(count, code.fieldRef(window, frontAt));
    code.forEach(code.sub(count, one), [&](Value done) {
      Value at = code.sub(code.sub(count, done), code.add(one, one));
      Value earlier = code.fieldRef(ring->at(code, window, at), summaryAt);
      Value later = code.fieldRef(ring->at(code, window, code.add(at, one)), summaryAt);
      summary.merge(code, earlier, later);
    });
  }

  Summary summary;
  spl::TupleType summaryType;
  unsigned summaryAt, backAt, frontAt;
};
} // namespace

std::unique_ptr<Contents> window::makeTwoStacks(stream::OperatorOp op, Record &window,
                                                ArrayRef<mlir::Type> marks, int64_t pane) {
  return std::make_unique<TwoStacksStore>(op, window, marks, pane);
}
