//===- Expand.cpp - spl.utility::Beacon as a loop -------------------------===//
#include "ir/Kinds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/expand/OperatorExpansion.h"
#include "sluice/enums.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

/// A parameter as a value of `type`; null if it is not given.
static Value startValue(OperatorOp op, HandlerBuilder &code, StringRef name, mlir::Type type) {
  Region *param = op.param(name);
  return param ? code.cast(code.inlineBody(*param, {}).front(), type) : Value();
}

/// Sleeps for so many seconds; goes to `stop` when the program ends.
static void wait(HandlerBuilder &code, Value seconds, Block *stop) {
  if (!seconds)
    return;
  Value ending = WaitOp::create(code.ops(), code.loc(), code.ops().getI1Type(), seconds);
  Block *next = code.newBlock();
  code.branch(ending, stop, next);
  code.enter(next);
}

/// What the tuple of one iteration consists of. The only output function gives how many
/// tuples there were before.
static Value beaconTuple(OperatorOp op, HandlerBuilder &code, Value count) {
  Region *output = op.output(0);
  spl::TupleType type = op.outputTuple(0);
  if (!output)
    return spl::ConstOp::create(code.ops(), code.loc(), type, Attribute());
  SmallVector<Value> values = code.inlineBody(*output, {});
  Operation *handler = code.ops().getInsertionBlock()->getParentOp();
  handler->walk([&](spl::OutputFnOp fn) {
    OpBuilder builder(fn);
    Value value = builder.createOrFold<spl::CastOp>(fn.getLoc(), fn.getType(), count, StringAttr());
    for (Value &yielded : values)
      if (yielded == fn.getResult())
        yielded = value;
    fn.replaceAllUsesWith(value);
    fn.erase();
  });
  return code.tuple(type, values);
}

/// How many tuples a source makes before it asks again whether it should end:
/// the loop over them has no call of its own and may become vector code.
static constexpr int64_t kRowsBetweenQuestions = 64;

/// The smaller one.
static Value least(HandlerBuilder &code, Value a, Value b) {
  return arith::SelectOp::create(code.ops(), code.loc(), code.compare(spl::CompareKind::lt, a, b),
                                 a, b);
}

/// The count at which the inner loop stops: `step` further, or at the end.
static Value blockEnd(HandlerBuilder &code, Value count, Value iterations, Value step) {
  mlir::Type counter = count.getType();
  auto binary = [&](spl::BinaryKind kind, Value a, Value b) -> Value {
    return spl::BinaryOp::create(code.ops(), code.loc(), counter, kind, a, b);
  };
  if (iterations) {
    Value left = binary(spl::BinaryKind::sub, iterations, count);
    step = least(code, left, step);
  }
  return binary(spl::BinaryKind::add, count, step);
}

/// Asks for a checkpoint where `count` is a multiple of `trigger`. Returns how many tuples are
/// missing to the next multiple.
static Value askAtTrigger(HandlerBuilder &code, Value count, Value trigger) {
  mlir::Type counter = count.getType();
  Value over = spl::RemOp::create(code.ops(), code.loc(), count, trigger, StringAttr());
  Value zero = code.constant(counter, 0);
  Value isDue =
      arith::AndIOp::create(code.ops(), code.loc(), code.compare(spl::CompareKind::eq, over, zero),
                            code.compare(spl::CompareKind::ne, count, zero));
  Block *ask = code.newBlock(), *go = code.newBlock();
  code.branch(isDue, ask, go);
  code.enter(ask);
  SavePointOp::create(code.ops(), code.loc(), stream::SaveStep::Ask);
  code.branch(go);
  code.enter(go);
  return spl::BinaryOp::create(code.ops(), code.loc(), counter, spl::BinaryKind::sub, trigger,
                               over);
}

/// for (n = 0; n < iterations && !shutdown;)
///   for (end = min(n + room for at most 64, iterations); n != end; ++n) submit
/// and a window mark. With a period every tuple is a block of its own.
LogicalResult sluice::expandBeacon(OperatorOp op) {
  OpBuilder builder = OpBuilder::atBlockEnd(&op.getBody().front());
  auto process = OnProcessOp::create(builder, op.getLoc());
  HandlerBuilder code(op.getLoc(), process.getBody(), {});
  mlir::Type counter = IntegerType::get(op.getContext(), 64, IntegerType::Unsigned);

  Block *done = code.newBlock(), *head = code.newBlock(counter), *block = code.newBlock(),
        *inner = code.newBlock(counter), *body = code.newBlock();
  mlir::Type seconds = builder.getF64Type();
  Value iterations = startValue(op, code, "iterations", counter),
        period = startValue(op, code, "period", seconds), trigger;
  if (op.is(stream::RecoveryRole::Triggers))
    trigger = startValue(op, code, "triggerCount", counter);
  wait(code, startValue(op, code, "initDelay", seconds), done);
  code.branch(head, code.constant(counter, 0));

  code.enter(head);
  Value first = head->getArgument(0);
  bool paced = period != nullptr;
  Value wanted = code.constant(counter, paced ? 1 : kRowsBetweenQuestions);
  if (trigger)
    wanted = least(code, wanted, askAtTrigger(code, first, trigger));
  // Before it waits or ends: what is full goes on.
  Value room = RoomOp::create(code.ops(), code.loc(), counter, wanted);
  // Asked at the end, too: it says how many tuples there were.
  Value stop = IsShutdownOp::create(code.ops(), code.loc(), code.ops().getI1Type(), first);
  if (iterations) {
    Block *more = code.newBlock();
    code.branch(code.compare(spl::CompareKind::lt, first, iterations), more, done);
    code.enter(more);
  }
  code.branch(stop, done, block);

  code.enter(block);
  if (paced) {
    Block *pause = code.newBlock(), *go = code.newBlock();
    code.branch(code.compare(spl::CompareKind::eq, first, code.constant(counter, 0)), go, pause);
    code.enter(pause);
    wait(code, period, done);
    code.branch(go);
    code.enter(go);
  }
  Value end = blockEnd(code, first, iterations, room);
  code.branch(inner, first);

  code.enter(inner);
  Value count = inner->getArgument(0);
  Block *next = code.newBlock();
  code.branch(code.compare(spl::CompareKind::ne, count, end), body, next);
  code.enter(next);
  code.branch(head, count);

  code.enter(body);
  Value mark = spl::ArenaCheckpointOp::create(code.ops(), code.loc());
  code.submit(0, beaconTuple(op, code, count), /*inRoom=*/true);
  spl::ReleaseOp::create(code.ops(), code.loc(), mark);
  Value one = code.constant(counter, 1);
  code.branch(inner, Value(spl::BinaryOp::create(code.ops(), code.loc(), counter,
                                                 spl::BinaryKind::add, count, one)));

  code.enter(done);
  Value window = code.constant(spl::markerType(op.getContext()), int64_t(PunctuationKind::Window));
  SubmitPunctOp::create(code.ops(), code.loc(), 0, window);
  code.end();
  return success();
}
