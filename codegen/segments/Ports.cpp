//===- Ports.cpp - output ports, batches, segment loops --------------===//
#include "codegen/Aliasing.h"
#include "codegen/Layout.h"
#include "codegen/segments/Lookahead.h"
#include "codegen/segments/LowerSegments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace sluice;

Value SegmentLowering::address(Value base, int64_t offset, Location loc) {
  return LLVM::GEPOp::create(b, loc, ptr, b.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(int32_t(offset))});
}

Value SegmentLowering::field(Value base, int64_t offset, mlir::Type type, Location loc) {
  return LLVM::LoadOp::create(b, loc, type, address(base, offset, loc));
}

Value SegmentLowering::batchOf(Value ctx, unsigned outPort, Location loc) {
  // Ctx::ports does not change while the program runs.
  Value ports =
      LLVM::LoadOp::create(b, loc, ptr, address(ctx, layout::ctxPorts, loc), /*alignment=*/0,
                           /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/true);
  Value batch = field(ports, int64_t(outPort) * layout::outPortSize, ptr, loc);
  setTag(batch.getDefiningOp(), memoryTag(b.getContext(), Memory::Ports));
  return batch;
}

Value SegmentLowering::header(Value batch, unsigned outPort, int64_t offset, Location loc) {
  Value value = field(batch, offset, i32Type, loc);
  setTag(value.getDefiningOp(), memoryTag(b.getContext(), Memory::Header, outPort));
  return value;
}

/// The address of a column's element at `row` (i64).
static Value element(OpBuilder &b, Location loc, Value batch, const layout::Column &column,
                     Value row) {
  auto ptr = LLVM::LLVMPointerType::get(b.getContext());
  Value base = LLVM::GEPOp::create(b, loc, ptr, b.getI8Type(), batch,
                                   ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(int32_t(column.offset))});
  Value size = arith::ConstantIntOp::create(b, loc, column.size, 64);
  Value byte = arith::MulIOp::create(b, loc, row, size);
  return LLVM::GEPOp::create(b, loc, ptr, b.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(byte)});
}

/// The leaf of a (nested) tuple value.
static Value leafOf(OpBuilder &b, Location loc, Value tuple, ArrayRef<unsigned> path) {
  for (unsigned index : path)
    tuple = b.createOrFold<spl::FieldOp>(loc, tuple, index);
  return tuple;
}

/// The tuple value from its leaves, consumed in order.
static Value tupleOf(OpBuilder &b, Location loc, mlir::Type type, ArrayRef<Value> &leaves) {
  auto tuple = dyn_cast<spl::TupleType>(type);
  if (!tuple) {
    Value leaf = leaves.front();
    leaves = leaves.drop_front();
    return leaf;
  }
  SmallVector<Value> values;
  for (mlir::Type t : tuple.getTypes())
    values.push_back(tupleOf(b, loc, t, leaves));
  return spl::MakeTupleOp::create(b, loc, tuple, values);
}

