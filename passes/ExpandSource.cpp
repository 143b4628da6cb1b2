//===- ExpandSource.cpp - sources that are loops --------------------------===//
#include "passes/OperatorExpansion.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

/// Sleeps for parameter `name` seconds, if there is one; goes to `stop` when the
/// program ends.
static void wait(OperatorOp op, HandlerBuilder &code, StringRef name, Block *stop) {
  Region *param = op.param(name);
  if (!param)
    return;
  Value seconds = code.cast(code.inlineBody(*param, {}).front(), code.ops().getF64Type());
  Value ending = WaitOp::create(code.ops(), code.loc(), code.ops().getI1Type(), seconds);
  Block *next = code.newBlock();
  code.branch(ending, stop, next);
  code.enter(next);
}

/// What the tuple of one iteration consists of.
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

static LogicalResult checkBeacon(OperatorOp op) {
  if (failed(checkParams(op, {"iterations", "period", "initDelay"})))
    return failure();
  auto unknown = op.walk([&](spl::OutputFnOp fn) {
    if (fn.getName() == "IterationCount")
      return WalkResult::advance();
    fn.emitError("not supported yet: output function `") << fn.getName() << "` of operator `" << op.getKind() << "`";
    return WalkResult::interrupt();
  });
  return failure(unknown.wasInterrupted());
}

/// for (n = 0; n < iterations; ++n) submit, with a period between, and a window
/// mark at the end.
LogicalResult sluice::expandBeacon(OperatorOp op) {
  if (failed(checkBeacon(op)))
    return failure();
  OpBuilder builder = OpBuilder::atBlockEnd(&op.getBody().front());
  auto process = OnProcessOp::create(builder, op.getLoc());
  HandlerBuilder code(op.getLoc(), process.getBody(), {});
  mlir::Type counter = IntegerType::get(op.getContext(), 64, IntegerType::Unsigned);

  Block *done = code.newBlock(), *head = code.newBlock(counter), *body = code.newBlock();
  wait(op, code, "initDelay", done);
  Value iterations;
  if (Region *param = op.param("iterations"))
    iterations = code.cast(code.inlineBody(*param, {}).front(), counter);
  code.branch(head, code.constant(counter, 0));

  code.enter(head);
  Value count = head->getArgument(0);
  if (iterations) {
    Block *more = code.newBlock();
    code.branch(code.compare(spl::CompareKind::lt, count, iterations), more, done);
    code.enter(more);
  }
  code.branch(IsShutdownOp::create(code.ops(), code.loc(), code.ops().getI1Type()), done, body);

  code.enter(body);
  if (op.param("period")) {
    Block *pause = code.newBlock(), *go = code.newBlock();
    code.branch(code.compare(spl::CompareKind::eq, count, code.constant(counter, 0)), go, pause);
    code.enter(pause);
    wait(op, code, "period", done);
    code.branch(go);
    code.enter(go);
  }
  Value mark = spl::MarkOp::create(code.ops(), code.loc());
  code.submit(0, beaconTuple(op, code, count));
  spl::ReleaseOp::create(code.ops(), code.loc(), mark);
  Value one = code.constant(counter, 1);
  code.branch(head, Value(spl::BinaryOp::create(code.ops(), code.loc(), counter, spl::BinaryKind::add, count, one)));

  code.enter(done);
  Value window = code.constant(markerType(op.getContext()), int64_t(Marker::Window));
  SubmitMarkOp::create(code.ops(), code.loc(), 0, window);
  code.end();
  return success();
}
