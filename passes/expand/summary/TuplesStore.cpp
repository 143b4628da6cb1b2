//===- TuplesStore.cpp - a ring of values, read anew by each trigger ------===//
#include "passes/expand/summary/Stores.h"
#include "passes/expand/summary/ValuesStore.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;

namespace {
/// For everything: the summaries are made when the window fires, in a variable of the handler.
class TuplesStore : public ValuesStore {
public:
  TuplesStore(stream::OperatorOp op, Region *groupBy, Record &window, ArrayRef<mlir::Type> marks)
      : ValuesStore(op, groupBy, window, marks, readsGroups(op, groupBy)), hasGroups(groupBy),
        chained(readsGroups(op, groupBy)), result(op.getContext()),
        groups(summary, groupBy, result, chained) {}

  void insert(HandlerBuilder &code, Value window, Value tuple, ArrayRef<Value> marks) override {
    Arguments arguments = summary.arguments(code, tuple);
    append(code, window, marks, tuple, arguments, groups.keyOf(code, tuple));
  }
  void evictOldest(HandlerBuilder &code, Value window) override { ring->pop(code, window); }
  void evictIf(HandlerBuilder &code, Value window, unsigned mark, Leaves leaves) override {
    dropIf(code, window, mark, leaves, [](Value) {});
  }

  void submit(HandlerBuilder &code, Value window) override {
    if (!hasGroups && !summary.hasFunctions())
      return submitFolds(code, window);
    spl::TupleType type = result.type();
    Value place = code.variable("result", type);
    code.store(code.zero(type), place);
    code.forEach(size(code, window), [&](Value at) {
      Value element = ring->at(code, window, at);
      Value group = groups.add(code, place, keyOf(code, element), argumentsOf(code, element),
                               tupleOf(code, element));
      if (chained)
        groups.link(code, group, code.add(at, code.constant(at.getType(), 1)),
                    [&](Value link) { return nextPlace(code, linked(code, window, link)); });
    });
    groups.submit(code, place, size(code, window), [&](Value first, Summary::OnTuple onTuple) {
      if (first)
        code.follow(first, [&](Value link) {
          Value element = linked(code, window, link);
          onTuple(tupleOf(code, element));
          return code.load(nextPlace(code, element));
        });
      else
        onEachTuple(code, window, onTuple);
    });
  }

private:
  /// Whether the tuples of a group are read one after the other.
  static bool readsGroups(stream::OperatorOp op, Region *groupBy) {
    return groupBy && !op.getBody().getOps<stream::FoldOp>().empty();
  }
  void onEachTuple(HandlerBuilder &code, Value window, Summary::OnTuple onTuple) {
    code.forEach(size(code, window),
                 [&](Value at) { onTuple(tupleOf(code, ring->at(code, window, at))); });
  }
  /// Without a summary.
  void submitFolds(HandlerBuilder &code, Value window) {
    Value count = size(code, window), one = code.constant(count.getType(), 1);
    Value newest = ring->at(code, window, code.sub(count, one));
    groups.submitFolds(code, tupleOf(code, newest), count,
                       [&](Summary::OnTuple onTuple) { onEachTuple(code, window, onTuple); });
  }
  /// Element `at` has the link `at` + 1.
  Value linked(HandlerBuilder &code, Value window, Value link) {
    return ring->at(code, window, code.sub(link, code.constant(link.getType(), 1)));
  }

  const bool hasGroups, chained;
  Record result; // of a window when it fires
  Groups groups;
};
} // namespace

std::unique_ptr<Contents> window::makeTuples(stream::OperatorOp op, Region *groupBy, Record &window,
                                             ArrayRef<mlir::Type> marks) {
  return std::make_unique<TuplesStore>(op, groupBy, window, marks);
}