void SegmentLowering::append(OpInfo &op, unsigned port, Value ctx, Value tuple) {
  Location loc = op.op.getLoc();
  unsigned id = op.firstOut + port;
  Value batch = batchOf(ctx, id, loc);
  Value rows = header(batch, id, layout::batchRows, loc);
  Value row = arith::ExtUIOp::create(b, loc, b.getI64Type(), rows);
  for (auto [index, column] :
       llvm::enumerate(layout::batchLayout(op.op.outputTuple(port)).columns)) {
    Value slot = element(b, loc, batch, column, row);
    auto put = spl::PutOp::create(b, loc, leafOf(b, loc, tuple, column.path), slot);
    put->setAttr(kTagAttr, memoryTag(b.getContext(), Memory::Columns, id, index));
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
  ifThen(full, [&] { check(runtime(loc, "sl_forward", {ctx, i32(loc, id)})); });
}

/// The payload of views is in the batch already: they are numbers like others. What
/// does not change in a row that stays where it is is left alone.
void SegmentLowering::appendInPlace(const InPlace &plan, OpInfo &op, unsigned port, Value tuple,
                                    ValueRange at) {
  Location loc = op.op.getLoc();
  Value batch = at[0], row = at[1];
  if (!plan.everyRow)
    row = arith::ExtUIOp::create(b, loc, b.getI64Type(),
                                 header(batch, plan.out, layout::batchRows, loc));
  for (auto [index, column] :
       llvm::enumerate(layout::batchLayout(op.op.outputTuple(port)).columns)) {
    if (plan.everyRow && plan.origins[index] == int(index))
      continue;
    auto put = spl::PutOp::create(b, loc, leafOf(b, loc, tuple, column.path),
                                  element(b, loc, batch, column, row));
    put->setAttr(kTagAttr, memoryTag(b.getContext(), Memory::Columns, plan.producer, index));
  }
  Value next = arith::TruncIOp::create(b, loc, i32Type, row);
  next = arith::AddIOp::create(b, loc, next, i32(loc, 1),
                               arith::IntegerOverflowFlags::nuw | arith::IntegerOverflowFlags::nsw);
  auto store = LLVM::StoreOp::create(b, loc, next, address(batch, layout::batchRows, loc));
  setTag(store, memoryTag(b.getContext(), Memory::Header, plan.out));
}

void SegmentLowering::stripFunction(OpInfo &op, unsigned port) {
  Location loc = op.op.getLoc();
  const InPlace *plan = inPlaceThrough(op, port);
  SmallVector<mlir::Type> args{op.op.outputTuple(port)};
  if (plan)
    llvm::append_range(args, placeTypes(op));
  Block *entry = begin(function(op.symbol("strip", port), args, loc));
  Value ctx = entry->getArgument(0), tuple = entry->getArgument(1);
  ValueRange at = ValueRange(entry->getArguments()).drop_front(2);
  // Only a Final submitted by hand can close a port before its operator ends.
  if (mayClose(op, port))
    ifThen(isZero(runtime(loc, "sl_out_open", {ctx, i32(loc, op.firstOut + port)})),
           [&] { leave(i32(loc, 0)); });
  for (const Consumer &c : info.consumers(op, port))
    if (c.edge == stream::Edge::Call) {
      SmallVector<Value> values{ctx, tuple};
      if (plan && isInPlace(*c.op))
        llvm::append_range(values, at);
      check(call(loc, c.op->symbol("tuple", c.port), values));
    }
  if (plan && plan->out == op.firstOut + port)
    appendInPlace(*plan, op, port, tuple, at);
  else if (info.hasBatch(op, port))
    append(op, port, ctx, tuple);
  endOk(loc);
}

void SegmentLowering::outFunction(OpInfo &op, unsigned port) {
  Location loc = op.op.getLoc();
  Block *entry = begin(function(op.symbol("out", port), op.op.outputTuple(port), loc));
  Value ctx = entry->getArgument(0);
  check(call(loc, op.symbol("strip", port), {ctx, entry->getArgument(1)}));
  forwardFull(info.strippedReached(op, port), ctx, loc, [&](Value status) { check(status); });
  endOk(loc);
}

void SegmentLowering::forwardFull(ArrayRef<StrippedPort> ports, Value ctx, Location loc,
                                  llvm::function_ref<void(Value)> failed) {
  for (const StrippedPort &port : ports) {
    Value batch = batchOf(ctx, port.id, loc);
    Value rows = header(batch, port.id, layout::batchRows, loc),
          limit = header(batch, port.id, layout::batchLimit, loc);
    ifThen(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, rows, limit),
           [&] { failed(runtime(loc, "sl_forward", {ctx, i32(loc, port.id)})); });
  }
}

