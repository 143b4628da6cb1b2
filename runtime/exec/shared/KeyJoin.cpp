//===- KeyJoin.cpp - the parts of a ticket become one output ---------------===//
//
// It is known how much each row of the input has put out, and no row of the input is in two shards.
// In the order of the input, that is what one thread would have put out.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/shared/KeyJoin.h"
#include "runtime/exec/batch/Batches.h"
#include "runtime/exec/shared/Columns.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Receipt.h"
#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace sluice {

namespace {
/// What is next of what a shard has put out on a port.
struct Cursor {
  const KeyPart::Filled *next = nullptr; // the batches behind `batch`
  const Batch *batch = nullptr;
  uint32_t row = 0, punct = 0;     // in the batch
  const uint32_t *count = nullptr; // of the next row of the part, if it is not even
};

/// Joins what goes to one output port.
class Join {
public:
  Join(Thread &t, KeyTicket &ticket, uint32_t port, size_t position, Kept &kept)
      : t(t), ticket(ticket), port(port), position(position), kept(kept),
        desc(t.program.desc.outPorts[port]) {}

  /// Leaves out what is of rows of the input behind `last`.
  void run(uint32_t last) {
    auto isEven = [&](const KeyPart &part) {
      return part.rows.empty() || part.outs[position].isEven;
    };
    if (last != UINT32_MAX)
      merge(last);
    else if (!keepWhole())
      std::ranges::all_of(ticket.parts, isEven) ? scatter() : merge(last);
    for (KeyPart &part : ticket.parts) {
      for (KeyPart::Filled &filled : part.outs[position].filled)
        giveBack(t, filled.batch);
      part.outs[position].filled.clear();
    }
  }

private:
  /// Keeps the batches as they are if all are of one shard. False: they are not.
  bool keepWhole() {
    std::vector<KeyPart::Filled> *only = nullptr;
    for (KeyPart &part : ticket.parts)
      if (auto &out = part.outs[position].filled; !out.empty()) {
        if (only)
          return false;
        only = &out;
      }
    if (!only)
      return true;
    for (KeyPart::Filled &filled : *only)
      add(filled.batch);
    only->clear();
    return true;
  }

  void merge(uint32_t last) {
    Cursor cursors[kMostShards];
    for (size_t shard = 0; shard < ticket.parts.size(); ++shard) {
      const KeyPart &part = ticket.parts[shard];
      cursors[shard].next = part.outs[position].filled.data();
      if (!part.outs[position].isEven)
        cursors[shard].count = part.outs[position].counts.data();
      if (!part.outs[position].filled.empty())
        goOn(cursors[shard]);
    }
    for (uint32_t row = 0; row < ticket.batch->rows && row <= last; ++row) {
      Cursor &from = cursors[ticket.shards[row]];
      for (uint32_t left = from.count ? *from.count++ : 1; left; --left)
        takeOne(from);
    }
    flush();
    if (to)
      add(std::exchange(to, nullptr));
  }

  /// Each row of the input has put out one row: rows of a part go where their input was.
  void scatter() {
    const uint16_t *next[kMostShards] = {};
    for (size_t shard = 0; shard < ticket.parts.size(); ++shard)
      next[shard] = ticket.parts[shard].rows.data();
    for (uint32_t begin = 0, end; begin < ticket.batch->rows; begin = end) {
      to = takeBatch(t, port);
      end = begin + std::min(ticket.batch->rows - begin, std::max(limitOf(to), 1u));
      for (size_t shard = 0; shard < ticket.parts.size(); ++shard)
        next[shard] = scatter(ticket.parts[shard], next[shard], begin, end);
      // relaxed: the timer may look at the number, which guards nothing.
      __atomic_store_n(&to->rows, end - begin, __ATOMIC_RELAXED);
      add(std::exchange(to, nullptr));
    }
  }

  /// Scatters what is of rows of the input from `begin` to `end`. Returns the place of the first
  /// row behind them.
  const uint16_t *scatter(const KeyPart &part, const uint16_t *from, uint32_t begin, uint32_t end) {
    const uint16_t *last = part.rows.data() + part.rows.size(), *first = from;
    from = std::lower_bound(first, last, end);
    if (from == first)
      return from;
    const Batch *b = part.outs[position].filled.front().batch;
    for (uint32_t c = 0; c < desc.columnCount; ++c) {
      const ColumnDesc &column = desc.columns[c];
      const char *value = element(b, column, uint32_t(first - part.rows.data()));
      char *at = const_cast<char *>(element(to, column, 0));
      withSize(column.size, [&](auto size) {
        for (const uint16_t *row = first; row != from; ++row, value += size)
          memcpy(at + uint64_t(*row - begin) * size, value, size);
      });
    }
    return from;
  }

