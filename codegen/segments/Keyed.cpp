//===- Keyed.cpp - rows that lanes run by key ------------------------===//
//
// A segment whose head keeps state by key has a second function that runs some of the
// rows of a batch: the runtime calls it for the rows of one key and says with which
// state (Ctx::state).
//
//===----------------------------------------------------------------------===//
#include "codegen/Layout.h"
#include "codegen/segments/LowerSegments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace sluice;

/// for (row = first; row < end; ++row) {
///   tuple(row)
///   forward what is full
/// }
void SegmentLowering::rowsByKey(OpInfo &op, unsigned port) {
  Location loc = op.op.getLoc();
  mlir::Type i64 = b.getI64Type();
  func::FuncOp f = function(op.symbol("keyed", port), {ptr, i64, i64}, loc, /*exported=*/true);
  Block *entry = begin(f);
  Value ctx = entry->getArgument(0), batch = entry->getArgument(1), first = entry->getArgument(2),
        end = entry->getArgument(3);
  Value scratch = spl::ArenaCheckpointOp::create(b, loc);
  Region *region = &f.getBody();
  auto block = [&](bool hasRow) {
    OpBuilder::InsertionGuard guard(b);
    return hasRow ? b.createBlock(region, region->end(), i64, loc)
                  : b.createBlock(region, region->end());
  };
  Block *loop = block(true), *body = block(false), *advance = block(false), *done = block(false),
        *failed = block(false);
  cf::BranchOp::create(b, loc, loop, ValueRange{first});

  b.setInsertionPointToStart(loop);
  Value row = loop->getArgument(0);
  Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, row, end);
  cf::CondBranchOp::create(b, loc, more, body, done);
  auto failUnless = [&](Value status, Block *good) {
    cf::CondBranchOp::create(b, loc, isZero(status), good, failed);
  };
  b.setInsertionPointToStart(body);
  Value status = runRow(op, port, ctx, batch, row, nullptr);
  spl::ReleaseOp::create(b, loc, scratch);
  failUnless(status, advance);
  b.setInsertionPointToStart(advance);
  forwardFull(info.strippedReached(op), ctx, loc, [&](Value s) {
    Block *here = b.getInsertionBlock();
    Block *rest = here->splitBlock(b.getInsertionPoint());
    b.setInsertionPointToEnd(here);
    failUnless(s, rest);
    b.setInsertionPointToStart(rest);
  });
  Value next = arith::AddIOp::create(b, loc, row, arith::ConstantIntOp::create(b, loc, 1, 64));
  cf::BranchOp::create(b, loc, loop, ValueRange{next});

  b.setInsertionPointToStart(done);
  endOk(loc);
  b.setInsertionPointToStart(failed);
  failAt(op, row, ctx, loc);
}

/// The key's column, and the variables that are used at it: those that any handler
/// changes (AnalyzeState).
DictionaryAttr SegmentLowering::keyedTable(OpInfo &op) {
  if (op.op.sharing() != stream::Sharing::ByKey || moves.contains(op.firstIn))
    return b.getDictionaryAttr({});
  stream::StateAttr keyed = *op.op.getState();
  unsigned attribute = *op.op.inputTuple(0).indexOf(keyed.getKey());
  std::optional<int32_t> column;
  for (auto [index, each] : llvm::enumerate(layout::batchLayout(op.op.inputTuple(0)).columns))
    if (each.path.size() == 1 && each.path[0] == attribute)
      column = int32_t(index);
  if (!column)
    return b.getDictionaryAttr({});
  SmallVector<int64_t> offsets;
  SmallVector<Attribute> types;
  for (auto [state, offset] : llvm::zip(op.op.getBody().getOps<stream::StateOp>(), op.stateOffsets))
    if (llvm::is_contained(keyed.getVariables(), state.getNameAttr())) {
      offsets.push_back(offset);
      types.push_back(TypeAttr::get(state.getType()));
    }
  return b.getDictionaryAttr({b.getNamedAttr("column", b.getI32IntegerAttr(*column)),
                              b.getNamedAttr("offsets", b.getDenseI64ArrayAttr(offsets)),
                              b.getNamedAttr("types", b.getArrayAttr(types))});
}
