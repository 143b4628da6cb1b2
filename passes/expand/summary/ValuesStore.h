//===- ValuesStore.h - a ring of the values of each tuple -------*- C++ -*-===//
#pragma once
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/summary/Groups.h"
#include "passes/expand/window/RingStore.h"

namespace sluice::window {

/// An element of the ring has what the output functions and the groups need of a tuple. `chained`:
/// and a link to the next one of its group.
class ValuesStore : public RingStore {
protected:
  ValuesStore(stream::OperatorOp op, mlir::Region *groupBy, Record &window,
              llvm::ArrayRef<mlir::Type> marks, bool chained = false)
      : RingStore(window, marks), summary(op) {
    valuesAt = entry.add("values", summary.values().type());
    if (groupBy)
      keyAt = entry.add("key", keyType(*groupBy));
    if (chained)
      nextAt = entry.add("next", ui64(op.getContext()));
    complete();
  }

  /// A new element. `key` is null without groups.
  void append(HandlerBuilder &code, mlir::Value window, llvm::ArrayRef<mlir::Value> marks,
              mlir::Value tuple, const Arguments &arguments, mlir::Value key) {
    mlir::Value place = push(code, window, marks);
    summary.storeValues(code, arguments, tuple, code.fieldRef(place, valuesAt));
    if (key)
      code.store(key, code.fieldRef(place, *keyAt));
  }
  Arguments argumentsOf(HandlerBuilder &code, mlir::Value element) const {
    return summary.loadArguments(code, code.fieldRef(element, valuesAt));
  }
  mlir::Value tupleOf(HandlerBuilder &code, mlir::Value element) const {
    return summary.loadTuple(code, code.fieldRef(element, valuesAt));
  }
  mlir::Value keyOf(HandlerBuilder &code, mlir::Value element) const {
    return keyAt ? code.load(code.fieldRef(element, *keyAt)) : mlir::Value();
  }

  mlir::Value nextPlace(HandlerBuilder &code, mlir::Value element) const {
    return code.fieldRef(element, nextAt);
  }

  Summary summary;

private:
  unsigned valuesAt, nextAt = 0;
  std::optional<unsigned> keyAt;
};

} // namespace sluice::window
