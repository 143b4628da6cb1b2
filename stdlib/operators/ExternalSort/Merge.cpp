//===- Merge.cpp - several runs as one ------------------------------------===//
//
// A tree of losers: an inner node keeps the run that has lost there, so a new row of the winner
// meets one run on each level.
//
//===----------------------------------------------------------------------===//
#include "stdlib/operators/ExternalSort/Merge.h"
#include "runtime/exec/saved/SavedValue.h"
#include "runtime/value/Place.h"
#include <algorithm>
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

/// Which of two runs with the same word comes first.
bool Merge::isEarlier(uint64_t a, uint64_t b) const {
  const Cursor &x = cursors[a], &y = cursors[b];
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
  std::vector<Player> winners(2 * runs);
  for (uint32_t run = 0; run < runs; ++run)
    winners[runs + run] = player(run);
  for (uint32_t node = runs - 1; node >= 1; --node) {
    Player a = winners[2 * node], b = winners[2 * node + 1];
    if (before(b, a))
      std::swap(a, b);
    winners[node] = a;
    losers[node] = b;
  }
  winner = winners[1];
}

/// The winner has a new row. Who wins cannot be foretold, so no branch depends on it.
void Merge::replay() {
  Player best = player(uint32_t(winner.run));
  for (uint64_t node = (cursors.size() + best.run) / 2; node >= 1; node /= 2) {
    Player &other = losers[node];
    if (other.word == best.word) {
      if (isEarlier(other.run, best.run))
        std::swap(other, best);
      continue;
    }
    uint64_t swapped = -uint64_t(other.word < best.word), run = (other.run ^ best.run) & swapped,
             low = std::min(other.word, best.word);
    other = {std::max(other.word, best.word), other.run ^ run};
    best = {low, best.run ^ run};
  }
  winner = best;
}

const char *Merge::next() {
  if (isStarted) {
    advance(uint32_t(winner.run));
    replay();
  } else {
    start();
  }
  return failed.empty() ? cursors[winner.run].row : nullptr;
}

} // namespace sluice::external
