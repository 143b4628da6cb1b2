//===- TuplesStore.cpp - a ring of values, read anew by each trigger ------===//
#include "passes/expand/summary/Groups.h"
#include "passes/expand/summary/Stores.h"
#include "passes/expand/window/RingStore.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;
using spl::CompareKind;

namespace {
/// For everything: the summaries are made when the window fires, in a variable of the handler.
class TuplesStore : public RingStore {
public:
  TuplesStore(stream::OperatorOp op, Region *groupBy, Record &window, ArrayRef<mlir::Type> marks)
      : RingStore(window, marks), result(op.getContext()), summary(op),
        groups(summary, groupBy, result) {
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
  }
  void evictOldest(HandlerBuilder &code, Value window) override { ring->pop(code, window); }
  void evictIf(HandlerBuilder &code, Value window, unsigned mark,
               llvm::function_ref<Value(Value)> leaves) override {
    dropIf(code, window, mark, leaves, [](Value) {});
  }

  void submit(HandlerBuilder &code, Value window) override {
    spl::TupleType type = result.type();
    Value place = code.variable("result", type);
    code.store(code.zero(type), place);
    code.forEach(size(code, window), [&](Value at) {
      Value entry = ring->at(code, window, at), values = code.fieldRef(entry, valuesAt);
      groups.add(code, place, keyOf(code, entry), summary.loadArguments(code, values),
                 summary.loadTuple(code, values));
    });
    groups.submit(code, place, size(code, window), [&](Value key, Summary::OnTuple onTuple) {
      eachOfGroup(code, window, key, onTuple);
    });
  }

private:
  Value keyOf(HandlerBuilder &code, Value entry) {
    return keyAt ? code.load(code.fieldRef(entry, *keyAt)) : Value();
  }
  void eachOfGroup(HandlerBuilder &code, Value window, Value key, Summary::OnTuple onTuple) {
    code.forEach(size(code, window), [&](Value at) {
      Value entry = ring->at(code, window, at);
      auto visit = [&] { onTuple(summary.loadTuple(code, code.fieldRef(entry, valuesAt))); };
      if (key)
        code.when(code.compare(CompareKind::eq, keyOf(code, entry), key), visit);
      else
        visit();
    });
  }

  Record result; // of a window when it fires
  Summary summary;
  Groups groups;
  unsigned valuesAt;
  std::optional<unsigned> keyAt;
};
} // namespace

std::unique_ptr<Contents> window::makeTuples(stream::OperatorOp op, Region *groupBy, Record &window,
                                             ArrayRef<mlir::Type> marks) {
  return std::make_unique<TuplesStore>(op, groupBy, window, marks);
}
