//===- StepCode.cpp - runs a block of rows in steps -----------------------===//
#include "codegen/selections/StepCode.h"
#include "codegen/Aliasing.h"
#include "codegen/vectorise/VectoriseRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace sluice;

//===--- selections -----------------------------------------------------------===//

/// for (exit : exits)
///   for (row : its selection) mark row
/// for (word = 0, count = 0; word < words; ++word)
///   for (marks of the word, taken away) list[count++] = row
void StepCode::mergeSome(const Step &step, ArrayRef<Selected> from) {
  Value zero = i64(loc, 0), one = i64(loc, 1);
  for (const Selected &selected : from)
    flow.forLoop(zero, selected.count, [&](Value at) { mark(rowOf(selected, at)); });
  Value words = arith::ShRUIOp::create(b, loc, arith::AddIOp::create(b, loc, rows, i64(loc, 63)),
                                       i64(loc, 6));
  flow.loop({zero, zero}, [&](ValueRange values, Block *end) -> SmallVector<Value> {
    Value word = values[0], found;
    flow.leaveUnless(flow.isBelow(word, words), end);
    Value first = arith::MulIOp::create(b, loc, word, i64(loc, 64));
    flow.loop({takeMarks(word), values[1]}, [&](ValueRange values, Block *end) {
      Value marks = values[0], count = found = values[1];
      flow.leaveUnless(flow.isNotZero(marks), end);
      Value bit = LLVM::CountTrailingZerosOp::create(b, loc, marks, /*is_zero_poison=*/true);
      setRow(step.list, count, arith::AddIOp::create(b, loc, first, bit));
      Value others =
          arith::AndIOp::create(b, loc, marks, arith::SubIOp::create(b, loc, marks, one));
      return SmallVector<Value>{others, arith::AddIOp::create(b, loc, count, one)};
    });
    return {arith::AddIOp::create(b, loc, word, one), found};
  });
}

/// Where all rows of the block come together, no more has to be known.
StepCode::Selected StepCode::merge(const Step &step) {
  SmallVector<Selected> from;
  Value all = i64(loc, 0);
  for (unsigned number : step.exits) {
    const Exit &exit = plan.exits[number];
    from.push_back(exit.always ? chosen[exit.from] : Selected{exit.list, count(exit.list)});
    all = arith::AddIOp::create(b, loc, all, from.back().count);
  }
  Value isWhole = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, all, rows);
  Value merged = flow.ifThenElse(
      isWhole,
      [&] {
        flow.forLoop(i64(loc, 0), rows, [&](Value row) { setRow(step.list, row, row); });
        return all;
      },
      [&] {
        mergeSome(step, from);
        return all;
      });
  return {step.list, merged};
}

StepCode::Selected StepCode::selectAll(unsigned number) {
  const Step &step = plan.steps[number];
  if (step.exits.empty())
    return {std::nullopt, rows};
  if (step.exits.size() > 1)
    return merge(step);
  const Exit &exit = plan.exits[step.exits[0]];
  return exit.always ? chosen[exit.from] : Selected{exit.list, count(exit.list)};
}

/// Those rows before the first one that has failed.
StepCode::Selected StepCode::clip(const Selected &selected) {
  Value limit = counter(Selections::kLimit), found;
  if (!selected.list)
    return {std::nullopt, arith::MinUIOp::create(b, loc, selected.count, limit)};
  flow.loop(selected.count, [&](ValueRange values, Block *end) {
    Value count = found = values.front();
    flow.leaveUnless(flow.isNotZero(count), end);
    Value last = arith::SubIOp::create(b, loc, count, i64(loc, 1));
    Value isBehind =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, row(*selected.list, last), limit);
    flow.leaveUnless(isBehind, end);
    return SmallVector<Value>{last};
  });
  return {selected.list, found};
}

StepCode::Selected StepCode::select(unsigned number) {
  Selected selected = selectAll(number);
  return chosen[number] = plan.mayFail ? clip(selected) : selected;
}

mlir::Value StepCode::rowOf(const Selected &selected, Value at) {
  return selected.list ? row(*selected.list, at) : at;
}

mlir::Value StepCode::batchRow(Value row) { return arith::AddIOp::create(b, loc, first, row); }

//===--- rows -----------------------------------------------------------------===//

/// A column of what comes to a step, at a row.
mlir::Value StepCode::column(const Step &step, unsigned index, Value row) {
  const layout::Column &column = layout::batchLayout(step.tuple()).columns[index];
  int from = step.columns[index];
  if (from == Step::kArray)
    return get(Array::Column, index, row, column.type);
  OpInfo &head = *plan.steps[0].entry;
  const layout::Column &in = layout::batchLayout(head.op.inputTuple(0)).columns[from];
  auto get = spl::GetOp::create(b, loc, in.type, cell(frame.batch, in, batchRow(row), loc));
  setMemory(get, memoryTag(b.getContext(), Memory::Columns, info.producer(head, 0), from));
  return get;
}

