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
      rows(op.getContext()), inWindow(record()), keyOwner(op.getContext()), inKey(keyOwner) {
  MLIRContext *context = op.getContext();
  sizeAt = record().add("size", window::ui64(context));
  tupleAt = rows.row().add("tuple", op.inputTuple(port));
  for (mlir::Type type : marks())
    rows.row().add("mark", type);
  if (options.unmatched)
    matchedAt = rows.row().add("matched", IntegerType::get(context, 1));
  if (options.equality) {
    equality.emplace(op, *options.equality, rows.row());
    keyChain.emplace(rows.row());
  }
  if (partitions.partitioned() && (expires() || !equality)) {
    arrivalChain.emplace(rows.row());
    arrived.emplace(rows.port());
  }
  if (partitions.partitioned() && expires())
    partition.emplace(op, *options.partitionBy, rows.row());
  if (isNothing()) {
    window::tellWindow(item, mlir::Type());
    return;
  }
  std::string suffix = std::to_string(port);
  rows.declare(op, "rows" + suffix, "the window of input " + suffix);
  if (equality)
    index = AddedState(op, "index" + suffix, "the index of the window of input " + suffix,
                       spl::MapType::get(context, equality->type(), keyOwner.type()));
  declare(*this);
}

bool Side::isNothing() const {
  return attr.getEvict().getPolicy() == WindowPolicy::Count && sizes.constantEvict() == 0;
}

//===--- values of tuples -------------------------------------------------------===//

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

Value Side::keyOf(HandlerBuilder &code, Value tuple) const {
  return equality ? equality->of(code, tuple) : Value();
}

Value Side::tupleOf(HandlerBuilder &code, Value row) const {
  return code.load(code.fieldRef(row, tupleAt));
}

//===--- the index --------------------------------------------------------------===//

void Side::withKey(HandlerBuilder &code, Value key, llvm::function_ref<void(Value)> body) {
  Value place = index.place(code);
  Value at =
      spl::MapFindOp::create(code.ops(), code.loc(), window::ui64(key.getContext()), place, key);
  code.when(code.compare(CompareKind::ne, at, code.sizeIn(place)),
            [&] { body(code.nthRef(place, at)); });
}

/// A key that is not found again matches nothing.
void Side::enterIndex(HandlerBuilder &code, Value key, Value link) {
  whenKeyIsFound(code, key, [&] {
    auto place = spl::RefType::get(key.getContext(), keyOwner.type());
    Value owner = spl::MapSlotOp::create(code.ops(), code.loc(), place, index.place(code), key);
    keyChain->append(code, rows, inKey, owner, link);
  });
}

/// A key without rows leaves the index.
void Side::leaveIndex(HandlerBuilder &code, Value link) {
  Value row = rows.at(code, link), key = equality->in(code, row, tupleOf(code, row));
  withKey(code, key, [&](Value owner) {
    keyChain->remove(code, rows, inKey, owner, link);
    Value first = firstOf(code, inKey, owner);
    code.when(code.compare(CompareKind::eq, first, code.constant(first.getType(), 0)),
              [&] { spl::MapEraseOp::create(code.ops(), code.loc(), index.place(code), key); });
  });
}

void Side::walk(HandlerBuilder &code, const Chain &chain, Value first, OnCandidate body) {
  code.follow(first, [&](Value link) {
    Value row = rows.at(code, link);
    body(tupleOf(code, row), row);
    return chain.next(code, row);
  });
}

void Side::forEachCandidate(HandlerBuilder &code, Value key, OnCandidate body) {
  if (isNothing())
    return;
  if (equality)
    return withKey(code, key,
                   [&](Value owner) { walk(code, *keyChain, firstOf(code, inKey, owner), body); });
  walk(code, arrived ? *arrivalChain : rows.chain(), oldest(code), body);
}

void Side::noteMatch(HandlerBuilder &code, Value row) const {
  if (matchedAt)
    code.store(code.constant(code.ops().getI1Type(), 1), code.fieldRef(row, *matchedAt));
}

//===--- rows come --------------------------------------------------------------===//

void Side::enter(HandlerBuilder &code, Value tuple, Value key, Value matched, Value now) {
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
  Value link = rows.take(code), row = rows.at(code, link);
  code.store(tuple, code.fieldRef(row, tupleAt));
  for (auto [at, mark] : llvm::enumerate(marks))
    code.store(mark, code.fieldRef(row, tupleAt + 1 + at));
  if (matchedAt)
    code.store(arrivalMatched, code.fieldRef(row, *matchedAt));
  if (partition)
    partition->keep(code, partition->of(code, tuple), row);
  rows.chain().append(code, rows, inWindow, window, link);
  code.increment(code.fieldRef(window, sizeAt));
  if (arrived)
    arrivalChain->append(code, rows, *arrived, rows.portPlace(code), link);
  if (equality) {
    equality->keep(code, arrivalKey, row);
    enterIndex(code, arrivalKey, link);
  }
}

