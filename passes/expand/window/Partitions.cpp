//===- Partitions.cpp - the windows of an input port ----------------------===//
#include "passes/expand/window/Partitions.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;
using spl::CompareKind;
using stream::PartitionLimit;

/// The type of the key: of one value that value's, of several a tuple.
static mlir::Type typeOfKey(Region &key) {
  SmallVector<mlir::Type> types;
  for (Block &block : key)
    if (auto yield = dyn_cast<stream::YieldOp>(block.back()))
      types.assign(yield.getOperandTypes().begin(), yield.getOperandTypes().end());
  if (types.size() == 1)
    return types.front();
  Record parts(key.getContext());
  for (mlir::Type type : types)
    parts.add("key", type);
  return parts.type();
}

Value window::keyValue(HandlerBuilder &code, Region &key, ValueRange tuples) {
  SmallVector<Value> values = code.inlineBody(key, tuples);
  if (values.size() == 1)
    return values.front();
  return code.tuple(cast<spl::TupleType>(typeOfKey(key)), values);
}

mlir::Type window::keyType(Region &key) { return typeOfKey(key); }

Partitions::Partitions(stream::OperatorOp op, stream::WindowOp window, const Sizes &sizes,
                       Region *key, Record &record)
    : op(op), sizes(sizes), key(key), limit(window.getWindow().getLimit()),
      suffix(std::to_string(window.getPort())), order(op.getContext()) {
  MLIRContext *context = op.getContext();
  if (key)
    type = keyType(*key);
  if (!limit)
    return;
  stampAt = record.add("stamp", ui64(context));
  Record entry(context);
  entry.add("key", type);
  entry.add("stamp", ui64(context));
  entry.add("time", si64(context));
  ring.emplace(order, entry.type());
}

void Partitions::declare(const Record &record) {
  MLIRContext *context = op.getContext();
  OpBuilder builder = OpBuilder::atBlockEnd(&op.getBody().front());
  auto state = [&](StringRef name, mlir::Type type) {
    return stream::StateOp::create(builder, op.getLoc(), ("$" + name + suffix).str(), type);
  };
  mlir::Type one = record.type();
  windows = state("window", key ? spl::MapType::get(context, type, one) : one);
  if (!limit)
    return;
  orderState = state("order", order.type());
  stampState = state("stamp", ui64(context));
  if (limitedBy(PartitionLimit::Tuples))
    tuplesState = state("tuples", ui64(context));
}

//===--- windows ----------------------------------------------------------------===//

Value Partitions::keyOf(HandlerBuilder &code, ValueRange tuples) const {
  return key ? keyValue(code, *key, tuples) : Value();
}

static spl::RefType refTo(mlir::Type type) { return spl::RefType::get(type.getContext(), type); }

Value Partitions::find(HandlerBuilder &code, Value keyOf) const {
  Value place = code.state(windows);
  if (!key)
    return place;
  mlir::Type window = cast<spl::MapType>(windows.getType()).getValue();
  return spl::MapSlotOp::create(code.ops(), code.loc(), refTo(window), place, keyOf);
}

Value Partitions::windowCount(HandlerBuilder &code) const {
  return code.sizeIn(code.state(windows));
}

void Partitions::forEach(HandlerBuilder &code, OnWindow body) const {
  Value place = code.state(windows);
  if (!key)
    return body(place);
  code.forEach(code.sizeIn(place), [&](Value at) { body(code.nthRef(code.state(windows), at)); });
}

void Partitions::clearAll(HandlerBuilder &code, OnWindow clear) const {
  if (!key)
    return clear(code.state(windows));
  code.store(code.zero(windows.getType()), code.state(windows));
  if (limit)
    code.store(code.zero(orderState.getType()), code.state(orderState));
  if (tuplesState)
    code.store(code.zero(tuplesState.getType()), code.state(tuplesState));
}

//===--- limits -------------------------------------------------------------------===//

void Partitions::drop(HandlerBuilder &code, Value keyOf) const {
  spl::MapEraseOp::create(code.ops(), code.loc(), code.state(windows), keyOf);
}

void Partitions::countTuples(HandlerBuilder &code, Value more) const {
  if (!tuplesState)
    return;
  Value place = code.state(tuplesState);
  code.store(code.add(code.load(place), more), place);
}