mlir::Value StepCode::call(const Step &step, Value at, Value row, ValueRange place) {
  SmallVector<Value> leaves;
  for (auto [index, column] : llvm::enumerate(layout::batchLayout(step.tuple()).columns))
    leaves.push_back(step.sideBySide && step.reads.test(index)
                         ? get(Array::Dense, index, at, column.type)
                         : this->column(step, index, row));
  ArrayRef<Value> rest = leaves;
  SmallVector<Value> args{frame.ctx, tupleOf(step.tuple(), rest, loc)};
  llvm::append_range(args, place);
  std::string name =
      step.forwards ? step.entry->symbol("strip", *step.forwards) : step.entry->symbol("tuple", 0);
  return SegmentCode::call(loc, name, args);
}

void StepCode::run(const Step &step, Value at, Value row, ValueRange place) {
  Value status = call(step, at, row, place);
  flow.leaveUnless(flow.isZero(status), frame.failed, batchRow(row));
}

/// for (at = 0; at < count; ++at)
///   if (status = run(list[at])) {
///     note the row and the site, which is -status
///     break
///   }
void StepCode::runUntilFailure(const Step &step, const Selected &selected) {
  flow.loop(i64(loc, 0), [&](ValueRange values, Block *end) {
    Value at = values.front();
    flow.leaveUnless(flow.isBelow(at, selected.count), end);
    Value row = rowOf(selected, at);
    Value status = call(step, at, row, {block, row});
    flow.ifThen(flow.isNotZero(status), [&] {
      setCounter(Selections::kLimit, row);
      setCounter(Selections::kStatus, toI64(arith::SubIOp::create(b, loc, i32(loc, 0), status)));
    });
    flow.leaveUnless(flow.isZero(status), end);
    return SmallVector<Value>{arith::AddIOp::create(b, loc, at, i64(loc, 1))};
  });
}

void StepCode::leaveIfFailed() {
  Value status = counter(Selections::kStatus);
  flow.ifThen(flow.isNotZero(status), [&] {
    auto narrow = [&](Value v) { return arith::TruncIOp::create(b, loc, i32Type, v); };
    runtime(loc, "sl_fail", {frame.ctx, narrow(counter(Selections::kFailed)), narrow(status)});
  });
  flow.leaveUnless(flow.isZero(status), frame.failed, batchRow(counter(Selections::kLimit)));
}

/// for (at = 0; at < count; ++at) dense[at] = column[list[at]]
/// for (at = 0; at < count; ++at) dense[at] = run(dense[at])
/// for (at = 0; at < count; ++at) column[list[at]] = dense[at]
void StepCode::runSideBySide(const Step &step, const Selected &selected) {
  Value zero = i64(loc, 0);
  if (step.reads.any())
    flow.forLoop(zero, selected.count, [&](Value at) {
      Value row = rowOf(selected, at);
      for (unsigned index : step.reads.set_bits())
        put(Array::Dense, index, at, column(step, index, row));
    });
  flow.forLoop(zero, selected.count,
               [&](Value at) { run(step, at, rowOf(selected, at), {block, at}); });
  const Exit &exit =
      *llvm::find_if(plan.exits, [&](const Exit &each) { return &plan.steps[each.from] == &step; });
  auto columns = layout::batchLayout(plan.steps[exit.to].tuple()).columns;
  if (exit.stores.any())
    flow.forLoop(zero, selected.count, [&](Value at) {
      Value row = rowOf(selected, at);
      for (unsigned index : exit.stores.set_bits())
        put(Array::Column, index, row, get(Array::Dense, index, at, columns[index].type));
    });
}

void StepCode::countTuples(unsigned step, const Selected &selected) {
  for (const Exit &exit : plan.exits)
    if (exit.from == step && info.countsTuples(*exit.op, exit.port))
      Handlers(c).countMade(*exit.op, exit.port, frame.ctx,
                            exit.always ? selected.count : count(exit.list), loc);
}

void StepCode::runEarly() {
  for (const Exit &exit : plan.exits)
    if (!exit.always)
      setCount(exit.list, i64(loc, 0));
  if (plan.mayFail) {
    setCounter(Selections::kLimit, rows);
    setCounter(Selections::kStatus, i64(loc, 0));
  }
  for (unsigned number = 0; number + 1 < plan.steps.size(); ++number) {
    const Step &step = plan.steps[number];
    Selected selected = select(number);
    if (step.sideBySide)
      runSideBySide(step, selected);
    else if (step.mayFail)
      runUntilFailure(step, selected);
    else
      flow.forLoop(i64(loc, 0), selected.count, [&](Value at) {
        Value row = rowOf(selected, at);
        run(step, at, row, {block, row});
      });
    countTuples(number, selected);
  }
}