//===--- rows leave -------------------------------------------------------------===//

Value Side::size(HandlerBuilder &code, Value window) {
  return code.load(code.fieldRef(window, sizeAt));
}

Value Side::oldestMark(HandlerBuilder &code, Value window, unsigned mark) {
  Value row = rows.at(code, firstOf(code, inWindow, window));
  return code.load(code.fieldRef(row, tupleAt + 1 + mark));
}

void Side::drop(HandlerBuilder &code, Value window, Value link) {
  if (equality)
    leaveIndex(code, link);
  if (arrived)
    arrivalChain->remove(code, rows, *arrived, rows.portPlace(code), link);
  rows.chain().remove(code, rows, inWindow, window, link);
  code.increment(code.fieldRef(window, sizeAt), -1);
  rows.release(code, link);
}

Value Side::isUnmatched(HandlerBuilder &code, Value row) const {
  Value matched = code.load(code.fieldRef(row, *matchedAt));
  return code.compare(CompareKind::eq, matched, code.constant(matched.getType(), 0));
}

void Side::leave(HandlerBuilder &code, Value window, Value link) {
  if (matchedAt) {
    Value row = rows.at(code, link);
    code.when(isUnmatched(code, row), [&] { options.unmatched(code, tupleOf(code, row)); });
  }
  drop(code, window, link);
}

void Side::leaveAll(HandlerBuilder &code) {
  partitions.forEach(code, [&](Value window) {
    code.forEach(size(code, window), [&](Value) { evictOldest(code, window); });
  });
}

/// Adds how many rows of a window never matched.
void Side::addUnmatched(HandlerBuilder &code, Value window, Value sum) {
  walk(code, rows.chain(), firstOf(code, inWindow, window),
       [&](Value, Value row) { code.when(isUnmatched(code, row), [&] { code.increment(sum); }); });
}

Value Side::countUnmatched(HandlerBuilder &code) {
  if (!matchedAt || isNothing())
    return Value();
  Value sum = code.variable("unmatched", window::ui64(op.getContext()));
  code.store(code.constant(window::ui64(op.getContext()), 0), sum);
  partitions.forEach(code, [&](Value window) { addUnmatched(code, window, sum); });
  return code.load(sum);
}

void Side::partitionGoes(HandlerBuilder &code, Value window) {
  if (matchedAt) {
    Value sum = code.variable("unmatched", window::ui64(op.getContext()));
    code.store(code.constant(window::ui64(op.getContext()), 0), sum);
    addUnmatched(code, window, sum);
    code.leftOut(stream::LeftOut::InPartitions, code.load(sum));
  }
  clear(code, window);
}

void Side::evictOldest(HandlerBuilder &code, Value window) {
  leave(code, window, firstOf(code, inWindow, window));
}

void Side::evictIf(HandlerBuilder &code, Value window, unsigned mark,
                   llvm::function_ref<Value(Value)> leaves) {
  code.follow(firstOf(code, inWindow, window), [&](Value link) {
    Value row = rows.at(code, link), next = rows.chain().next(code, row);
    code.when(leaves(code.load(code.fieldRef(row, tupleAt + 1 + mark))),
              [&] { leave(code, window, link); });
    return next;
  });
}

void Side::clear(HandlerBuilder &code, Value window) {
  code.follow(firstOf(code, inWindow, window), [&](Value link) {
    Value next = rows.chain().next(code, rows.at(code, link));
    drop(code, window, link);
    return next;
  });
}

//===--- time -------------------------------------------------------------------===//

Value Side::oldest(HandlerBuilder &code) {
  return arrived ? firstOf(code, *arrived, rows.portPlace(code))
                 : firstOf(code, inWindow, onlyWindow(code));
}

Value Side::timeLeft(HandlerBuilder &code, Value now) {
  Value left = code.variable("left", now.getType());
  code.store(code.constant(now.getType(), 0), left);
  Value link = oldest(code);
  code.when(code.compare(CompareKind::ne, link, code.constant(link.getType(), 0)), [&] {
    Value mark = code.load(code.fieldRef(rows.at(code, link), tupleAt + 1));
    code.store(code.sub(sizes.evict(code), code.sub(now, mark)), left);
  });
  return code.load(left);
}

void Side::expireOldest(HandlerBuilder &code) {
  if (!partition)
    return Eviction::evictOldest(code, onlyWindow(code));
  Value row = rows.at(code, oldest(code));
  Value key = code.copy(partition->in(code, row, tupleOf(code, row)));
  Value window = partitions.find(code, key);
  Eviction::evictOldest(code, window);
  code.when(isEmpty(code, window), [&] { partitions.drop(code, key); });
}
