//===- Keyed.cpp - rows that key shards run -------------------------------===//
//
// A segment whose head keeps state by key has a second function that runs some of
// the rows of a batch: the runtime calls it for the rows of one key shard, with the
// shard's state in Ctx::state.
//
//===----------------------------------------------------------------------===//
#include "codegen/Aliasing.h"
#include "codegen/Layout.h"
#include "codegen/segments/Parts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace sluice;

/// Of a number in `made` (KeyedRowsFn).
static constexpr int64_t kMadeBytes = 2;

void SegmentFunctions::noteMade(ArrayRef<unsigned> ports, const SegmentFrame &frame, Value at,
                                Location loc) {
  for (auto [index, port] : llvm::enumerate(ports)) {
    Value batch = batchOf(frame.ctx, port, loc);
    Value rows = header(batch, port, layout::batchRows, loc);
    Value puncts = header(batch, port, layout::batchPunctCount, loc);
    Value all = arith::AddIOp::create(b, loc, rows, puncts);
    auto store = LLVM::StoreOp::create(b, loc, arith::TruncIOp::create(b, loc, b.getI16Type(), all),
                                       address(at, kMadeBytes * index, loc));
    setTag(store, memoryTag(b.getContext(), Memory::Made));
  }
}

/// for (row = first; row < end; ++row) {
///   run(row)
///   made[row - first][port] = rows and punctuation in its batch, for each port
///   forward what is full
/// }
void SegmentFunctions::rowsByKey(OpInfo &op, unsigned port) {
  Location loc = op.op.getLoc();
  mlir::Type i64 = b.getI64Type();
  func::FuncOp f = function(op.symbol("keyed", port), {ptr, i64, i64, ptr}, loc);
  SegmentFrame frame = beginSegment(op, f);
  frame.scratch = spl::ArenaCheckpointOp::create(b, loc);
  SmallVector<StrippedPort> stripped = info.strippedReached(op);
  SmallVector<unsigned> ports = info.batchPortsReached(op);
  llvm::sort(ports);
  Value first = f.getArgument(2), made = f.getArgument(4);
  forRows(op, port, frame, first, f.getArgument(3), [&](Value row) {
    runRow(op, port, frame, row, nullptr);
    Value number = arith::SubIOp::create(b, loc, row, first);
    noteMade(ports, frame, element(made, kMadeBytes * ports.size(), number, loc), loc);
    PortFunctions(c).forwardFull(stripped, frame.ctx, loc, [&](Value status) {
      flow.leaveUnless(flow.isZero(status), frame.failed, row);
    });
  });
  endOk(loc);
}
