//===- Partitions.cpp - the windows of an input port ----------------------===//
#include "passes/expand/window/Partitions.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;
using spl::CompareKind;
using stream::PartitionLimit;

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
  ring.emplace(order, entry);
}

void Partitions::declare(const Record &record, bool sweeps) {
  MLIRContext *context = op.getContext();
  auto state = [&](StringRef name, StringRef what, mlir::Type type) {
    return AddedState(op, (name + suffix).str(), what + " of input " + suffix, type);
  };
  windowType = record.type();
  mlir::Type all = windowType;
  if (key)
    all = spl::MapType::get(context, type, windowType);
  windows = state("window", "the window", all);
  if (sweeps)
    handState = state("hand", "the partition to look at next", ui64(context));
  if (!limit)
    return;
  orderState = state("order", "the order of the partitions", order.type());
  stampState = state("stamp", "the number of changes", ui64(context));
  if (limitedBy(PartitionLimit::Tuples))
    tuplesState = state("tuples", "the number of tuples", ui64(context));
}

//===--- windows ----------------------------------------------------------------===//

Value Partitions::keyOf(HandlerBuilder &code, ValueRange tuples) const {
  return key ? keyValue(code, *key, tuples) : Value();
}

Value Partitions::find(HandlerBuilder &code, Value keyOf) const {
  Value place = windows.place(code);
  if (!key)
    return place;
  auto ref = spl::RefType::get(place.getContext(), windowType);
  return spl::MapSlotOp::create(code.ops(), code.loc(), ref, place, keyOf);
}

void Partitions::whenThere(HandlerBuilder &code, Value keyOf, OnWindow body) const {
  Value place = windows.place(code);
  if (!key)
    return body(place);
  Value at = spl::MapFindOp::create(code.ops(), code.loc(), ui64(place.getContext()), place, keyOf);
  code.when(code.compare(CompareKind::ne, at, code.sizeIn(place)),
            [&] { body(code.nthRef(place, at)); });
}

Value Partitions::windowCount(HandlerBuilder &code) const {
  return code.sizeIn(windows.place(code));
}

void Partitions::forEach(HandlerBuilder &code, OnWindow body) const {
  Value place = windows.place(code);
  if (!key)
    return body(place);
  code.forEach(code.sizeIn(place), [&](Value at) { body(code.nthRef(windows.place(code), at)); });
}

/// From the last to the first: the last entry takes the position of one that is removed.
void Partitions::dropIf(HandlerBuilder &code, IsGone isGone) const {
  if (!key)
    return;
  Value place = windows.place(code), count = code.sizeIn(place);
  code.forEach(count, [&](Value done) {
    Value one = code.constant(count.getType(), 1);
    Value at = code.sub(code.sub(count, done), one);
    code.when(isGone(code.nthRef(place, at)), [&] { drop(code, code.nthKey(place, at)); });
  });
}

void Partitions::clearAll(HandlerBuilder &code, OnWindow clear) const {
  if (!key)
    return clear(windows.place(code));
  code.store(code.zero(windows.type()), windows.place(code));
  if (limit)
    code.store(code.zero(orderState.type()), orderState.place(code));
  if (tuplesState)
    code.store(code.zero(tuplesState.type()), tuplesState.place(code));
}

//===--- limits -------------------------------------------------------------------===//

void Partitions::drop(HandlerBuilder &code, Value keyOf) const {
  spl::MapEraseOp::create(code.ops(), code.loc(), windows.place(code), keyOf);
}

void Partitions::countTuples(HandlerBuilder &code, Value more) const {
  if (!tuplesState)
    return;
  Value place = tuplesState.place(code);
  code.store(code.add(code.load(place), more), place);
}

/// Each tuple brings at most one partition, so all are looked at in turn, however many there are.
void Partitions::sweep(HandlerBuilder &code, IsGone isGone) const {
  static constexpr int64_t kSteps = 2;
  Value hand = handState.place(code);
  mlir::Type number = ui64(hand.getContext());
  code.forEach(code.constant(number, kSteps), [&](Value) {
    Value place = windows.place(code), count = code.sizeIn(place);
    code.when(code.compare(CompareKind::ge, code.load(hand), count),
              [&] { code.store(code.constant(number, 0), hand); });
    code.when(code.compare(CompareKind::ne, count, code.constant(number, 0)), [&] {
      Value at = code.load(hand);
      // The last entry takes the position of one that is removed.
      code.when(
          isGone(code.nthRef(place, at)), [&] { drop(code, code.nthKey(place, at)); },
          [&] { code.increment(hand); });
    });
  });
}

/// Whether the partition of a ring's entry has got a tuple since, or is gone.
Value Partitions::isStale(HandlerBuilder &code, Value entry) const {
  Value stale = code.variable("stale", code.ops().getI1Type());
  code.store(code.constant(code.ops().getI1Type(), 1), stale);
  Value wanted = code.load(code.fieldRef(entry, entryKey));
  whenThere(code, wanted, [&](Value window) {
    Value stamp = code.load(code.fieldRef(window, stampAt));
    Value own = code.load(code.fieldRef(entry, entryStamp));
    code.store(code.compare(CompareKind::ne, stamp, own), stale);
  });
  return code.load(stale);
}

/// Drops stale entries once they are more than the others: constant time a tuple.
void Partitions::compact(HandlerBuilder &code) const {
  Value place = orderState.place(code);
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
  Value stamp = code.increment(stampState.place(code));
  code.store(stamp, code.fieldRef(find(code, keyOf), stampAt));
  Value entry = ring->push(code, orderState.place(code));
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
    return code.compare(CompareKind::gt, code.load(tuplesState.place(code)), sizes.limit(code));
  case PartitionLimit::Age: {
    Value oldest = ring->oldest(code, orderState.place(code));
    Value age = code.sub(now, code.load(code.fieldRef(oldest, entryTime)));
    return code.compare(CompareKind::gt, age, sizes.limit(code));
  }
  }
  llvm_unreachable("unknown limit");
}

void Partitions::popOldest(HandlerBuilder &code, OnWindow evicted, SizeOf size) const {
  Value place = orderState.place(code);
  Value oldest = ring->oldest(code, place);
  Value live = code.compare(CompareKind::eq, isStale(code, oldest),
                            code.constant(code.ops().getI1Type(), 0));
  code.when(live, [&] {
    Value gone = code.copy(code.load(code.fieldRef(oldest, entryKey)));
    Value window = find(code, gone);
    if (tuplesState) {
      Value total = tuplesState.place(code);
      code.store(code.sub(code.load(total), size(window)), total);
    }
    evicted(window);
    spl::MapEraseOp::create(code.ops(), code.loc(), windows.place(code), gone);
  });
  ring->pop(code, place);
}

void Partitions::enforce(HandlerBuilder &code, Value now, OnWindow evicted, SizeOf size) const {
  mlir::Type boolean = code.ops().getI1Type();
  Value more = code.variable("more", boolean);
  code.loop(
      [&] {
        code.store(code.constant(boolean, 0), more);
        Value entries = ring->count(code, orderState.place(code));
        Value any = code.compare(CompareKind::ne, entries, code.constant(entries.getType(), 0));
        code.when(any, [&] { code.store(exceeded(code, now), more); });
        return code.load(more);
      },
      [&] { popOldest(code, evicted, size); });
}
