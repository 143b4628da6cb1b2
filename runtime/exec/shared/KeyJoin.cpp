//===- KeyJoin.cpp - the parts of a ticket become one output ---------------===//
//
// It is known how much each row of the input has put out, and no row of the input is in two shards.
// In the order of the input, that is what one thread would have put out.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/shared/KeyJoin.h"
#include "runtime/exec/batch/Batches.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Receipt.h"
#include <cstring>
#include <memory>
#include <utility>

namespace sluice {

namespace {
/// What is next of what a shard has put out.
struct Cursor {
  const KeyPart::Out *out = nullptr;
  size_t span = 0, batch = 0;
  uint32_t row = 0, punct = 0; // in the batch
};

/// Joins what goes to one output port.
class Join {
public:
  Join(Thread &t, KeyTicket &ticket, uint32_t port, size_t position, Kept &kept)
      : t(t), ticket(ticket), port(port), position(position), kept(kept),
        desc(t.program.desc.outPorts[port]) {}

  /// Leaves out what is of rows of the input behind `last`.
  void run(uint32_t last) {
    if (!keepWhole(last))
      merge(last);
    for (KeyPart &part : ticket.parts) {
      KeyPart::Out &out = part.outs[position];
      for (Batch *b : out.batches)
        giveBack(t, b);
      out.batches.clear();
      out.spans.clear();
      out.rows = out.puncts = out.notedRows = out.notedPuncts = 0;
    }
  }

private:
  /// Keeps the batches as they are if all are of one shard. False: they are not.
  bool keepWhole(uint32_t last) {
    KeyPart::Out *only = nullptr;
    for (KeyPart &part : ticket.parts)
      if (KeyPart::Out &out = part.outs[position]; !out.spans.empty()) {
        if (only)
          return false;
        only = &out;
      }
    if (!only)
      return true;
    if (only->spans.back().row > last)
      return false;
    for (Batch *b : only->batches)
      add(b);
    only->batches.clear();
    return true;
  }

  void merge(uint32_t last) {
    std::vector<Cursor> cursors(ticket.parts.size());
    std::vector<Cursor *> of(ticket.batch->rows); // by row of the input: whose part has its output
    for (size_t shard = 0; shard < ticket.parts.size(); ++shard) {
      cursors[shard].out = &ticket.parts[shard].outs[position];
      for (const KeyPart::Span &span : cursors[shard].out->spans)
        of[span.row] = &cursors[shard];
    }
    for (uint32_t row = 0; row < of.size() && row <= last; ++row)
      if (of[row])
        take(*of[row]);
    if (to)
      add(std::exchange(to, nullptr));
  }

  /// Takes what one row of the input has put out. Punctuation stands before the row of its number.
  void take(Cursor &from) {
    KeyPart::Span left = from.out->spans[from.span++];
    while (left.rows || left.puncts) {
      const Batch *b = from.out->batches[from.batch];
      if (from.punct < b->punctCount && b->puncts[from.punct].row == from.row) {
        takePunct(b->puncts[from.punct++]);
        --left.puncts;
      } else if (from.row < b->rows) {
        takeRow(b, from.row++);
        --left.rows;
      } else {
        ++from.batch;
        from.row = from.punct = 0;
      }
    }
  }

  Batch *target() {
    if (!to)
      to = takeBatch(t, port);
    return to;
  }

  void takeRow(const Batch *from, uint32_t row) {
    append(target(), from, row);
    if (isFull(to))
      add(std::exchange(to, nullptr));
  }
  /// It ends the batch where a port would forward it.
  void takePunct(Punctuation punct) {
    addPunct(target(), {to->rows, punct.kind, punct.time});
    if (to->punctCount == kBatchRows || desc.ordered != OrderKind::None)
      add(std::exchange(to, nullptr));
  }

  void append(Batch *to, const Batch *from, uint32_t row) {
    for (uint32_t c = 0; c < desc.columnCount; ++c) {
      const ColumnDesc &column = desc.columns[c];
      char *at = const_cast<char *>(element(to, column, to->rows));
      memcpy(at, element(from, column, row), column.size);
      if (!column.type->plain)
        sl_batch_keep(to, column.type, at);
    }
    // relaxed: the timer (Timer.cpp) may look at the number, which guards nothing.
    __atomic_store_n(&to->rows, to->rows + 1, __ATOMIC_RELAXED);
  }

  void add(Batch *b) {
    inheritStamps(b, ticket.batch);
    kept.batches.emplace_back(port, b);
  }

  Thread &t;
  KeyTicket &ticket;
  const uint32_t port;
  const size_t position;
  Kept &kept;
  const OutPortDesc &desc;
  Batch *to = nullptr; // is being filled
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
  for (KeyPart &part : ticket.parts)
    part.rows.clear();
  releaseBatch(t, std::exchange(ticket.batch, nullptr));
  return kept->batches.empty() && !kept->failure ? nullptr : kept.release();
}

} // namespace sluice
