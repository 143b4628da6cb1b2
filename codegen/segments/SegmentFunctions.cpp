//===- SegmentFunctions.cpp - the functions that run batches --------------===//
//
// A segment runs the rows and the punctuation of a batch in their order.
//
//===----------------------------------------------------------------------===//
#include "codegen/Aliasing.h"
#include "codegen/Layout.h"
#include "codegen/segments/Parts.h"
#include "ir/Kinds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace sluice;

static constexpr int32_t kSeldom[] = {1, 2000}; // few batches have punctuation

SegmentFrame SegmentFunctions::beginSegment(OpInfo &op, func::FuncOp f) {
  Location loc = op.op.getLoc();
  Block *entry = begin(f);
  Value ctx = entry->getArgument(0), batch = entry->getArgument(1);
  Block *failed = flow.exit(b.getI64Type(), loc,
                            [&](ValueRange values) { failAt(op, values.front(), ctx, loc); });
  return {ctx, batch, failed, /*scratch=*/Value(), /*block=*/Value()};
}

/// for (punct = 0, row = 0;; ++punct) {
///   stop = punct < punctCount ? puncts[punct].row : rows
///   run the rows from `row` to `stop`
///   if (punct == punctCount) break
///   run puncts[punct]
///   row = stop
/// }
void SegmentFunctions::segmentFunction(OpInfo &op, unsigned port) {
  Location loc = op.op.getLoc();
  SegmentFrame frame = beginSegment(op, function(op.symbol("seg", port), ptr, loc));
  Value rows = toI64(field(frame.batch, layout::batchRows, i32Type, loc));
  Value punctCount = toI64(field(frame.batch, layout::batchPunctCount, i32Type, loc));
  Value puncts = field(frame.batch, layout::batchPuncts, ptr, loc);
  frame.scratch = spl::ArenaCheckpointOp::create(b, loc);
  auto plan = selections.find(op.firstIn + port);
  if (plan != selections.end())
    frame.block = makeBlock(*plan->second, loc);
  Value zero = i64(loc, 0);
  flow.loop({zero, zero}, [&](ValueRange values, Block *end) -> SmallVector<Value> {
    Value punct = values[0], row = values[1];
    Value more = flow.isBelow(punct, punctCount);
    Value stop = flow.ifThenElse(
        more, [&] { return toI64(punctField(puncts, punct, layout::punctRow, i32Type, loc)); },
        [&] { return rows; }, kSeldom);
    if (frame.block)
      runSteps(op, *plan->second, frame, row, stop);
    else
      runRows(op, port, frame, row, stop);
    flow.leaveUnless(more, end, {}, kSeldom);
    Value next = arith::AddIOp::create(b, loc, punct, i64(loc, 1));
    runPunct(op, port, frame, puncts, punct, stop);
    return {next, stop};
  });
  forwardAll(op, frame.ctx, loc);
  endOk(loc);
}

/// The segment of an operator in C++ that takes whole batches.
void SegmentFunctions::batchFunction(OpInfo &op, unsigned port) {
  Location loc = op.op.getLoc();
  Block *entry = begin(function(op.symbol("seg", port), ptr, loc));
  Value ctx = entry->getArgument(0), batch = entry->getArgument(1);
  Value status = runtime(loc, "sl_native_batch", {ctx, i32(loc, op.native), i32(loc, port), batch});
  flow.ifThen(flow.isNotZero(status), [&] { flow.check(unwind(op, ctx, loc)); });
  forwardAll(op, ctx, loc);
  endOk(loc);
}

/// while (row < stop) {
///   end = row + as many rows as the batches of all ports have room for
///   do run(row); while (++row < end);
///   forward what is full
/// }
void SegmentFunctions::runStrips(OpInfo &op, const SegmentFrame &frame, Value row, Value stop,
                                 llvm::function_ref<void(Value, Value)> run,
                                 llvm::function_ref<Value(Value)> rowOf) {
  Location loc = op.op.getLoc();
  SmallVector<StrippedPort> stripped = info.strippedReached(op);
  flow.loop(row, [&](ValueRange values, Block *done) -> SmallVector<Value> {
    Value first = values.front();
    flow.leaveUnless(flow.isBelow(first, stop), done);
    Value left = arith::SubIOp::create(b, loc, stop, first);
    Value length = PortFunctions(c).stripLength(stripped, frame.ctx, left, loc);
    Value end = arith::AddIOp::create(b, loc, first, length);
    run(first, end);
    Value last = rowOf(arith::SubIOp::create(b, loc, end, i64(loc, 1)));
    PortFunctions(c).forwardFull(stripped, frame.ctx, loc, [&](Value status) {
      flow.leaveUnless(flow.isZero(status), frame.failed, last);
    });
    return {end};
  });
}

