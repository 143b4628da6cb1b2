//===- TupleSets.cpp - one tuple of each input port -----------------------===//
#include "passes/expand/hold/TupleSets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::hold;
using spl::CompareKind;

static std::string partitionBy(unsigned port) { return "partitionBy" + std::to_string(port); }

/// An element of a queue.
static window::Record elementOf(stream::OperatorOp op, unsigned port) {
  window::Record element(op.getContext());
  element.add("tuple", op.inputTuple(port));
  return element;
}

TupleSets::TupleSets(stream::OperatorOp op, Submit submit)
    : op(op), submit(std::move(submit)), ports(op.inputPorts()), record(op.getContext()) {
  if (op.param(partitionBy(0)))
    key = keyType(*op.param(partitionBy(0)));
  for (unsigned port = 0; port < ports; ++port)
    rings.emplace_back(record, elementOf(op, port));
  mlir::Type one = record.type();
  queues.emplace(op, "queues", "the set of tuples that wait",
                 key ? spl::MapType::get(op.getContext(), key, one) : one);
  for (unsigned port = 0; port < ports; ++port)
    ended.emplace_back(op, "ended" + std::to_string(port), "the end of input " + Twine(port),
                       IntegerType::get(op.getContext(), 1));
  if (!op.param("bufferSize"))
    return;
  mlir::Type count = window::ui64(op.getContext());
  size.emplace(op, "bufferSize", count);
  for (unsigned port = 0; port < ports; ++port)
    full.emplace_back(op, "full" + std::to_string(port),
                      "the number of full queues of input " + Twine(port), count);
}

Value TupleSets::find(HandlerBuilder &code, Value keyOfTuple) {
  Value place = queues->place(code);
  if (!key)
    return place;
  mlir::Type one = spl::RefType::get(op.getContext(), record.type());
  return spl::MapSlotOp::create(code.ops(), code.loc(), one, place, keyOfTuple);
}

Value TupleSets::isEmpty(HandlerBuilder &code, unsigned port, Value at) {
  Value count = rings[port].count(code, at);
  return code.compare(CompareKind::eq, count, code.constant(count.getType(), 0));
}

/// Whether there will be no further set of these queues: a port, but not `except`, has ended and
/// its queue is empty.
Value TupleSets::isOver(HandlerBuilder &code, Value at, std::optional<unsigned> except) {
  Value over = code.constant(code.ops().getI1Type(), 0);
  for (unsigned port = 0; port < ports; ++port)
    if (port != except) {
      Value ends = code.load(ended[port].place(code));
      Value ending = arith::AndIOp::create(code.ops(), code.loc(), ends, isEmpty(code, port, at));
      over = arith::OrIOp::create(code.ops(), code.loc(), over, ending);
    }
  return over;
}

/// The queue of a port has become longer by one, or (`more` is -1) shorter: counts those that hold
/// more than they should.
void TupleSets::countFull(HandlerBuilder &code, unsigned port, Value at, int64_t more) {
  if (!size)
    return;
  Value length = rings[port].count(code, at), limit = size->in(code);
  if (more > 0)
    limit = code.add(limit, code.constant(limit.getType(), 1));
  code.when(code.compare(CompareKind::eq, length, limit),
            [&] { code.increment(full[port].place(code), more); });
}

/// With keys it is not known whether a port can be served any more once one has ended.
void TupleSets::updateHolds(HandlerBuilder &code) {
  if (!size)
    return;
  mlir::Type boolean = code.ops().getI1Type();
  Value over = code.constant(boolean, 0);
  if (!key)
    over = isOver(code, queues->place(code));
  else
    for (const AddedState &end : ended)
      over = arith::OrIOp::create(code.ops(), code.loc(), over, code.load(end.place(code)));
  Value open = code.compare(CompareKind::eq, over, code.constant(boolean, 0));
  for (unsigned port = 0; port < ports; ++port) {
    Value count = code.load(full[port].place(code));
    Value any = code.compare(CompareKind::ne, count, code.constant(count.getType(), 0));
    code.hold(port, arith::AndIOp::create(code.ops(), code.loc(), any, open));
  }
}