  /// relaxed: the timer (Timer.cpp) may still lower that of what was the batch of a port, which
  /// guards nothing.
  static uint32_t limitOf(const Batch *b) { return __atomic_load_n(&b->limit, __ATOMIC_RELAXED); }

  static void goOn(Cursor &from) {
    from.batch = from.next++->batch;
    from.row = from.punct = 0;
  }

  /// Takes a row or a punctuation, which stands before the row of its number. There is one.
  void takeOne(Cursor &from) {
    while (true) {
      if (from.punct < from.batch->punctCount && from.batch->puncts[from.punct].row == from.row)
        return takePunct(from.batch->puncts[from.punct++]);
      if (from.row < from.batch->rows)
        return takeRow(from.batch, from.row++);
      goOn(from);
    }
  }

  void takeRow(const Batch *from, uint32_t row) {
    if (taken == room)
      makeRoom();
    rows[taken++] = {reinterpret_cast<const char *>(from), row};
  }
  /// It ends the batch where a port would forward it.
  void takePunct(Punctuation punct) {
    flush();
    room = 0;
    if (!to)
      to = takeBatch(t, port);
    addPunct(to, {to->rows, punct.kind, punct.time});
    if (to->punctCount == kBatchRows || desc.ordered != OrderKind::None)
      add(std::exchange(to, nullptr));
  }

  /// For one row at least.
  void makeRoom() {
    flush();
    if (to && isFull(to))
      add(std::exchange(to, nullptr));
    if (!to)
      to = takeBatch(t, port);
    uint32_t limit = limitOf(to);
    room = limit > to->rows ? std::min(limit - to->rows, kRowsAtOnce) : 1;
  }

  /// Copies the rows that were taken, column by column.
  void flush() {
    for (uint32_t c = 0; taken && c < desc.columnCount; ++c) {
      const ColumnDesc &column = desc.columns[c];
      char *at = const_cast<char *>(element(to, column, to->rows));
      withSize(column.size, [&](auto size) {
        for (uint32_t i = 0; i < taken; ++i)
          memcpy(at + uint64_t(i) * size,
                 rows[i].batch + column.offset + uint64_t(rows[i].row) * size, size);
      });
      if (!column.type->plain)
        for (uint32_t i = 0; i < taken; ++i)
          sl_batch_keep(to, column.type, at + uint64_t(i) * column.size);
    }
    if (taken) // relaxed: the timer may look at the number, which guards nothing.
      __atomic_store_n(&to->rows, to->rows + taken, __ATOMIC_RELAXED);
    taken = 0;
  }

  void add(Batch *b) {
    inheritStamps(b, ticket.batch);
    kept.batches.emplace_back(port, b);
  }

  /// Rows that are copied at once: payload that ends a batch ends it after them.
  static constexpr uint32_t kRowsAtOnce = 64;

  Thread &t;
  KeyTicket &ticket;
  const uint32_t port;
  const size_t position;
  Kept &kept;
  const OutPortDesc &desc;
  Batch *to = nullptr; // is being filled
  struct {
    const char *batch;
    uint32_t row;
  } rows[kRowsAtOnce];          // that were taken and are not in `to` yet
  uint32_t taken = 0, room = 0; // how many, and how many there may be
};
} // namespace

/// Takes the failure at the first row, which one thread would have met, out of the parts. Returns
/// that row, or UINT32_MAX.
static uint32_t takeFailure(KeyTicket &ticket, std::optional<Failure> &first) {
  uint32_t row = UINT32_MAX;
  for (KeyPart &part : ticket.parts)
    if (part.failure) {
      if (part.failedAt < row) {
        row = part.failedAt;
        first = std::move(part.failure);
      }
      part.failure.reset();
    }
  return row;
}

Kept *joinParts(Thread &t, KeyShards &all, KeyTicket &ticket) {
  auto kept = std::make_unique<Kept>();
  uint32_t last = takeFailure(ticket, kept->failure); // what the failed row has put out is kept
  const auto &ports = all.in.domain.outPorts;
  for (size_t i = 0; i < ports.size(); ++i)
    Join(t, ticket, ports[i], i, *kept).run(last);
  if (t.counted.latency && kept->batches.empty() && ticket.batch->birth)
    // relaxed: it is about a time.
    t.counted.latency->add(ticket.batch->birth, ticket.batch->rows,
                           t.program.end.tick.load(std::memory_order_relaxed));
  releaseBatch(t, std::exchange(ticket.batch, nullptr));
  return kept->batches.empty() && !kept->failure ? nullptr : kept.release();
}

} // namespace sluice
