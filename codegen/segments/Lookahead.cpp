//===- Lookahead.cpp - look-ups by the block ------------------------------===//
#include "codegen/segments/Lookahead.h"
#include "codegen/Layout.h"
#include "codegen/segments/Parts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "sluice/abi.h"

using namespace mlir;
using namespace sluice;

/// The bytes from a value of the type to its part.
static uint64_t offsetOf(mlir::Type type, ArrayRef<unsigned> path) {
  uint64_t offset = 0;
  for (unsigned index : path) {
    offset += layout::fieldOffset(type, index);
    type = spl::partsOf(type)[index];
  }
  return offset;
}

static RingOffsets offsetsOf(const RingOfKey &ring, mlir::Type value) {
  return {offsetOf(value, ring.slots), offsetOf(value, ring.head), offsetOf(value, ring.count),
          layout::entryOf(ring.list).stride};
}

std::vector<Lookahead> sluice::lookaheads(stream::OperatorOp op, unsigned port) {
  std::vector<Lookahead> found;
  const auto &columns = layout::batchLayout(op.inputTuple(port)).columns;
  for (const KeyedLookup &lookup : keyedLookups(op, port)) {
    auto *column = llvm::find_if(columns, [&](const layout::Column &column) {
      return ArrayRef<unsigned>(column.path) == ArrayRef<unsigned>(lookup.key);
    });
    if (column == columns.end())
      continue; // a tuple of several columns
    bool guesses =
        op.sharing() != stream::Sharing::Any &&
        llvm::none_of(found, [&](const Lookahead &other) { return other.state == lookup.state; });
    Lookahead ahead{lookup.state, unsigned(column - columns.begin()), lookup.table, {}, guesses};
    for (const RingOfKey &ring : lookup.rings)
      ahead.rings.push_back(offsetsOf(ring, cast<spl::MapType>(lookup.table).getValue()));
    found.push_back(ahead);
  }
  return found;
}

/// Emits what is fetched for `count` rows from `first` on; returns the array of slots, each an i32.
Value SegmentFunctions::lookAhead(OpInfo &op, unsigned port, const Lookahead &ahead, Value table,
                                  const SegmentFrame &frame, Value first, Value count) {
  Location loc = op.op.getLoc();
  Value slots = LLVM::AllocaOp::create(b, loc, ptr, i32Type, i32(loc, kAheadRows), 16);
  Value desc = spl::TypeDescOp::create(b, loc, ptr, ahead.table);
  const auto &column = layout::batchLayout(op.op.inputTuple(port)).columns[ahead.column];
  runtime(loc, "sl_ahead", {desc, table, cell(frame.batch, column, first, loc), count, slots});
  for (const RingOffsets &ring : ahead.rings)
    runtime(loc, "sl_ahead_ring",
            {desc, table, slots, count, i32(loc, ring.slots), i32(loc, ring.head),
             i32(loc, ring.count), i32(loc, ring.stride)});
  return slots;
}

/// for (; first < end; first += count) {
///   count = min(end - first, kAheadRows)
///   look ahead
///   for each row of the block { say which slots to try first; body(row) }
/// }
void SegmentFunctions::runAhead(OpInfo &op, unsigned port, ArrayRef<Lookahead> all,
                                const SegmentFrame &frame, Value first, Value end,
                                llvm::function_ref<void(Value)> body) {
  Location loc = op.op.getLoc();
  flow.loop(first, [&](ValueRange values, Block *done) -> SmallVector<Value> {
    Value start = values.front();
    flow.leaveUnless(flow.isBelow(start, end), done);
    Value left = arith::SubIOp::create(b, loc, end, start);
    Value count = arith::MinUIOp::create(b, loc, left, i64(loc, kAheadRows));
    Value state = field(frame.ctx, layout::ctxState, ptr, loc);
    SmallVector<std::pair<Value, Value>> guesses; // a table and the slots of its rows
    for (const Lookahead &ahead : all) {
      Value table = address(state, op.stateOffsets[ahead.state], loc);
      Value slots = lookAhead(op, port, ahead, table, frame, start, count);
      if (ahead.guesses)
        guesses.emplace_back(table, slots);
    }
    Value next = arith::AddIOp::create(b, loc, start, count);
    flow.doLoop(start, next, [&](Value row) {
      Value index = arith::SubIOp::create(b, loc, row, start);
      for (auto [table, slots] : guesses) {
        Value slot = LLVM::LoadOp::create(b, loc, i32Type, element(slots, 4, index, loc));
        runtime(loc, "sl_try_first", {table, slot});
      }
      body(row);
    });
    return {next};
  });
}

void SegmentFunctions::forRows(OpInfo &op, unsigned port, const SegmentFrame &frame, Value first,
                               Value end, llvm::function_ref<void(Value)> body) {
  std::vector<Lookahead> ahead = lookaheads(op.op, port);
  if (ahead.empty())
    flow.forLoop(first, end, body);
  else
    runAhead(op, port, ahead, frame, first, end, body);
}
