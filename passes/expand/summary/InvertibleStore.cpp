//===- InvertibleStore.cpp - a ring of values and running summaries -------===//
#include "passes/expand/summary/Stores.h"
#include "passes/expand/summary/ValuesStore.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;

namespace {
/// For sliding windows whose functions can take a tuple back: what leaves is removed.
class InvertibleStore : public ValuesStore {
public:
  InvertibleStore(stream::OperatorOp op, Region *groupBy, Record &window,
                  ArrayRef<mlir::Type> marks)
      : ValuesStore(op, groupBy, window, marks), groups(summary, groupBy, window) {}

  void insert(HandlerBuilder &code, Value window, Value tuple, ArrayRef<Value> marks) override {
    Arguments arguments = summary.arguments(code, tuple);
    Value key = groups.keyOf(code, tuple);
    groups.add(code, window, key, arguments, tuple); // may fail: first
    append(code, window, marks, tuple, arguments, key);
  }
  void evictOldest(HandlerBuilder &code, Value window) override {
    remove(code, window, ring->oldest(code, window));
    ring->pop(code, window);
  }
  void evictIf(HandlerBuilder &code, Value window, unsigned mark, Leaves leaves) override {
    dropIf(code, window, mark, leaves, [&](Value gone) { remove(code, window, gone); });
  }
  void submit(HandlerBuilder &code, Value window) override {
    groups.submit(code, window, size(code, window), [](Value, Summary::OnTuple) {
      llvm_unreachable("stream-plan-windows keeps tuples for a fold");
    });
  }
  void clear(HandlerBuilder &code, Value window) override {
    RingStore::clear(code, window);
    groups.clear(code, window);
  }

private:
  void remove(HandlerBuilder &code, Value window, Value gone) {
    groups.remove(code, window, keyOf(code, gone), argumentsOf(code, gone));
  }

  Groups groups;
};
} // namespace

std::unique_ptr<Contents> window::makeInvertible(stream::OperatorOp op, Region *groupBy,
                                                 Record &window, ArrayRef<mlir::Type> marks) {
  return std::make_unique<InvertibleStore>(op, groupBy, window, marks);
}
