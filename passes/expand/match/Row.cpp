//===- Row.cpp - what a Join keeps of a tuple -----------------------------===//
#include "passes/expand/match/Row.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::match;

/// Whether all values are attributes of the tuple.
static bool areAttributes(Region &source) {
  return source.hasOneBlock() && llvm::all_of(source.front(), [](Operation &op) {
           return isa<spl::FieldOp, stream::YieldOp>(op);
         });
}

Derived::Derived(stream::OperatorOp op, Region &source, window::Record &row)
    : source(&source), ports(op.inputPorts()) {
  if (!areAttributes(source))
    at = row.add("key", type());
}

mlir::Type Derived::type() const { return keyType(*source); }

Value Derived::of(HandlerBuilder &code, Value tuple) const {
  return keyValue(code, *source, SmallVector<Value>(ports, tuple));
}

void Derived::keep(HandlerBuilder &code, Value value, Value row) const {
  if (at)
    code.store(value, code.fieldRef(row, *at));
}

Value Derived::in(HandlerBuilder &code, Value row, Value tuple) const {
  return at ? code.load(code.fieldRef(row, *at)) : of(code, tuple);
}

Row::Row(stream::OperatorOp op, unsigned port, ArrayRef<mlir::Type> marks)
    : record(op.getContext()), tupleAt(record.add("tuple", op.inputTuple(port))) {
  for (mlir::Type type : marks)
    record.add("mark", type);
}

Value Row::tuple(HandlerBuilder &code, Value row) const {
  return code.load(code.fieldRef(row, tupleAt));
}

Value Row::mark(HandlerBuilder &code, Value row, unsigned mark) const {
  return code.load(code.fieldRef(row, tupleAt + 1 + mark));
}

Value Row::key(HandlerBuilder &code, Value row) const {
  return equality->in(code, row, tuple(code, row));
}

void Row::fill(HandlerBuilder &code, Value row, Value tuple, ArrayRef<Value> marks, Value key,
               Value matched) const {
  code.store(tuple, code.fieldRef(row, tupleAt));
  for (auto [at, mark] : llvm::enumerate(marks))
    code.store(mark, code.fieldRef(row, tupleAt + 1 + at));
  if (matchedAt)
    code.store(matched, code.fieldRef(row, *matchedAt));
  if (partition)
    partition->keep(code, partition->of(code, tuple), row);
  if (equality)
    equality->keep(code, key, row);
}
