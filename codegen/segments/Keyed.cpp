//===- Keyed.cpp - rows that key shards run -------------------------------===//
//
// A segment whose head keeps state by key has a second function that runs some of
// the rows of a batch: the runtime calls it for the rows of one key shard, with the
// shard's state in Ctx::state.
//
//===----------------------------------------------------------------------===//
#include "codegen/Layout.h"
#include "codegen/segments/Parts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace sluice;

/// for (row = first; row < end; ++row) {
///   run(row)
///   forward what is full
/// }
void SegmentFunctions::rowsByKey(OpInfo &op, unsigned port) {
  Location loc = op.op.getLoc();
  mlir::Type i64 = b.getI64Type();
  func::FuncOp f = function(op.symbol("keyed", port), {ptr, i64, i64}, loc);
  SegmentFrame frame = beginSegment(op, f);
  frame.scratch = spl::ArenaCheckpointOp::create(b, loc);
  SmallVector<StrippedPort> stripped = info.strippedReached(op);
  forRows(op, port, frame, f.getArgument(2), f.getArgument(3), [&](Value row) {
    runRow(op, port, frame, row, nullptr);
    PortFunctions(c).forwardFull(stripped, frame.ctx, loc, [&](Value status) {
      flow.leaveUnless(flow.isZero(status), frame.failed, row);
    });
  });
  endOk(loc);
}
