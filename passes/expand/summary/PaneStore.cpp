//===- PaneStore.cpp - a ring of panes ------------------------------------===//
#include "passes/expand/summary/PaneStore.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;
using spl::CompareKind;

PaneStore::PaneStore(Record &window, ArrayRef<mlir::Type> marks, int64_t length)
    : RingStore(window, marks), length(length) {
  if (length == 1)
    return;
  sizeAt = window.add("size", ui64(window.context()));
  filledAt = window.add("filled", ui64(window.context()));
  goneAt = window.add("gone", ui64(window.context()));
}

Value PaneStore::size(HandlerBuilder &code, Value window) {
  return length == 1 ? RingStore::size(code, window) : code.load(code.fieldRef(window, sizeAt));
}

void PaneStore::clear(HandlerBuilder &code, Value window) {
  RingStore::clear(code, window);
  if (length == 1)
    return;
  for (unsigned at : {sizeAt, filledAt, goneAt})
    code.store(code.constant(ui64(window.getContext()), 0), code.fieldRef(window, at));
}

Value PaneStore::newest(HandlerBuilder &code, Value window) {
  Value panes = ring->count(code, window);
  return ring->at(code, window, code.sub(panes, code.constant(panes.getType(), 1)));
}

void PaneStore::count(HandlerBuilder &code, Value place, HandlerBuilder::Code atLast) {
  Value tuples = code.increment(place);
  code.when(code.compare(CompareKind::eq, tuples, code.constant(tuples.getType(), length)), [&] {
    code.store(code.constant(tuples.getType(), 0), place);
    atLast();
  });
}

void PaneStore::enter(HandlerBuilder &code, Value window, ArrayRef<Value> marks, OnPane open,
                      OnPane add, OnPane close) {
  if (length == 1) {
    Value pane = push(code, window, marks);
    open(pane);
    return close(pane);
  }
  Value filled = code.fieldRef(window, filledAt), before = code.load(filled);
  code.when(
      code.compare(CompareKind::eq, before, code.constant(before.getType(), 0)),
      [&] { open(push(code, window, marks)); }, [&] { add(newest(code, window)); });
  code.increment(code.fieldRef(window, sizeAt));
  count(code, filled, [&] { close(newest(code, window)); });
}

void PaneStore::evictOldest(HandlerBuilder &code, Value window) {
  if (length == 1)
    return popPane(code, window);
  Value gone = code.fieldRef(window, goneAt), before = code.load(gone);
  code.when(code.compare(CompareKind::eq, before, code.constant(before.getType(), 0)),
            [&] { popPane(code, window); });
  count(code, gone, [] {});
  code.increment(code.fieldRef(window, sizeAt), -1);
}