/// The tuple and the oldest of all other queues are a set. A key whose queues are empty is
/// forgotten.
void TupleSets::complete(HandlerBuilder &code, unsigned port, Value at, Value keyOfTuple) {
  SmallVector<Value> tuples;
  for (unsigned other = 0; other < ports; ++other)
    tuples.push_back(other == port ? code.argument(0)
                                   : code.load(code.fieldRef(rings[other].oldest(code, at), 0)));
  submit(code, tuples);
  Value allEmpty = code.constant(code.ops().getI1Type(), 1);
  for (unsigned other = 0; other < ports; ++other) {
    if (other == port)
      continue;
    rings[other].pop(code, at);
    countFull(code, other, at, -1);
    allEmpty = arith::AndIOp::create(code.ops(), code.loc(), allEmpty, isEmpty(code, other, at));
  }
  if (key)
    code.when(allEmpty, [&] { forget(code, keyOfTuple); });
}

void TupleSets::forget(HandlerBuilder &code, Value keyOfTuple) {
  spl::MapEraseOp::create(code.ops(), code.loc(), queues->place(code), keyOfTuple);
}

void TupleSets::keep(HandlerBuilder &code, unsigned port, Value at) {
  code.store(code.argument(0), code.fieldRef(rings[port].push(code, at), 0));
  countFull(code, port, at, 1);
}

void TupleSets::arrive(HandlerBuilder &code, unsigned port, Value keyOfTuple) {
  Value at = find(code, keyOfTuple);
  Value ready = code.constant(code.ops().getI1Type(), 1);
  for (unsigned other = 0; other < ports; ++other)
    if (other != port) {
      Value waits = code.compare(CompareKind::eq, isEmpty(code, other, at),
                                 code.constant(ready.getType(), 0));
      ready = arith::AndIOp::create(code.ops(), code.loc(), ready, waits);
    }
  // What waits for the same key is in no set either.
  auto drop = [&] {
    Value waiting = code.constant(window::ui64(op.getContext()), 1);
    if (key) {
      waiting = code.add(waiting, waitingAt(code, at));
      forget(code, keyOfTuple);
    }
    code.leftOut(stream::LeftOut::Waiting, waiting);
  };
  code.when(
      ready, [&] { complete(code, port, at, keyOfTuple); },
      [&] { code.when(isOver(code, at, port), drop, [&] { keep(code, port, at); }); });
  updateHolds(code);
}

void TupleSets::onTuple(unsigned port) {
  HandlerBuilder code = beginOnTuple(op, port);
  Value keyOfTuple = key ? paramValue(op, code, partitionBy(port)) : Value();
  whenKeyIsFound(
      code, keyOfTuple, [&] { arrive(code, port, keyOfTuple); },
      [&] { code.leftOut(stream::LeftOut::NoKey); });
  code.end();
}

/// How many tuples are in the queues of a key.
Value TupleSets::waitingAt(HandlerBuilder &code, Value at) {
  Value sum = code.constant(window::ui64(op.getContext()), 0);
  for (const window::Ring &ring : rings)
    sum = code.add(sum, ring.count(code, at));
  return sum;
}

void TupleSets::onEnd() {
  addOnEnd(op, [&](HandlerBuilder &code) {
    Value place = queues->place(code);
    if (!key)
      return code.leftOut(stream::LeftOut::Waiting, waitingAt(code, place));
    mlir::Type number = window::ui64(op.getContext());
    Value sum = code.variable("waiting", number);
    code.store(code.constant(number, 0), sum);
    code.forEach(code.sizeIn(place), [&](Value nth) {
      Value waiting = waitingAt(code, code.nthRef(place, nth));
      code.store(code.add(code.load(sum), waiting), sum);
    });
    code.leftOut(stream::LeftOut::Waiting, code.load(sum));
  });
}

void TupleSets::addHandlers() {
  onEnd();
  for (unsigned port = 0; port < ports; ++port) {
    onTuple(port);
    addOnPunct(op, op, port, /*forward=*/false, nullptr, [&](HandlerBuilder &code) {
      code.store(code.constant(code.ops().getI1Type(), 1), ended[port].place(code));
      updateHolds(code);
    });
  }
}
