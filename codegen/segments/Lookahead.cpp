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

namespace {
/// A look-up of the rows of a strip: the table, and what is known of the keys of two blocks.
struct Ahead {
  const Lookahead &what;
  Value table, desc;
  Value slots; // a ring of 2 * kAheadRows elements, each an i32
};
} // namespace

/// for (; first < end; first = next) {
///   next = min(first + kAheadRows, end)
///   fetch the entries of the block
///   fetch the places in the index of the next block
///   for each row of the block { say which slots to try first; body(row) }
/// }
/// So a block's places have the time that another block takes, and its entries that of hashing.
void SegmentFunctions::runAhead(OpInfo &op, unsigned port, ArrayRef<Lookahead> all,
                                const SegmentFrame &frame, Value begin, Value end,
                                llvm::function_ref<void(Value)> body) {
  Location loc = op.op.getLoc();
  const auto &columns = layout::batchLayout(op.op.inputTuple(port)).columns;
  Value state = field(frame.ctx, layout::ctxState, ptr, loc), most = i64(loc, kAheadRows);
  SmallVector<Ahead> lookups;
  for (const Lookahead &what : all) {
    Value slots = LLVM::AllocaOp::create(b, loc, ptr, i32Type, i32(loc, 2 * kAheadRows), 16);
    lookups.push_back({what, address(state, op.stateOffsets[what.state], loc),
                       spl::TypeDescOp::create(b, loc, ptr, what.table), slots});
  }
  // The element of a row, and the first one of a block: all blocks but the last are full.
  auto elementOf = [&](const Ahead &lookup, Value row, int64_t mask) {
    Value fromBegin = arith::SubIOp::create(b, loc, row, begin);
    Value index = arith::AndIOp::create(b, loc, fromBegin, i64(loc, mask));
    return element(lookup.slots, 4, index, loc);
  };
  auto blockOf = [&](const Ahead &lookup, Value first) {
    return elementOf(lookup, first, kAheadRows);
  };
  auto countFrom = [&](Value row) {
    return arith::MinUIOp::create(b, loc, arith::SubIOp::create(b, loc, end, row), most);
  };
  auto fetchPlaces = [&](Value row, Value count) {
    for (const Ahead &lookup : lookups)
      runtime(loc, "sl_ahead",
              {lookup.desc, lookup.table, cell(frame.batch, columns[lookup.what.column], row, loc),
               count, blockOf(lookup, row)});
  };
  auto fetchEntries = [&](Value row, Value count) {
    for (const Ahead &lookup : lookups) {
      Value slots = blockOf(lookup, row);
      runtime(loc, "sl_ahead_entries", {lookup.desc, lookup.table, count, slots});
      for (const RingOffsets &ring : lookup.what.rings)
        runtime(loc, "sl_ahead_ring",
                {lookup.desc, lookup.table, slots, count, i32(loc, ring.slots), i32(loc, ring.head),
                 i32(loc, ring.count), i32(loc, ring.stride)});
    }
  };
  fetchPlaces(begin, countFrom(begin));
  flow.loop(begin, [&](ValueRange values, Block *done) -> SmallVector<Value> {
    Value first = values.front();
    flow.leaveUnless(flow.isBelow(first, end), done);
    Value count = countFrom(first), next = arith::AddIOp::create(b, loc, first, count);
    fetchEntries(first, count);
    fetchPlaces(next, countFrom(next));
    flow.doLoop(first, next, [&](Value row) {
      for (const Ahead &lookup : lookups)
        if (lookup.what.guesses) {
          Value slot =
              LLVM::LoadOp::create(b, loc, i32Type, elementOf(lookup, row, 2 * kAheadRows - 1));
          runtime(loc, "sl_try_first", {lookup.table, slot});
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
