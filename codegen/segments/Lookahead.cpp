//===- Lookahead.cpp - keys that later rows look up -----------------------===//
#include "codegen/segments/Lookahead.h"
#include "codegen/Layout.h"

using namespace mlir;
using namespace sluice;

/// The set or map and the key of a look-up; the collection is a value or a place.
static std::pair<Value, Value> lookupOf(Operation *op) {
  if (auto contains = dyn_cast<spl::ContainsOp>(op))
    return {contains.getCollection(), contains.getElement()};
  if (auto index = dyn_cast<spl::IndexOp>(op))
    return {index.getBase(), index.getIndex()};
  if (auto index = dyn_cast<spl::IndexRefOp>(op))
    return {index.getPlace(), index.getIndex()};
  if (auto find = dyn_cast<spl::MapFindOp>(op))
    return {find.getPlace(), find.getKey()};
  if (auto slot = dyn_cast<spl::MapSlotOp>(op))
    return {slot.getPlace(), slot.getKey()};
  return {};
}

/// The path from the tuple to the field that `value` is, outermost first.
static std::optional<SmallVector<unsigned>> pathOf(Value value, Value tuple) {
  SmallVector<unsigned> path;
  while (value != tuple) {
    auto field = value.getDefiningOp<spl::FieldOp>();
    if (!field)
      return std::nullopt;
    path.insert(path.begin(), unsigned(field.getIndex()));
    value = field.getTuple();
  }
  return path;
}

static std::optional<KeyedLookup> keyedLookup(Operation *op, Value tuple,
                                              ArrayRef<layout::Column> columns) {
  auto [collection, key] = lookupOf(op);
  if (!collection)
    return std::nullopt;
  if (auto load = collection.getDefiningOp<spl::LoadOp>())
    collection = load.getPlace();
  auto state = collection.getDefiningOp<spl::StateOp>();
  auto path = pathOf(key, tuple);
  if (!state || !path)
    return std::nullopt;
  mlir::Type table = cast<spl::RefType>(state.getType()).getElement();
  if (!isa<spl::MapType, spl::SetType>(table))
    return std::nullopt;
  for (auto [i, column] : llvm::enumerate(columns))
    if (ArrayRef<unsigned>(column.path) == ArrayRef<unsigned>(*path))
      return KeyedLookup{unsigned(state.getIndex()), unsigned(i), table};
  return std::nullopt; // a tuple of several columns
}

SmallVector<KeyedLookup> sluice::keyedLookups(stream::OperatorOp op, unsigned port) {
  SmallVector<KeyedLookup> found;
  Region *body = op.onTuple(port);
  if (!body)
    return found;
  SmallVector<layout::Column> columns(layout::batchLayout(op.inputTuple(port)).columns);
  body->walk([&](Operation *o) {
    auto lookup = keyedLookup(o, body->getArgument(0), columns);
    if (lookup && llvm::none_of(found, [&](const KeyedLookup &other) {
          return other.state == lookup->state && other.column == lookup->column;
        }))
      found.push_back(*lookup);
  });
  return found;
}
