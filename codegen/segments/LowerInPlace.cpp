//===- LowerInPlace.cpp - segments that forward their input batch ---------===//
//
// Their rows have a function of their own, without punctuation and without ids: the
// runtime calls it for nearly all batches, and those of many segments become one
// (mergeRows).
//
//===----------------------------------------------------------------------===//
#include "codegen/Aliasing.h"
#include "codegen/Layout.h"
#include "codegen/segments/LowerSegments.h"
#include "codegen/segments/Parts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace sluice;

void SegmentLowering::planMoves() {
  for (auto &op : info.operators()) {
    std::optional<InPlace> plan = planInPlace(info, *op, 0, costs);
    if (!plan)
      continue;
    auto &made = moves[op->firstIn] = std::make_unique<InPlace>(std::move(*plan));
    for (auto [through, port] : made->path)
      throughs[through->index] = {made.get(), port};
  }
}

void SegmentFunctions::setRows(const InPlace &plan, Value batch, Value rows, Location loc) {
  auto store = LLVM::StoreOp::create(b, loc, rows, address(batch, layout::batchRows, loc));
  setTag(store, memoryTag(b.getContext(), Memory::Header, plan.out));
}

/// for (row = first; row < end; ++row)
///   run(row)
void SegmentFunctions::rowsInPlace(OpInfo &op, unsigned port, const InPlace &plan) {
  Location loc = op.op.getLoc();
  mlir::Type i64 = b.getI64Type();
  func::FuncOp f = function(op.symbol("rows", port), {ptr, i64, i64}, loc);
  SegmentFrame frame = beginSegment(op, f);
  if (allocation.tupleMayAllocate(op, port))
    frame.scratch = spl::ArenaCheckpointOp::create(b, loc);
  Value first = f.getArgument(2), end = f.getArgument(3);
  forRows(op, port, frame, first, end, [&](Value row) { runRow(op, port, frame, row, &plan); });
  // Set here, so that vectors need not bring the number of the last row out of the loop.
  if (plan.everyRow)
    setRows(plan, frame.batch, arith::TruncIOp::create(b, loc, i32Type, end), loc);
  endOk(loc);
}

/// for (punct = 0, row = 0; punct < punctCount; ++punct) {
///   rows(row, puncts[punct].row)
///   row = puncts[punct].row
///   run puncts[punct]
/// }
/// rows(row, all)
void SegmentFunctions::segmentInPlace(OpInfo &op, unsigned port, const InPlace &plan) {
  Location loc = op.op.getLoc();
  SegmentFrame frame = beginSegment(op, function(op.symbol("seg", port), ptr, loc));
  Value rows = toI64(field(frame.batch, layout::batchRows, i32Type, loc));
  Value punctCount = toI64(field(frame.batch, layout::batchPunctCount, i32Type, loc));
  setRows(plan, frame.batch, i32(loc, 0), loc); // the segment fills the batch anew
  Value puncts = runtime(loc, "sl_take_puncts", {frame.batch});
  frame.scratch = spl::ArenaCheckpointOp::create(b, loc);
  std::string runRows = op.symbol("rows", port);
  Value zero = i64(loc, 0), lastFirst;
  flow.loop({zero, zero}, [&](ValueRange values, Block *end) -> SmallVector<Value> {
    Value punct = values[0], row = lastFirst = values[1];
    flow.leaveUnless(flow.isBelow(punct, punctCount), end);
    Value at = toI64(punctField(puncts, punct, layout::punctRow, i32Type, loc));
    Value next = arith::AddIOp::create(b, loc, punct, i64(loc, 1));
    flow.check(call(loc, runRows, {frame.ctx, frame.batch, row, at}));
    runPunct(op, port, frame, puncts, punct, at);
    return {next, at};
  });
  flow.ret(call(loc, runRows, {frame.ctx, frame.batch, lastFirst, rows}));
}
