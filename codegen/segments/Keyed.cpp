//===- Keyed.cpp - rows that key shards run -------------------------------===//
//
// A segment whose head keeps state by key has a second function that runs some of
// the rows of a batch: the runtime calls it for the rows of one key shard, with the
// shard's state in Ctx::state.
//
//===----------------------------------------------------------------------===//
#include "codegen/Layout.h"
#include "codegen/segments/LowerSegments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace sluice;

/// for (row = first; row < end; ++row) {
///   run(row)
///   forward what is full
/// }
void SegmentLowering::rowsByKey(OpInfo &op, unsigned port) {
  Location loc = op.op.getLoc();
  mlir::Type i64 = b.getI64Type();
  func::FuncOp f = function(op.symbol("keyed", port), {ptr, i64, i64}, loc, /*exported=*/true);
  SegmentFrame frame = beginSegment(op, f);
  frame.scratch = spl::ArenaCheckpointOp::create(b, loc);
  SmallVector<StrippedPort> stripped = info.strippedReached(op);
  flow.forLoop(f.getArgument(2), f.getArgument(3), [&](Value row) {
    runRow(op, port, frame, row, nullptr);
    forwardFull(stripped, frame.ctx, loc,
                [&](Value status) { flow.leaveUnless(flow.isZero(status), frame.failed, row); });
  });
  endOk(loc);
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
