//===- Ports.cpp - output ports and their batches -------------------------===//
#include "codegen/Aliasing.h"
#include "codegen/Layout.h"
#include "codegen/segments/Parts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace sluice;

void PortFunctions::append(OpInfo &op, unsigned port, Value ctx, Value tuple) {
  Location loc = op.op.getLoc();
  unsigned id = op.firstOut + port;
  Value batch = batchOf(ctx, id, loc);
  Value rows = header(batch, id, layout::batchRows, loc);
  Value row = toI64(rows);
  for (auto [index, column] :
       llvm::enumerate(layout::batchLayout(op.op.outputTuple(port)).columns)) {
    Value slot = cell(batch, column, row, loc);
    auto put = spl::PutOp::create(b, loc, leafOf(tuple, column.path, loc), slot);
    setMemory(put, memoryTag(b.getContext(), Memory::Columns, id, index));
    if (!layout::isPlain(column.type)) {
      Value desc = spl::TypeDescOp::create(b, loc, ptr, column.type);
      runtime(loc, "sl_batch_keep", {batch, desc, slot});
    }
  }
  // A batch has at most 1024 rows.
  Value next =
      arith::AddIOp::create(b, loc, rows, i32(loc, 1),
                            arith::IntegerOverflowFlags::nuw | arith::IntegerOverflowFlags::nsw);
  auto store = LLVM::StoreOp::create(b, loc, next, address(batch, layout::batchRows, loc));
  setTag(store, memoryTag(b.getContext(), Memory::Header, id));
  if (info.isStripped(op, port))
    return;
  Value full = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, next,
                                     header(batch, id, layout::batchLimit, loc));
  flow.ifThen(full, [&] { flow.check(runtime(loc, "sl_forward", {ctx, i32(loc, id)})); });
}

/// The payload of views is in the batch already: they are numbers like others. What
/// does not change in a row that stays where it is is left alone.
void PortFunctions::appendInPlace(const InPlace &plan, OpInfo &op, unsigned port, Value tuple,
                                  ValueRange at) {
  Location loc = op.op.getLoc();
  Value batch = at[0], row = at[1];
  if (!plan.everyRow)
    row = toI64(header(batch, plan.out, layout::batchRows, loc));
  for (auto [index, column] :
       llvm::enumerate(layout::batchLayout(op.op.outputTuple(port)).columns)) {
    if (plan.everyRow && plan.origins[index] == int(index))
      continue;
    auto put =
        spl::PutOp::create(b, loc, leafOf(tuple, column.path, loc), cell(batch, column, row, loc));
    setMemory(put, memoryTag(b.getContext(), Memory::Columns, plan.producer, index));
  }
  Value next = arith::TruncIOp::create(b, loc, i32Type, row);
  next = arith::AddIOp::create(b, loc, next, i32(loc, 1),
                               arith::IntegerOverflowFlags::nuw | arith::IntegerOverflowFlags::nsw);
  auto store = LLVM::StoreOp::create(b, loc, next, address(batch, layout::batchRows, loc));
  setTag(store, memoryTag(b.getContext(), Memory::Header, plan.out));
}

std::optional<Consumer> PortFunctions::onlyCalled(OpInfo &op, unsigned port) {
  SmallVector<Consumer> consumers = info.consumers(op, port);
  bool only = consumers.size() == 1 && consumers.front().edge == stream::Edge::Call;
  return only ? std::optional(consumers.front()) : std::nullopt;
}

std::string PortFunctions::strip(OpInfo &op, unsigned port) {
  if (exit(op, port))
    return op.symbol("leave", port);
  std::optional<Consumer> only = onlyCalled(op, port);
  return only && !inPlaceThrough(op, port) && !Handlers::mayClose(op, port)
             ? only->op->symbol("tuple", only->port)
             : op.symbol("strip", port);
}

std::string PortFunctions::outPunct(OpInfo &op, unsigned port) {
  std::optional<Consumer> only = onlyCalled(op, port);
  return only ? only->op->symbol("arrive", only->port) : op.symbol("outpunct", port);
}