/// The arena of a batch may be full before its rows are, the timer may ask for
/// the batch: looked at every 64 rows, where there is payload, and at least one row
/// goes on.
Value SegmentLowering::stripLength(ArrayRef<StrippedPort> ports, Value ctx, Value rows,
                                   Location loc) {
  mlir::Type i64 = b.getI64Type();
  Value one = arith::ConstantIntOp::create(b, loc, 1, 64);
  Value length = rows;
  for (const StrippedPort &port : ports) {
    Value batch = batchOf(ctx, port.id, loc);
    Value have =
        arith::ExtUIOp::create(b, loc, i64, header(batch, port.id, layout::batchRows, loc));
    Value limit =
        arith::ExtUIOp::create(b, loc, i64, header(batch, port.id, layout::batchLimit, loc));
    Value room = arith::SubIOp::create(b, loc, limit, have);
    length = arith::MinSIOp::create(b, loc, length, room);
    if (port.hasPayload)
      length = arith::MinSIOp::create(b, loc, length, arith::ConstantIntOp::create(b, loc, 64, 64));
  }
  return arith::MaxSIOp::create(b, loc, length, one);
}

void SegmentLowering::outPunctFunction(OpInfo &op, unsigned port) {
  Location loc = op.op.getLoc();
  Block *entry = begin(function(op.symbol("outpunct", port), i32Type, loc));
  Value ctx = entry->getArgument(0), kind = entry->getArgument(1);
  for (const Consumer &c : info.consumers(op, port))
    if (c.edge == stream::Edge::Call)
      check(call(loc, c.op->symbol("mark", c.port), {ctx, kind}));
  if (info.hasBatch(op, port))
    check(runtime(loc, "sl_port_punct", {ctx, i32(loc, op.firstOut + port), kind}));
  endOk(loc);
}

/// What a native operator calls: a tuple struct in memory, and the temporaries
/// of its consumers released.
void SegmentLowering::emitFunctions(OpInfo &op, unsigned port) {
  Location loc = op.op.getLoc();
  Block *entry = begin(function(op.symbol("emit", port), ptr, loc, /*exported=*/true));
  Value ctx = entry->getArgument(0);
  Value tuple = spl::GetOp::create(b, loc, op.op.outputTuple(port), entry->getArgument(1));
  Value mark = spl::ArenaCheckpointOp::create(b, loc);
  Value status = call(loc, op.symbol("out", port), {ctx, tuple});
  spl::ReleaseOp::create(b, loc, mark);
  ret(status);

  entry = begin(function(op.symbol("emitpunct", port), i32Type, loc, /*exported=*/true));
  ctx = entry->getArgument(0);
  Value kind = entry->getArgument(1);
  Value isFinal = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, kind, i32(loc, 0));
  ifThen(isFinal, [&] {
    Value first = runtime(loc, "sl_out_close", {ctx, i32(loc, op.firstOut + port)});
    ifThen(isZero(first), [&] { leave(i32(loc, 0)); });
  });
  ret(call(loc, op.symbol("outpunct", port), {ctx, kind}));
}

void SegmentLowering::forwardAll(OpInfo &op, Value ctx, Location loc) {
  for (unsigned port : info.batchPortsReached(op)) {
    Value batch = batchOf(ctx, port, loc);
    Value rows = field(batch, layout::batchRows, i32Type, loc);
    Value marks = field(batch, layout::batchPunctCount, i32Type, loc);
    Value any = arith::OrIOp::create(b, loc, rows, marks);
    Value some = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, any, i32(loc, 0));
    ifThen(some, [&] { check(runtime(loc, "sl_forward", {ctx, i32(loc, port)})); });
  }
}

/// Asks for the entries of the keys of later rows, if there are so many.
void SegmentLowering::lookAhead(OpInfo &op, unsigned port, Value ctx, Value batch, Value row,
                                Value rows) {
  Location loc = op.op.getLoc();
  auto columns = layout::batchLayout(op.op.inputTuple(port)).columns;
  for (const KeyedLookup &lookup : keyedLookups(op.op, port))
    for (auto [ahead, helper] :
         {std::pair(kIndexAhead, "sl_ahead_index"), std::pair(kEntryAhead, "sl_ahead_entry")}) {
      Value later =
          arith::AddIOp::create(b, loc, row, arith::ConstantIntOp::create(b, loc, ahead, 64));
      ifThen(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, later, rows), [&] {
        Value table =
            address(field(ctx, layout::ctxState, ptr, loc), op.stateOffsets[lookup.state], loc);
        Value desc = spl::TypeDescOp::create(b, loc, ptr, lookup.table);
        runtime(loc, helper, {desc, table, element(b, loc, batch, columns[lookup.column], later)});
      });
    }
}

