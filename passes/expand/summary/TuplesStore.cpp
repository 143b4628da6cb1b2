//===- TuplesStore.cpp - a ring of values, read anew by each trigger ------===//
#include "passes/expand/summary/Stores.h"
#include "passes/expand/summary/ValuesStore.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;
using spl::CompareKind;

namespace {
/// For everything: the summaries are made when the window fires, in a variable of the handler.
class TuplesStore : public ValuesStore {
public:
  TuplesStore(stream::OperatorOp op, Region *groupBy, Record &window, ArrayRef<mlir::Type> marks)
      : ValuesStore(op, groupBy, window, marks), result(op.getContext()),
        groups(summary, groupBy, result) {}

  void insert(HandlerBuilder &code, Value window, Value tuple, ArrayRef<Value> marks) override {
    Arguments arguments = summary.arguments(code, tuple);
    append(code, window, marks, tuple, arguments, groups.keyOf(code, tuple));
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
      Value element = ring->at(code, window, at);
      groups.add(code, place, keyOf(code, element), argumentsOf(code, element),
                 tupleOf(code, element));
    });
    groups.submit(code, place, size(code, window), [&](Value key, Summary::OnTuple onTuple) {
      eachOfGroup(code, window, key, onTuple);
    });
  }

private:
  void eachOfGroup(HandlerBuilder &code, Value window, Value key, Summary::OnTuple onTuple) {
    code.forEach(size(code, window), [&](Value at) {
      Value element = ring->at(code, window, at);
      auto visit = [&] { onTuple(tupleOf(code, element)); };
      if (key)
        code.when(code.compare(CompareKind::eq, keyOf(code, element), key), visit);
      else
        visit();
    });
  }

  Record result; // of a window when it fires
  Groups groups;
};
} // namespace

std::unique_ptr<Contents> window::makeTuples(stream::OperatorOp op, Region *groupBy, Record &window,
                                             ArrayRef<mlir::Type> marks) {
  return std::make_unique<TuplesStore>(op, groupBy, window, marks);
}
