//===- ValuePanesStore.cpp - panes of equal values ------------------------===//
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/summary/Groups.h"
#include "passes/expand/summary/Stores.h"
#include "passes/expand/window/RingStore.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;
using spl::CompareKind;

namespace {
/// A pane are tuples with equal marks that came one after the other: they leave together. An entry
/// of the ring is the summary of a group of a pane, in the order of their first tuples. Entries are
/// merged when the window fires: merging does not round, so the results are those of the tuples.
/// Only the groups of the newest pane are found by their keys.
class ValuePanesStore : public RingStore {
public:
  ValuePanesStore(stream::OperatorOp, Region *groupBy, Record &window, ArrayRef<mlir::Type> marks);

  void insert(HandlerBuilder &, Value window, Value tuple, ArrayRef<Value> marks) override;
  Value size(HandlerBuilder &code, Value window) override {
    return code.load(code.fieldRef(window, tuplesAt));
  }
  void submit(HandlerBuilder &, Value window) override;
  void clear(HandlerBuilder &, Value window) override;
  void evictOldest(HandlerBuilder &, Value window) override;
  void evictIf(HandlerBuilder &, Value window, unsigned mark, Leaves leaves) override;

private:
  Value tuplesOf(HandlerBuilder &code, Value element) override {
    return ofPane.tuplesOf(code, element);
  }
  Value beginsPane(HandlerBuilder &, Value window, Value mark);
  void closePane(HandlerBuilder &, Value window);
  Value append(HandlerBuilder &, Value window, ArrayRef<Value> marks, Value key);
  Value entryOf(HandlerBuilder &, Value window, ArrayRef<Value> marks, Value key);
  void leave(HandlerBuilder &, Value window, Value entry);

  Summary summary;
  Groups ofPane; // of an entry: one group
  Record result; // of a window when it fires
  Groups ofWindow;
  unsigned tuplesAt; // of a window
  // Where there are groups: the key of an entry; of a window how many entries the newest pane has,
  // and by key which of them is that of the group, from 1 on.
  std::optional<unsigned> keyAt;
  unsigned lengthAt = 0, placesAt = 0;
};
} // namespace

ValuePanesStore::ValuePanesStore(stream::OperatorOp op, Region *groupBy, Record &window,
                                 ArrayRef<mlir::Type> marks)
    : RingStore(window, marks), summary(op), ofPane(summary, nullptr, entry),
      result(op.getContext()), ofWindow(summary, groupBy, result),
      tuplesAt(window.add("tuples", ui64(op.getContext()))) {
  if (groupBy) {
    mlir::Type key = keyType(*groupBy), number = ui64(op.getContext());
    keyAt = entry.add("key", key);
    lengthAt = window.add("length", number);
    placesAt = window.add("places", spl::MapType::get(op.getContext(), key, number));
  }
  complete();
}

//===--- tuples enter -----------------------------------------------------------===//

Value ValuePanesStore::beginsPane(HandlerBuilder &code, Value window, Value mark) {
  mlir::Type boolean = code.ops().getI1Type();
  Value begins = code.variable("begins", boolean), entries = ring->count(code, window);
  code.store(code.constant(boolean, 1), begins);
  code.when(code.compare(CompareKind::ne, entries, code.constant(entries.getType(), 0)), [&] {
    Value newest = ring->at(code, window, code.sub(entries, code.constant(entries.getType(), 1)));
    Value other = code.load(code.fieldRef(newest, 0));
    code.store(code.compare(CompareKind::ne, other, mark), begins);
  });
  return code.load(begins);
}

/// No entry gets more tuples.
void ValuePanesStore::closePane(HandlerBuilder &code, Value window) {
  if (!keyAt)
    return;
  code.store(code.constant(ui64(window.getContext()), 0), code.fieldRef(window, lengthAt));
  code.clear(code.fieldRef(window, placesAt));
}