Value SegmentLowering::runRow(OpInfo &op, unsigned port, Value ctx, Value batch, Value row,
                              const InPlace *plan) {
  Location loc = op.op.getLoc();
  SmallVector<Value> leaves;
  std::optional<unsigned> producer = info.producer(op, port);
  for (auto [index, column] :
       llvm::enumerate(layout::batchLayout(op.op.inputTuple(port)).columns)) {
    auto get = spl::GetOp::create(b, loc, column.type, element(b, loc, batch, column, row));
    get->setAttr(kTagAttr, memoryTag(b.getContext(), Memory::Columns, producer, index));
    leaves.push_back(get);
  }
  ArrayRef<Value> rest = leaves;
  Value tuple = tupleOf(b, loc, op.op.inputTuple(port), rest);
  SmallVector<Value> args{ctx, tuple};
  if (plan)
    args.append({batch, row});
  return call(loc, op.symbol("tuple", port), args);
}

static constexpr int32_t kSeldom[] = {1, 2000}, kMostly[] = {2000, 1}; // few batches have marks

/// Rows and marks in their order:
///   for (mark = 0, row = 0;; ) {
///     for (stop = mark < marks ? at[mark] : rows; row < stop; row = end)
///       for (end = row + as many as the batches reached have room for; row < end; ++row)
///         tuple(row)
///       forward what is full
///     if (mark == marks) break
///     mark(kind[mark++])
///   }
void SegmentLowering::segmentFunction(OpInfo &op, unsigned port) {
  Location loc = op.op.getLoc();
  func::FuncOp f = function(op.symbol("seg", port), ptr, loc, /*exported=*/true);
  Block *entry = begin(f);
  Value ctx = entry->getArgument(0), batch = entry->getArgument(1);
  mlir::Type i64 = b.getI64Type();
  auto widen = [&](Value v) -> Value { return arith::ExtUIOp::create(b, loc, i64, v); };
  Value rows = widen(field(batch, layout::batchRows, i32Type, loc));
  Value marks = widen(field(batch, layout::batchPunctCount, i32Type, loc));
  Value list = field(batch, layout::batchPuncts, ptr, loc);
  Value zero = arith::ConstantIntOp::create(b, loc, 0, 64),
        one = arith::ConstantIntOp::create(b, loc, 1, 64);
  Value scratch = spl::ArenaCheckpointOp::create(b, loc);

  Region *region = &f.getBody();
  auto block = [&](std::initializer_list<mlir::Type> args) {
    OpBuilder::InsertionGuard guard(b);
    return b.createBlock(region, region->end(), args, SmallVector<Location>(args.size(), loc));
  };
  Block *outer = block({i64, i64}); // mark, row
  Block *atMark = block({i64}), *loop = block({i64}), *body = block({i64}), *after = block({}),
        *marker = block({}), *failed = block({i64}), *done = block({}); // failed: at this row
  cf::BranchOp::create(b, loc, outer, ValueRange{zero, zero});

  b.setInsertionPointToStart(outer);
  Value mark = outer->getArgument(0), row = outer->getArgument(1);
  Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, mark, marks);
  cf::CondBranchOp::create(b, loc, more, marker, ValueRange{}, atMark, ValueRange{rows})
      .setBranchWeights(kSeldom);
  b.setInsertionPointToStart(marker);
  Value bytes = arith::MulIOp::create(b, loc, mark,
                                      arith::ConstantIntOp::create(b, loc, layout::punctSize, 64));
  Value entryOfMark = LLVM::GEPOp::create(b, loc, ptr, b.getI8Type(), list,
                                          ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(bytes)});
  Value at = widen(field(entryOfMark, 0, i32Type, loc));
  cf::BranchOp::create(b, loc, atMark, ValueRange{at});

  b.setInsertionPointToStart(atMark);
  Value stop = atMark->getArgument(0);
  cf::BranchOp::create(b, loc, loop, ValueRange{row});
  auto stripped = info.strippedReached(op);
  b.setInsertionPointToStart(loop);
  Value first = loop->getArgument(0);
  Value inRow = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, first, stop);
  Block *strip = block({}), *flush = block({});
  cf::CondBranchOp::create(b, loc, inRow, strip, after);
  b.setInsertionPointToStart(strip);
  Value length = stripLength(stripped, ctx, arith::SubIOp::create(b, loc, stop, first), loc);
  Value end = arith::AddIOp::create(b, loc, first, length);
  cf::BranchOp::create(b, loc, body, ValueRange{first});

  b.setInsertionPointToStart(body);
  Value r = body->getArgument(0);
  lookAhead(op, port, ctx, batch, r, rows);
  Value status = runRow(op, port, ctx, batch, r, nullptr);
  if (allocation.tupleMayAllocate(op, port))
    spl::ReleaseOp::create(b, loc, scratch);
  Value next = arith::AddIOp::create(b, loc, r, one);
  Block *advance = block({});
  cf::CondBranchOp::create(b, loc, isZero(status), advance, ValueRange{}, failed, ValueRange{r});
  b.setInsertionPointToStart(advance);
  Value another = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, next, end);
  cf::CondBranchOp::create(b, loc, another, body, ValueRange{next}, flush, ValueRange{});

  b.setInsertionPointToStart(flush);
  Value lastRow = arith::SubIOp::create(b, loc, end, one);
  forwardFull(stripped, ctx, loc, [&](Value s) {
    Block *here = b.getInsertionBlock();
    Block *rest = here->splitBlock(b.getInsertionPoint());
    b.setInsertionPointToEnd(here);
    cf::CondBranchOp::create(b, loc, isZero(s), rest, ValueRange{}, failed, ValueRange{lastRow});
    b.setInsertionPointToStart(rest);
  });
  cf::BranchOp::create(b, loc, loop, ValueRange{end});

  b.setInsertionPointToStart(after);
  Value kind; // the mark at this position, if the loop did not run to the end
  Block *deliver = block({});
  Value atEnd = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, mark, marks);
  cf::CondBranchOp::create(b, loc, atEnd, done, deliver).setBranchWeights(kMostly);
  b.setInsertionPointToStart(deliver);
  Value again = arith::MulIOp::create(b, loc, mark,
                                      arith::ConstantIntOp::create(b, loc, layout::punctSize, 64));
  Value here = LLVM::GEPOp::create(b, loc, ptr, b.getI8Type(), list,
                                   ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(again)});
  kind = field(here, 4, i32Type, loc);
  Value markStatus = call(loc, op.symbol("mark", port), {ctx, kind});
  spl::ReleaseOp::create(b, loc, scratch);
  Value nextMark = arith::AddIOp::create(b, loc, mark, one);
  cf::CondBranchOp::create(b, loc, isZero(markStatus), outer, ValueRange{nextMark, stop}, failed,
                           ValueRange{stop});

  b.setInsertionPointToStart(done);
  forwardAll(op, ctx, loc);
  endOk(loc);

  b.setInsertionPointToStart(failed);
  failAt(op, failed->getArgument(0), ctx, loc);
}

void SegmentLowering::failAt(OpInfo &op, Value row, Value ctx, Location loc) {
  // Other consumers of this batch get the rows before the failing one.
  Value good = arith::TruncIOp::create(b, loc, i32Type, row);
  LLVM::StoreOp::create(b, loc, good, address(ctx, layout::ctxFailedRow, loc));
  ret(unwind(op, ctx, loc));
}

Value SegmentLowering::unwind(OpInfo &op, Value ctx, Location loc) {
  SmallVector<unsigned> ports = info.batchPortsReached(op);
  Value array =
      LLVM::AllocaOp::create(b, loc, ptr, i32Type, i32(loc, std::max<size_t>(1, ports.size())));
  for (auto [i, id] : llvm::enumerate(ports))
    LLVM::StoreOp::create(b, loc, i32(loc, id), address(array, i * 4, loc));
  return runtime(loc, "sl_unwind", {ctx, array, i32(loc, ports.size())});
}