void PortFunctions::stripFunction(OpInfo &op, unsigned port) {
  Location loc = op.op.getLoc();
  const InPlace *plan = inPlaceThrough(op, port);
  SmallVector<mlir::Type> args{op.op.outputTuple(port)};
  bool inStep = selectionsOf(op) && !exit(op, port);
  if (plan || inStep)
    llvm::append_range(args, placeTypes(op));
  Block *entry = begin(function(op.symbol("strip", port), args, loc));
  Value ctx = entry->getArgument(0), tuple = entry->getArgument(1);
  ValueRange at = ValueRange(entry->getArguments()).drop_front(2);
  // Only a Final that a handler submits closes a port before its operator ends.
  if (Handlers::mayClose(op, port))
    flow.returnIf(flow.isZero(runtime(loc, "sl_out_open", {ctx, i32(loc, op.firstOut + port)})),
                  [&] { return i32(loc, 0); });
  for (const Consumer &c : info.consumers(op, port))
    if (c.edge == stream::Edge::Call) {
      SmallVector<Value> values{ctx, tuple};
      if ((plan || inStep) && takesPlace(*c.op))
        llvm::append_range(values, at);
      flow.check(call(loc, c.op->symbol("tuple", c.port), values));
    }
  if (plan && plan->out == op.firstOut + port)
    appendInPlace(*plan, op, port, tuple, at);
  else if (info.hasBatch(op, port))
    append(op, port, ctx, tuple);
  endOk(loc);
}

void PortFunctions::outFunction(OpInfo &op, unsigned port) {
  Location loc = op.op.getLoc();
  Block *entry = begin(function(op.symbol("out", port), op.op.outputTuple(port), loc));
  Value ctx = entry->getArgument(0);
  flow.check(call(loc, strip(op, port), {ctx, entry->getArgument(1)}));
  forwardFull(info.strippedReached(op, port), ctx, loc, [&](Value status) { flow.check(status); });
  endOk(loc);
}

void PortFunctions::forwardFull(ArrayRef<StrippedPort> ports, Value ctx, Location loc,
                                llvm::function_ref<void(Value)> failed) {
  for (const StrippedPort &port : ports) {
    Value batch = batchOf(ctx, port.id, loc);
    Value rows = header(batch, port.id, layout::batchRows, loc),
          limit = header(batch, port.id, layout::batchLimit, loc);
    flow.ifThen(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, rows, limit),
                [&] { failed(runtime(loc, "sl_forward", {ctx, i32(loc, port.id)})); });
  }
}

/// The arena of a batch with payload may be full before its rows are: such a batch is looked at
/// after so many rows.
static constexpr int64_t kMostPayloadRows = 64;

/// At least one row: a batch without room is forwarded after it.
Value PortFunctions::stripLength(ArrayRef<StrippedPort> ports, Value ctx, Value rows,
                                 Location loc) {
  Value one = i64(loc, 1);
  Value length = rows;
  for (const StrippedPort &port : ports) {
    Value batch = batchOf(ctx, port.id, loc);
    Value have = toI64(header(batch, port.id, layout::batchRows, loc));
    Value limit = toI64(header(batch, port.id, layout::batchLimit, loc));
    Value room = arith::SubIOp::create(b, loc, limit, have);
    length = arith::MinSIOp::create(b, loc, length, room);
    if (port.hasPayload)
      length = arith::MinSIOp::create(b, loc, length, i64(loc, kMostPayloadRows));
  }
  return arith::MaxSIOp::create(b, loc, length, one);
}

void PortFunctions::outPunctFunction(OpInfo &op, unsigned port) {
  Location loc = op.op.getLoc();
  Block *entry = begin(function(op.symbol("outpunct", port), {i32Type, b.getI64Type()}, loc));
  Value ctx = entry->getArgument(0), kind = entry->getArgument(1), time = entry->getArgument(2);
  for (const Consumer &c : info.consumers(op, port))
    if (c.edge == stream::Edge::Call)
      flow.check(call(loc, c.op->symbol("arrive", c.port), {ctx, kind, time}));
  if (info.hasBatch(op, port))
    flow.check(runtime(loc, "sl_port_punct", {ctx, i32(loc, op.firstOut + port), kind, time}));
  endOk(loc);
}

/// What a native operator calls: a tuple struct in memory, and the temporaries
/// of its consumers released.
void PortFunctions::emitFunctions(OpInfo &op, unsigned port) {
  Location loc = op.op.getLoc();
  Block *entry = begin(function(op.symbol("emit", port), ptr, loc));
  Value ctx = entry->getArgument(0);
  Value tuple = spl::GetOp::create(b, loc, op.op.outputTuple(port), entry->getArgument(1));
  Value scratch = spl::ArenaCheckpointOp::create(b, loc);
  Value status = call(loc, op.symbol("out", port), {ctx, tuple});
  spl::ReleaseOp::create(b, loc, scratch);
  flow.ret(status);

  entry = begin(function(op.symbol("emitpunct", port), {i32Type, b.getI64Type()}, loc));
  ctx = entry->getArgument(0);
  Value kind = entry->getArgument(1), time = entry->getArgument(2);
  flow.ifThen(isFinal(kind, loc), [&] {
    Value first = runtime(loc, "sl_out_close", {ctx, i32(loc, op.firstOut + port)});
    flow.returnIf(flow.isZero(first), [&] { return i32(loc, 0); });
  });
  flow.ret(call(loc, outPunct(op, port), {ctx, kind, time}));
}