/// A new entry; its number in the ring.
Value ValuePanesStore::append(HandlerBuilder &code, Value window, ArrayRef<Value> marks,
                              Value key) {
  Value number = ring->count(code, window), place = push(code, window, marks);
  ofPane.clear(code, place);
  if (key)
    code.store(key, code.fieldRef(place, *keyAt));
  return number;
}

/// The place of the entry that a tuple belongs to.
Value ValuePanesStore::entryOf(HandlerBuilder &code, Value window, ArrayRef<Value> marks,
                               Value key) {
  mlir::Type number = ui64(window.getContext());
  Value one = code.constant(number, 1), at = code.variable("at", number);
  Value begins = beginsPane(code, window, marks[0]);
  if (!key) {
    code.when(
        begins, [&] { code.store(append(code, window, marks, key), at); },
        [&] { code.store(code.sub(ring->count(code, window), one), at); });
    return ring->at(code, window, code.load(at));
  }
  code.when(begins, [&] { closePane(code, window); });
  auto ref = spl::RefType::get(window.getContext(), number);
  Value slot =
      spl::MapSlotOp::create(code.ops(), code.loc(), ref, code.fieldRef(window, placesAt), key);
  Value known = code.load(slot);
  code.when(
      code.compare(CompareKind::eq, known, code.constant(number, 0)),
      [&] {
        code.store(append(code, window, marks, key), at);
        code.store(code.increment(code.fieldRef(window, lengthAt)), slot);
      },
      [&] {
        Value length = code.load(code.fieldRef(window, lengthAt));
        Value first = code.sub(ring->count(code, window), length);
        code.store(code.sub(code.add(first, known), one), at);
      });
  return ring->at(code, window, code.load(at));
}

void ValuePanesStore::insert(HandlerBuilder &code, Value window, Value tuple,
                             ArrayRef<Value> marks) {
  Arguments arguments = summary.arguments(code, tuple);
  Value entry = entryOf(code, window, marks, ofWindow.keyOf(code, tuple));
  ofPane.add(code, entry, Value(), arguments, tuple);
  code.increment(code.fieldRef(window, tuplesAt));
}

//===--- tuples leave -----------------------------------------------------------===//

void ValuePanesStore::leave(HandlerBuilder &code, Value window, Value entry) {
  Value tuples = code.fieldRef(window, tuplesAt);
  code.store(code.sub(code.load(tuples), ofPane.tuplesOf(code, entry)), tuples);
}

/// The others of the pane leave next: the window holds them no longer than the first.
void ValuePanesStore::evictOldest(HandlerBuilder &code, Value window) {
  leave(code, window, ring->oldest(code, window));
  ring->pop(code, window);
}

void ValuePanesStore::evictIf(HandlerBuilder &code, Value window, unsigned mark, Leaves leaves) {
  dropIf(code, window, mark, leaves, [&](Value gone) { leave(code, window, gone); });
  closePane(code, window);
}

void ValuePanesStore::clear(HandlerBuilder &code, Value window) {
  RingStore::clear(code, window);
  code.store(code.constant(ui64(window.getContext()), 0), code.fieldRef(window, tuplesAt));
  closePane(code, window);
}

//===--- results ----------------------------------------------------------------===//

void ValuePanesStore::submit(HandlerBuilder &code, Value window) {
  Value all = code.variable("result", result.type());
  code.store(code.zero(result.type()), all);
  code.forEach(ring->count(code, window), [&](Value at) {
    Value entry = ring->at(code, window, at);
    Value key = keyAt ? code.load(code.fieldRef(entry, *keyAt)) : Value();
    ofWindow.mergeOne(code, all, key, ofPane, entry);
  });
  ofWindow.submit(code, all, size(code, window), [](Value, Summary::OnTuple) {
    llvm_unreachable("stream-plan-windows keeps tuples for a fold");
  });
}

std::unique_ptr<Contents> window::makeValuePanes(stream::OperatorOp op, Region *groupBy,
                                                 Record &window, ArrayRef<mlir::Type> marks) {
  return std::make_unique<ValuePanesStore>(op, groupBy, window, marks);
}