/// Whether the partition of a ring's entry has got a tuple since, or is gone.
Value Partitions::isStale(HandlerBuilder &code, Value entry) const {
  Value stale = code.variable("stale", code.ops().getI1Type());
  code.store(code.constant(code.ops().getI1Type(), 1), stale);
  Value wanted = code.load(code.fieldRef(entry, entryKey));
  Value map = code.load(code.state(windows));
  Value there =
      spl::ContainsOp::create(code.ops(), code.loc(), code.ops().getI1Type(), wanted, map);
  code.when(there, [&] {
    Value stamp = code.load(code.fieldRef(find(code, wanted), stampAt));
    Value own = code.load(code.fieldRef(entry, entryStamp));
    code.store(code.compare(CompareKind::ne, stamp, own), stale);
  });
  return code.load(stale);
}

/// Drops stale entries once they are more than the others: constant time a tuple.
void Partitions::compact(HandlerBuilder &code) const {
  Value place = code.state(orderState);
  Value twice = code.add(windowCount(code), windowCount(code));
  Value most = code.add(twice, code.constant(twice.getType(), 64));
  code.when(code.compare(CompareKind::gt, ring->count(code, place), most), [&] {
    code.forEach(ring->count(code, place), [&](Value) {
      Value oldest = ring->oldest(code, place);
      Value stale = isStale(code, oldest);
      Value entry = code.copy(code.load(oldest));
      ring->pop(code, place);
      Value keep = code.compare(CompareKind::eq, stale, code.constant(stale.getType(), 0));
      code.when(keep, [&] { code.store(entry, ring->push(code, place)); });
    });
  });
}

void Partitions::touch(HandlerBuilder &code, Value keyOf, Value now) const {
  Value stamp = code.increment(code.state(stampState));
  code.store(stamp, code.fieldRef(find(code, keyOf), stampAt));
  Value entry = ring->push(code, code.state(orderState));
  code.store(keyOf, code.fieldRef(entry, entryKey));
  code.store(stamp, code.fieldRef(entry, entryStamp));
  if (now)
    code.store(now, code.fieldRef(entry, entryTime));
  compact(code);
}

/// Whether a partition must go. There is an entry in the ring.
Value Partitions::exceeded(HandlerBuilder &code, Value now) const {
  switch (*limit) {
  case PartitionLimit::Partitions:
    return code.compare(CompareKind::gt, windowCount(code), sizes.limit(code));
  case PartitionLimit::Tuples:
    return code.compare(CompareKind::gt, code.load(code.state(tuplesState)), sizes.limit(code));
  case PartitionLimit::Age: {
    Value oldest = ring->oldest(code, code.state(orderState));
    Value age = code.sub(now, code.load(code.fieldRef(oldest, entryTime)));
    return code.compare(CompareKind::gt, age, sizes.limit(code));
  }
  }
  llvm_unreachable("unknown limit");
}

void Partitions::popOldest(HandlerBuilder &code, OnWindow evicted, SizeOf size) const {
  Value place = code.state(orderState);
  Value oldest = ring->oldest(code, place);
  Value live = code.compare(CompareKind::eq, isStale(code, oldest),
                            code.constant(code.ops().getI1Type(), 0));
  code.when(live, [&] {
    Value gone = code.copy(code.load(code.fieldRef(oldest, entryKey)));
    Value window = find(code, gone);
    if (tuplesState) {
      Value total = code.state(tuplesState);
      code.store(code.sub(code.load(total), size(window)), total);
    }
    evicted(window);
    spl::MapEraseOp::create(code.ops(), code.loc(), code.state(windows), gone);
  });
  ring->pop(code, place);
}

void Partitions::enforce(HandlerBuilder &code, Value now, OnWindow evicted, SizeOf size) const {
  mlir::Type boolean = code.ops().getI1Type();
  Value more = code.variable("more", boolean);
  code.loop(
      [&] {
        code.store(code.constant(boolean, 0), more);
        Value entries = ring->count(code, code.state(orderState));
        Value any = code.compare(CompareKind::ne, entries, code.constant(entries.getType(), 0));
        code.when(any, [&] { code.store(exceeded(code, now), more); });
        return code.load(more);
      },
      [&] { popOldest(code, evicted, size); });
}
