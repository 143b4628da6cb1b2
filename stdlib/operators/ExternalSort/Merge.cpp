//===- Merge.cpp - several runs as one ------------------------------------===//
//
// A tree of losers: an inner node keeps the run that has lost there, so a new row of the winner
// meets one run on each level.
//
//===----------------------------------------------------------------------===//
#include "stdlib/operators/ExternalSort/Merge.h"
#include "runtime/exec/saved/SavedValue.h"
#include "runtime/value/Place.h"
#include <utility>

namespace sluice::external {

Merge::Merge(const RowOrder &order, const Scratch &file, std::span<const Run> runs, uint64_t memory,
             uint64_t stretchBytes)
    : order(order), reader(order, file, runs, memory, stretchBytes), cursors(runs.size()),
      losers(runs.size()) {
  if (!order.isPlain())
    for (Cursor &cursor : cursors)
      cursor.place.resize(order.rowBytes());
}

Merge::~Merge() {
  for (Cursor &cursor : cursors)
    if (!cursor.place.empty())
      disown(&heap, order.type, cursor.place.data());
  heapEmpty(heap);
}

bool Merge::before(uint32_t a, uint32_t b) const {
  const Cursor &x = cursors[a], &y = cursors[b];
  if (x.word != y.word)
    return x.word < y.word;
  if (!x.row || !y.row)
    return x.row && !y.row;
  if (int rest = order.goesOn() ? order.compareRest(x.row, y.row) : 0)
    return rest < 0;
  return a < b;
}

/// Reads a row that is not plain.
void Merge::restore(Cursor &cursor) {
  uint32_t size = load<uint32_t>(cursor.at);
  SavedBytes bytes = {cursor.at + sizeof size, cursor.at + sizeof size + size};
  char *place = cursor.place.data();
  disown(&heap, order.type, place);
  memset(place, 0, order.rowBytes());
  if (!restoreValue(&heap, bytes, order.type, place))
    failed = "a scratch file has changed while it was used";
  cursor.row = place;
  cursor.at = bytes.end;
}

/// False: the run has ended, or cannot be read.
bool Merge::nextBlock(uint32_t run) {
  Cursor &cursor = cursors[run];
  if (cursor.next == cursor.last) {
    auto stretch = reader.next(run);
    if (!stretch) {
      failed = reader.problem();
      return false;
    }
    cursor.next = stretch->bytes;
    cursor.last = stretch->bytes + stretch->size;
  }
  auto head = load<BlockHead>(cursor.next);
  cursor.at = cursor.next + sizeof head;
  cursor.end = cursor.at + head.bytes;
  cursor.next += blockBytesFor(head.bytes);
  return true;
}

/// Goes to the next row of a run.
void Merge::advance(uint32_t run) {
  Cursor &cursor = cursors[run];
  if (cursor.at == cursor.end && !nextBlock(run)) {
    cursor.row = nullptr;
    cursor.word = ~uint64_t(0);
    return;
  }
  if (order.isPlain()) {
    cursor.row = cursor.at;
    cursor.at += order.rowBytes();
  } else {
    restore(cursor);
  }
  cursor.word = order.word(cursor.row);
}

/// Lets all runs meet.
void Merge::start() {
  isStarted = true;
  auto runs = uint32_t(cursors.size());
  for (uint32_t run = 0; run < runs; ++run)
    advance(run);
  std::vector<uint32_t> winners(2 * runs);
  for (uint32_t run = 0; run < runs; ++run)
    winners[runs + run] = run;
  for (uint32_t node = runs - 1; node >= 1; --node) {
    uint32_t a = winners[2 * node], b = winners[2 * node + 1];
    if (before(b, a))
      std::swap(a, b);
    winners[node] = a;
    losers[node] = b;
  }
  winner = runs > 1 ? winners[1] : 0;
}

/// The winner has a new row.
void Merge::replay() {
  for (uint32_t node = (uint32_t(cursors.size()) + winner) / 2; node >= 1; node /= 2)
    if (before(losers[node], winner))
      std::swap(losers[node], winner);
}

const char *Merge::next() {
  if (isStarted) {
    advance(winner);
    replay();
  } else {
    start();
  }
  return failed.empty() ? cursors[winner].row : nullptr;
}

} // namespace sluice::external
