//===- KeyJoin.cpp - the parts of a ticket become one output ---------------===//
//
// Every row that a shard has put out is known to be of a row of the input, and no row is
// in two shards: in the order of input rows this is what one thread would have put out.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/shared/KeyShards.h"
#include <algorithm>
#include <cstring>

namespace sluice {

namespace {
/// The next row that a shard has put out.
struct Cursor {
  Batch *const *batch = nullptr;
  uint32_t row = 0;
  void advance() {
    if (++row == (*batch)->rows) {
      ++batch;
      row = 0;
    }
  }
};

/// What one output port gets.
class Join {
public:
  Join(Thread &t, KeyTicket &ticket, uint32_t port, size_t position, Kept &kept)
      : t(t), ticket(ticket), port(port), position(position), kept(kept),
        desc(t.program.desc.outPorts[port]) {}

  /// Rows of the input behind `last` do not count.
  void run(uint32_t last) {
    if (!handOver(last))
      merge(last);
    for (KeyPart &part : ticket.parts) {
      KeyPart::Out &out = part.outs[position];
      for (Batch *b : out.batches)
        giveBack(t, b);
      out.batches.clear();
      out.rows.clear();
      out.kept = 0;
    }
  }

private:
  /// All is of one shard: its batches go on as they are.
  bool handOver(uint32_t last) {
    KeyPart::Out *only = nullptr;
    for (KeyPart &part : ticket.parts)
      if (KeyPart::Out &out = part.outs[position]; !out.rows.empty()) {
        if (only)
          return false;
        only = &out;
      }
    if (!only)
      return true;
    if (only->rows.back() > last)
      return false;
    for (Batch *b : only->batches)
      add(b);
    only->batches.clear();
    return true;
  }

  void merge(uint32_t last) {
    std::vector<KeyPart *> of(ticket.batch->rows); // by row of the input: who has made one of it
    std::vector<Cursor> cursors(ticket.parts.size());
    for (size_t shard = 0; shard < ticket.parts.size(); ++shard) {
      cursors[shard].batch = ticket.parts[shard].outs[position].batches.data();
      for (uint32_t row : ticket.parts[shard].outs[position].rows)
        of[row] = &ticket.parts[shard];
    }
    Batch *to = nullptr;
    for (uint32_t row = 0; row < of.size() && row <= last; ++row) {
      if (!of[row])
        continue;
      if (!to)
        to = takeBatch(t, port);
      Cursor &from = cursors[size_t(of[row] - ticket.parts.data())];
      append(to, *from.batch, from.row);
      from.advance();
      if (isFull(to))
        add(std::exchange(to, nullptr));
    }
    if (to)
      add(to);
  }

  void append(Batch *to, const Batch *from, uint32_t row) {
    for (uint32_t c = 0; c < desc.columnCount; ++c) {
      const ColumnDesc &column = desc.columns[c];
      char *at = const_cast<char *>(element(to, column, to->rows));
      memcpy(at, element(from, column, row), column.size);
      if (!column.type->plain)
        sl_batch_keep(to, column.type, at);
    }
    __atomic_store_n(&to->rows, to->rows + 1,
                     __ATOMIC_RELAXED); // pairs with the timer, which guards nothing
  }

  void add(Batch *b) {
    b->birth = ticket.batch->birth;
    kept.batches.emplace_back(port, b);
  }

  Thread &t;
  KeyTicket &ticket;
  const uint32_t port;
  const size_t position;
  Kept &kept;
  const OutPortDesc &desc;
};
} // namespace

/// The first by row is the one that one thread would have met.
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
  uint32_t last = takeFailure(ticket, kept->failure); // what the failed row had put out counts
  const auto &ports = all.in.domain.outPorts;
  for (size_t i = 0; i < ports.size(); ++i)
    Join(t, ticket, ports[i], i, *kept).run(last);
  if (t.latency && kept->batches.empty() && ticket.batch->birth)
    t.latency->add(ticket.batch->birth, ticket.batch->rows);
  for (KeyPart &part : ticket.parts)
    part.rows.clear();
  releaseBatch(t, std::exchange(ticket.batch, nullptr));
  return kept->batches.empty() && !kept->failure ? nullptr : kept.release();
}

} // namespace sluice
