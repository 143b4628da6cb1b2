//===- Side.cpp - one of the two windows of a Join ------------------------===//
#include "passes/expand/match/Side.h"
#include "ir/Kinds.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::match;
using spl::CompareKind;
using stream::PartitionLimit;
using stream::WindowPolicy;

/// Time goes by arrival, in whatever partition: partitions matter only if there is a limit, or
/// tuples that are in none.
static Region *partitionsOf(stream::OperatorOp op, unsigned port, Region *partitionBy) {
  stream::WindowAttr window = op.window(port).getWindow();
  bool byTime = window.getEvict().getPolicy() == WindowPolicy::Time;
  bool matter = window.getLimit() || (partitionBy && !spl::equalsItself(keyType(*partitionBy)));
  return byTime && !matter ? nullptr : partitionBy;
}

Side::Side(stream::OperatorOp op, unsigned port, SideOptions wanted)
    : Eviction(op, port, partitionsOf(op, port, wanted.partitionBy)), options(std::move(wanted)),
      row(op, port, marks()) {
  if (options.unmatched)
    row.matchedAt = row.record.add("matched", IntegerType::get(op.getContext(), 1));
  if (options.equality)
    row.equality.emplace(op, *options.equality, row.record);
  if (partitions.partitioned() && expires())
    row.partition.emplace(op, *options.partitionBy, row.record);
  if (isNothing()) {
    window::tellWindow(item, mlir::Type());
    return;
  }
  rows = partitions.partitioned() ? makeChains(row, record(), expires() || !row.equality)
                                  : makeQueue(row, record(), evictsBy(WindowPolicy::Delta));
  rows->declare(op, std::to_string(port));
  declare(*this);
}

bool Side::isNothing() const {
  return attr.getEvict().getPolicy() == WindowPolicy::Count && sizes.constantEvict() == 0;
}

//===--- candidates -------------------------------------------------------------===//

Key Side::keyOf(HandlerBuilder &code, Value tuple) const {
  if (!row.equality)
    return {};
  Value value = row.equality->of(code, tuple);
  MLIRContext *context = value.getContext();
  Value hash = code.call(options.hash, value.getType(), value, 0, window::ui64(context));
  return {value, code.cast(hash, hashType(context))};
}

void Side::forEachCandidate(HandlerBuilder &code, Key key, OnCandidate body) {
  if (!isNothing())
    rows->forEachCandidate(code, onlyWindow(code), key,
                           [&](Value place) { body(row.tuple(code, place), place); });
}

void Side::noteMatch(HandlerBuilder &code, Value place) const {
  if (row.matchedAt)
    code.store(code.constant(code.ops().getI1Type(), 1), code.fieldRef(place, *row.matchedAt));
}

//===--- rows come --------------------------------------------------------------===//

void Side::enter(HandlerBuilder &code, Value tuple, Key key, Value matched, Value now) {
  auto pass = [&] {
    if (matched)
      code.when(code.compare(CompareKind::eq, matched, code.constant(matched.getType(), 0)),
                [&] { options.unmatched(code, tuple); });
  };
  auto stay = [&] {
    arrivalKey = key;
    arrivalMatched = matched;
    if (partitions.limitedBy(PartitionLimit::Age))
      evictPartitions(code, now);
    Value partitionKey = partitions.keyOf(code, SmallVector<Value>(op.inputPorts(), tuple));
    auto insert = [&] {
      Value place = partitions.find(code, partitionKey);
      if (!expires()) // by time, rows have left before the new one was matched
        evict(code, place, tuple, now);
      Eviction::enter(code, place, partitionKey, tuple, now);
    };
    whenKeyIsFound(code, partitionKey, insert, pass);
  };
  if (isNothing())
    pass();
  else
    unlessCountIsZero(code, stay, pass);
}

void Side::insert(HandlerBuilder &code, Value window, Value tuple, ArrayRef<Value> marks) {
  rows->insert(code, window, arrivalKey, [&](Value place) {
    row.fill(code, place, tuple, marks, arrivalKey.value, arrivalMatched);
  });
}

//===--- rows leave -------------------------------------------------------------===//

Value Side::size(HandlerBuilder &code, Value window) { return rows->size(code, window); }

Value Side::oldestMark(HandlerBuilder &code, Value window, unsigned mark) {
  return row.mark(code, rows->oldest(code, window), mark);
}

Value Side::isUnmatched(HandlerBuilder &code, Value place) const {
  Value matched = code.load(code.fieldRef(place, *row.matchedAt));
  return code.compare(CompareKind::eq, matched, code.constant(matched.getType(), 0));
}

void Side::leave(HandlerBuilder &code, Value place) const {
  if (row.matchedAt)
    code.when(isUnmatched(code, place), [&] { options.unmatched(code, row.tuple(code, place)); });
}

void Side::evictOldest(HandlerBuilder &code, Value window) {
  if (row.matchedAt)
    leave(code, rows->oldest(code, window));
  rows->dropOldest(code, window);
}

void Side::evictIf(HandlerBuilder &code, Value window, unsigned mark, Leaves leaves) {
  Value one = code.constant(window::ui64(op.getContext()), 1);
  rows->dropIf(
      code, window, [&](Value place) { return leaves(row.mark(code, place, mark), one); },
      [&](Value place) { leave(code, place); });
}

void Side::clear(HandlerBuilder &code, Value window) { rows->clear(code, window); }

//===--- what never matched -----------------------------------------------------===//

void Side::leaveAll(HandlerBuilder &code) {
  partitions.forEach(code, [&](Value window) {
    code.forEach(size(code, window), [&](Value) { evictOldest(code, window); });
  });
}

/// Adds how many rows of a window never matched.
void Side::addUnmatched(HandlerBuilder &code, Value window, Value sum) {
  rows->forEach(code, window, [&](Value place) {
    code.when(isUnmatched(code, place), [&] { code.increment(sum); });
  });
}

Value Side::countUnmatched(HandlerBuilder &code) {
  if (!row.matchedAt || isNothing())
    return Value();
  Value sum = code.variable("unmatched", window::ui64(op.getContext()));
  code.store(code.constant(window::ui64(op.getContext()), 0), sum);
  partitions.forEach(code, [&](Value window) { addUnmatched(code, window, sum); });
  return code.load(sum);
}

void Side::partitionGoes(HandlerBuilder &code, Value window) {
  if (row.matchedAt) {
    Value sum = code.variable("unmatched", window::ui64(op.getContext()));
    code.store(code.constant(window::ui64(op.getContext()), 0), sum);
    addUnmatched(code, window, sum);
    code.leftOut(stream::LeftOut::InPartitions, code.load(sum));
  }
  clear(code, window);
}

//===--- time -------------------------------------------------------------------===//

Value Side::timeLeft(HandlerBuilder &code, Value now) {
  Value left = code.variable("left", now.getType());
  code.store(code.constant(now.getType(), 0), left);
  rows->whenAny(code, onlyWindow(code), [&](Value place) {
    code.store(code.sub(sizes.evict(code), code.sub(now, row.mark(code, place, 0))), left);
  });
  return code.load(left);
}

void Side::expireOldest(HandlerBuilder &code) {
  if (!partitions.partitioned())
    return Eviction::evictOldest(code, onlyWindow(code));
  rows->whenAny(code, Value(), [&](Value place) {
    Value key = code.copy(row.partition->in(code, place, row.tuple(code, place)));
    Value window = partitions.find(code, key);
    Eviction::evictOldest(code, window);
    code.when(isEmpty(code, window), [&] { partitions.drop(code, key); });
  });
}
