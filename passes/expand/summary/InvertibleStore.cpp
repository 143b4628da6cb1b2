//===- InvertibleStore.cpp - a ring of values and running summaries -------===//
#include "passes/expand/summary/Groups.h"
#include "passes/expand/summary/Stores.h"
#include "passes/expand/window/RingStore.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;

namespace {
/// For sliding windows whose functions can take a tuple back: what leaves is removed.
class InvertibleStore : public RingStore {
public:
  InvertibleStore(stream::OperatorOp op, Region *groupBy, Record &window,
                  ArrayRef<mlir::Type> marks)
      : RingStore(window, marks), summary(op), groups(summary, groupBy, window) {
    valuesAt = entry.add("values", summary.values().type());
    if (groupBy)
      keyAt = entry.add("key", groups.keyType());
    complete();
  }

  void insert(HandlerBuilder &code, Value window, Value tuple, ArrayRef<Value> marks) override {
    Arguments arguments = summary.arguments(code, tuple);
    Value key = groups.keyOf(code, tuple);
    Value place = push(code, window, marks);
    summary.storeValues(code, arguments, tuple, code.fieldRef(place, valuesAt));
    if (key)
      code.store(key, code.fieldRef(place, *keyAt));
    groups.add(code, window, key, arguments, tuple);
  }
  void evictOldest(HandlerBuilder &code, Value window) override {
    remove(code, window, ring->oldest(code, window));
    ring->pop(code, window);
  }
  void evictIf(HandlerBuilder &code, Value window, unsigned mark,
               llvm::function_ref<Value(Value)> leaves) override {
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
    Value key = keyAt ? code.load(code.fieldRef(gone, *keyAt)) : Value();
    groups.remove(code, window, key, summary.loadArguments(code, code.fieldRef(gone, valuesAt)));
  }

  Summary summary;
  Groups groups;
  unsigned valuesAt;
  std::optional<unsigned> keyAt;
};
} // namespace

std::unique_ptr<Contents> window::makeInvertible(stream::OperatorOp op, Region *groupBy,
                                                 Record &window, ArrayRef<mlir::Type> marks) {
  return std::make_unique<InvertibleStore>(op, groupBy, window, marks);
}