mlir::Value StepCode::selectLast() { return select(plan.steps.size() - 1).count; }

mlir::Value StepCode::lastRow(Value at) { return batchRow(rowOf(chosen.back(), at)); }

void StepCode::runLast(Value at) { run(plan.steps.back(), at, rowOf(chosen.back(), at), {}); }

//===--- the segment ----------------------------------------------------------===//

/// No row is marked. Says how many rows the function needs to have enough of them at once.
mlir::Value SegmentFunctions::makeBlock(const Selections &plan, Location loc) {
  Value block = LLVM::AllocaOp::create(b, loc, ptr, b.getI8Type(), i64(loc, int64_t(plan.bytes())),
                                       /*alignment=*/64);
  Value marks = address(block, int64_t(plan.at(Selections::Array::Marks)), loc);
  LLVM::MemsetOp::create(b, loc, marks, arith::ConstantIntOp::create(b, loc, 0, 8),
                         i64(loc, plan.rows / 8), /*isVolatile=*/false);
  ArrayAttr ways = b.getStrArrayAttr({kWaysOfRows, std::to_string(plan.ways)});
  block.getParentRegion()->getParentOp()->setAttr("passthrough", b.getArrayAttr(ways));
  return block;
}

/// for (; row < stop; row += rows) {
///   rows = as many as a block has
///   run all steps but the last one
///   run the last one in strips
/// }
void SegmentFunctions::runSteps(OpInfo &op, const Selections &plan, const SegmentFrame &frame,
                                Value row, Value stop) {
  Location loc = op.op.getLoc();
  bool allocates = plan.mayAllocate || allocation.tupleMayAllocate(op, 0);
  flow.loop(row, [&](ValueRange values, Block *done) -> SmallVector<Value> {
    Value first = values.front();
    flow.leaveUnless(flow.isBelow(first, stop), done);
    Value rows = arith::MinUIOp::create(b, loc, arith::SubIOp::create(b, loc, stop, first),
                                        i64(loc, plan.rows));
    StepCode steps(c, plan, frame, first, rows, loc);
    steps.runEarly();
    // What the steps before leave in scratch memory is needed until the last one has run.
    Value scratch = allocates ? Value(spl::ArenaCheckpointOp::create(b, loc)) : Value();
    auto runOne = [&](Value at) {
      steps.runLast(at);
      if (allocates)
        spl::ReleaseOp::create(b, loc, scratch);
    };
    Value count = steps.selectLast();
    runStrips(
        op, frame, i64(loc, 0), count,
        [&](Value begin, Value end) { flow.doLoop(begin, end, runOne); },
        [&](Value at) { return steps.lastRow(at); });
    if (plan.mayFail)
      steps.leaveIfFailed();
    if (allocates)
      spl::ReleaseOp::create(b, loc, frame.scratch);
    return {arith::AddIOp::create(b, loc, first, rows)};
  });
}

//===--- leaving a step -------------------------------------------------------===//

const Exit *PortFunctions::exit(OpInfo &op, unsigned port) const {
  const Selections *plan = selectionsOf(op);
  return plan ? plan->exit(op, port) : nullptr;
}

/// What has changed is kept, and the row is selected for the next step.
void PortFunctions::leaveFunction(OpInfo &op, unsigned port) {
  Location loc = op.op.getLoc();
  const Exit &exit = *this->exit(op, port);
  const Selections &plan = *selectionsOf(op);
  Block *entry = begin(
      function(op.symbol("leave", port), {op.op.outputTuple(port), ptr, b.getI64Type()}, loc));
  Value tuple = entry->getArgument(1), at = entry->getArgument(3);
  BlockCode block(c, plan, entry->getArgument(2), loc);
  auto columns = layout::batchLayout(op.op.outputTuple(port)).columns;
  Selections::Array array =
      plan.steps[exit.from].sideBySide ? Selections::Array::Dense : Selections::Array::Column;
  for (unsigned index : exit.stores.set_bits()) {
    Value leaf = leafOf(tuple, columns[index].path, loc);
    if (exit.copies.test(index))
      leaf = spl::CopyOp::create(b, loc, leaf);
    block.put(array, index, at, leaf);
  }
  if (!exit.always) {
    Value count = block.count(exit.list);
    block.setRow(exit.list, count, at);
    block.setCount(exit.list, arith::AddIOp::create(b, loc, count, i64(loc, 1)));
  }
  endOk(loc);
}
