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

/// How many rows before a row its place in the index is fetched, and its entry. Longer than a miss.
static constexpr unsigned kPlacesAhead = 2 * kAheadRows, kEntriesAhead = kAheadRows;
/// Rows of which something is known: those ahead, and the block that runs. A power of two.
static constexpr unsigned kRing = 2 * kPlacesAhead;

AheadRows SegmentFunctions::beginAhead(OpInfo &op, unsigned port, ArrayRef<Lookahead> all,
                                       const SegmentFrame &frame, Value begin) {
  Location loc = op.op.getLoc();
  const auto columns = layout::batchLayout(op.op.inputTuple(port)).columns;
  Value state = field(frame.ctx, layout::ctxState, ptr, loc);
  AheadRows rows{begin, frame.batch, {}};
  for (const Lookahead &what : all)
    rows.lookups.push_back({what, columns[what.column],
                            address(state, op.stateOffsets[what.state], loc),
                            spl::TypeDescOp::create(b, loc, ptr, what.table),
                            LLVM::AllocaOp::create(b, loc, ptr, i32Type, i32(loc, kRing), 16)});
  return rows;
}

/// The element of a row. All blocks but the last are full, so those of a block lie together.
Value SegmentFunctions::slotAhead(const AheadRows &rows, const AheadRows::Lookup &lookup, Value row,
                                  Location loc) {
  Value fromBegin = arith::SubIOp::create(b, loc, row, rows.begin);
  Value index = arith::AndIOp::create(b, loc, fromBegin, i64(loc, kRing - 1));
  return element(lookup.slots, 4, index, loc);
}

void SegmentFunctions::fetchPlaces(const AheadRows &rows, Value row, Value count, Location loc) {
  for (const AheadRows::Lookup &lookup : rows.lookups)
    runtime(loc, "sl_ahead",
            {lookup.desc, lookup.table, cell(rows.batch, lookup.column, row, loc), count,
             slotAhead(rows, lookup, row, loc)});
}

void SegmentFunctions::fetchEntries(const AheadRows &rows, Value row, Value count, Location loc) {
  for (const AheadRows::Lookup &lookup : rows.lookups) {
    Value slots = slotAhead(rows, lookup, row, loc);
    runtime(loc, "sl_ahead_entries", {lookup.desc, lookup.table, count, slots});
    for (const RingOffsets &ring : lookup.what.rings)
      runtime(loc, "sl_ahead_ring",
              {lookup.desc, lookup.table, slots, count, i32(loc, ring.slots), i32(loc, ring.head),
               i32(loc, ring.count), i32(loc, ring.stride)});
  }
}

/// for each block of the first kPlacesAhead rows { fetch its places in the index }
/// for each block of the first kEntriesAhead rows { fetch its entries }
/// for each block {
///   fetch the places of the block that is kPlacesAhead rows ahead
///   fetch the entries of the block that is kEntriesAhead rows ahead
///   for each row of the block { say which slots to try first; body(row) }
/// }
void SegmentFunctions::runAhead(OpInfo &op, unsigned port, ArrayRef<Lookahead> all,
                                const SegmentFrame &frame, Value begin, Value end,
                                llvm::function_ref<void(Value)> body) {
  Location loc = op.op.getLoc();
  AheadRows ahead = beginAhead(op, port, all, frame, begin);
  auto plus = [&](Value row, int64_t rows) -> Value {
    return arith::AddIOp::create(b, loc, row, i64(loc, rows));
  };
  using Stage = void (SegmentFunctions::*)(const AheadRows &, Value, Value, Location);
  auto ifAny = [&](Value row, Stage stage) {
    flow.ifThen(flow.isBelow(row, end), [&] {
      Value left = arith::SubIOp::create(b, loc, end, row);
      Value count = arith::MinUIOp::create(b, loc, left, i64(loc, kAheadRows));
      (this->*stage)(ahead, row, count, loc);
    });
  };
  auto eachBlock = [&](Value last, llvm::function_ref<void(Value, Value)> run) {
    flow.loop(begin, [&](ValueRange values, Block *done) -> SmallVector<Value> {
      Value first = values.front();
      flow.leaveUnless(flow.isBelow(first, last), done);
      Value next = arith::MinUIOp::create(b, loc, plus(first, kAheadRows), end);
      run(first, next);
      return {next};
    });
  };
  auto start = [&](int64_t rows, Stage stage) {
    Value last = arith::MinUIOp::create(b, loc, plus(begin, rows), end);
    eachBlock(last, [&](Value first, Value) { ifAny(first, stage); });
  };
  start(kPlacesAhead, &SegmentFunctions::fetchPlaces);
  start(kEntriesAhead, &SegmentFunctions::fetchEntries);
  eachBlock(end, [&](Value first, Value next) {
    ifAny(plus(first, kPlacesAhead), &SegmentFunctions::fetchPlaces);
    ifAny(plus(first, kEntriesAhead), &SegmentFunctions::fetchEntries);
    flow.doLoop(first, next, [&](Value row) {
      for (const AheadRows::Lookup &lookup : ahead.lookups)
        if (lookup.what.guesses) {
          Value slot = LLVM::LoadOp::create(b, loc, i32Type, slotAhead(ahead, lookup, row, loc));
          runtime(loc, "sl_try_first", {lookup.table, slot});
        }
      body(row);
    });
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