void SegmentFunctions::runRows(OpInfo &op, unsigned port, const SegmentFrame &frame, Value row,
                               Value stop) {
  std::vector<Lookahead> ahead = lookaheads(op.op, port);
  auto runOne = [&](Value r) { runRow(op, port, frame, r, nullptr); };
  auto run = [&](Value first, Value end) {
    if (ahead.empty())
      flow.doLoop(first, end, runOne);
    else
      runAhead(op, port, ahead, frame, first, end, runOne);
  };
  runStrips(op, frame, row, stop, run, [](Value r) { return r; });
}

void SegmentFunctions::runRow(OpInfo &op, unsigned port, const SegmentFrame &frame, Value row,
                              const InPlace *plan) {
  Location loc = op.op.getLoc();
  SmallVector<Value> leaves;
  std::optional<unsigned> producer = info.producer(op, port);
  for (auto [index, column] :
       llvm::enumerate(layout::batchLayout(op.op.inputTuple(port)).columns)) {
    auto get = spl::GetOp::create(b, loc, column.type, cell(frame.batch, column, row, loc));
    setMemory(get, memoryTag(b.getContext(), Memory::Columns, producer, index));
    leaves.push_back(get);
  }
  ArrayRef<Value> rest = leaves;
  Value tuple = tupleOf(op.op.inputTuple(port), rest, loc);
  SmallVector<Value> args{frame.ctx, tuple};
  if (plan)
    args.append({frame.batch, row});
  Value status = call(loc, op.symbol("tuple", port), args);
  if (allocation.tupleMayAllocate(op, port))
    spl::ReleaseOp::create(b, loc, frame.scratch);
  flow.leaveUnless(flow.isZero(status), frame.failed, row);
}

void SegmentFunctions::runPunct(OpInfo &op, unsigned port, const SegmentFrame &frame, Value puncts,
                                Value punct, Value row) {
  Location loc = op.op.getLoc();
  Value kind = punctField(puncts, punct, layout::punctKind, i32Type, loc);
  Value time = punctField(puncts, punct, layout::punctTime, b.getI64Type(), loc);
  Value status = call(loc, op.symbol("arrive", port), {frame.ctx, kind, time});
  spl::ReleaseOp::create(b, loc, frame.scratch);
  flow.leaveUnless(flow.isZero(status), frame.failed, row);
}

void SegmentFunctions::forwardAll(OpInfo &op, Value ctx, Location loc) {
  for (unsigned port : info.batchPortsReached(op)) {
    Value batch = batchOf(ctx, port, loc);
    Value rows = field(batch, layout::batchRows, i32Type, loc);
    Value puncts = field(batch, layout::batchPunctCount, i32Type, loc);
    Value any = arith::OrIOp::create(b, loc, rows, puncts);
    flow.ifThen(flow.isNotZero(any),
                [&] { flow.check(runtime(loc, "sl_forward", {ctx, i32(loc, port)})); });
  }
}

void SegmentFunctions::failAt(OpInfo &op, Value row, Value ctx, Location loc) {
  // Other consumers of this batch get the rows before the failing one.
  Value good = arith::TruncIOp::create(b, loc, i32Type, row);
  LLVM::StoreOp::create(b, loc, good, address(ctx, layout::ctxFailedRow, loc));
  flow.ret(unwind(op, ctx, loc));
}

Value SegmentFunctions::unwind(OpInfo &op, Value ctx, Location loc) {
  SmallVector<unsigned> ports = info.batchPortsReached(op);
  Value array =
      LLVM::AllocaOp::create(b, loc, ptr, i32Type, i32(loc, std::max<size_t>(1, ports.size())));
  for (auto [i, id] : llvm::enumerate(ports))
    LLVM::StoreOp::create(b, loc, i32(loc, id), address(array, i * 4, loc));
  return runtime(loc, "sl_unwind", {ctx, array, i32(loc, ports.size())});
}
