//===- LowerInPlace.cpp - segments that hand their input batch on ---------===//
//
// Their rows have a function of their own, without marks and without ids: the runtime
// calls it for nearly all batches, and those of many segments become one (mergeRows).
//
//===----------------------------------------------------------------------===//
#include "codegen/Aliasing.h"
#include "codegen/Layout.h"
#include "codegen/segments/LowerSegments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace sluice;

/// for (row = first; row < end; ++row)
///   tuple(row)
void SegmentLowering::rowsInPlace(OpInfo &op, unsigned port, const InPlace &plan) {
  Location loc = op.op.getLoc();
  mlir::Type i64 = b.getI64Type();
  func::FuncOp f = function(op.symbol("rows", port), {ptr, i64, i64}, loc, /*exported=*/true);
  Block *entry = begin(f);
  Value ctx = entry->getArgument(0), batch = entry->getArgument(1), first = entry->getArgument(2),
        end = entry->getArgument(3);
  bool allocates = allocation.tupleMayAllocate(op, port);
  Value scratch;
  if (allocates)
    scratch = spl::ArenaCheckpointOp::create(b, loc);
  Region *region = &f.getBody();
  auto block = [&](bool hasRow) {
    OpBuilder::InsertionGuard guard(b);
    return hasRow ? b.createBlock(region, region->end(), i64, loc)
                  : b.createBlock(region, region->end());
  };
  Block *body = block(true), *advance = block(false), *done = block(false), *failed = block(true);
  auto below = [&](Value row) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, row, end);
  };
  cf::CondBranchOp::create(b, loc, below(first), body, ValueRange{first}, done, ValueRange{});

  b.setInsertionPointToStart(body);
  Value row = body->getArgument(0);
  lookAhead(op, port, ctx, batch, row, end);
  Value status = runRow(op, port, ctx, batch, row, &plan);
  if (allocates)
    spl::ReleaseOp::create(b, loc, scratch);
  Value next = arith::AddIOp::create(b, loc, row, arith::ConstantIntOp::create(b, loc, 1, 64));
  cf::CondBranchOp::create(b, loc, isZero(status), advance, ValueRange{}, failed, ValueRange{row});
  b.setInsertionPointToStart(advance);
  cf::CondBranchOp::create(b, loc, below(next), body, ValueRange{next}, done, ValueRange{});

  b.setInsertionPointToStart(done);
  if (plan.everyRow) { // known here, so that vectors need not bring the number of the last row out
                       // of the loop
    Value rows = arith::TruncIOp::create(b, loc, i32Type, end);
    setTag(LLVM::StoreOp::create(b, loc, rows, address(batch, layout::batchRows, loc)),
           memoryTag(b.getContext(), Memory::Header, plan.out));
  }
  endOk(loc);
  b.setInsertionPointToStart(failed);
  failAt(op, failed->getArgument(0), ctx, loc);
}

/// Rows and marks in their order:
///   for (mark = 0, row = 0; mark < marks; ++mark) {
///     rows(row, at[mark])
///     row = at[mark]
///     mark(kind[mark])
///   }
///   rows(row, all)
void SegmentLowering::segmentInPlace(OpInfo &op, unsigned port, const InPlace &plan) {
  Location loc = op.op.getLoc();
  mlir::Type i64 = b.getI64Type();
  func::FuncOp f = function(op.symbol("seg", port), ptr, loc, /*exported=*/true);
  Block *entry = begin(f);
  Value ctx = entry->getArgument(0), batch = entry->getArgument(1);
  auto widen = [&](Value v) -> Value { return arith::ExtUIOp::create(b, loc, i64, v); };
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, value, 64);
  };
  Value rows = widen(field(batch, layout::batchRows, i32Type, loc));
  Value marks = widen(field(batch, layout::batchPunctCount, i32Type, loc));
  auto none = LLVM::StoreOp::create(b, loc, i32(loc, 0),
                                    address(batch, layout::batchRows, loc)); // filled anew
  setTag(none, memoryTag(b.getContext(), Memory::Header, plan.out));
  Value list = runtime(loc, "sl_take_puncts", {batch});
  Value scratch = spl::ArenaCheckpointOp::create(b, loc), zero = constant(0);
  std::string runRows = op.symbol("rows", port);

  Region *region = &f.getBody();
  SmallVector<Location> locs(2, loc);
  Block *loop = b.createBlock(region, region->end(), {i64, i64}, locs); // mark, row
  Block *atMark = b.createBlock(region, region->end()),
        *last = b.createBlock(region, region->end());
  Block *failed = b.createBlock(region, region->end());
  b.setInsertionPointToEnd(entry);
  cf::BranchOp::create(b, loc, loop, ValueRange{zero, zero});

  b.setInsertionPointToStart(loop);
  Value mark = loop->getArgument(0), row = loop->getArgument(1);
  Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, mark, marks);
  cf::CondBranchOp::create(b, loc, more, atMark, last);

  b.setInsertionPointToStart(atMark);
  Value bytes = arith::MulIOp::create(b, loc, mark, constant(layout::punctSize));
  Value here = LLVM::GEPOp::create(b, loc, ptr, b.getI8Type(), list,
                                   ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(bytes)});
  Value at = widen(field(here, 0, i32Type, loc)), kind = field(here, 4, i32Type, loc);
  check(call(loc, runRows, {ctx, batch, row, at}));
  Value status = call(loc, op.symbol("mark", port), {ctx, kind});
  spl::ReleaseOp::create(b, loc, scratch);
  Value next = arith::AddIOp::create(b, loc, mark, constant(1));
  cf::CondBranchOp::create(b, loc, isZero(status), loop, ValueRange{next, at}, failed,
                           ValueRange{});

  b.setInsertionPointToStart(last);
  ret(call(loc, runRows, {ctx, batch, row, rows}));

  b.setInsertionPointToStart(failed);
  failAt(op, at, ctx, loc);
}
