//===- KeyJoin.cpp - the parts of a ticket become one output ---------------===//
//
// Each row that a shard has put out is known to be of one row of the input, and no row of the
// input is in two shards. In the order of the input, that is what one thread would have put out.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/dispatch/Batches.h"
#include "runtime/exec/program/Program.h"
#include "runtime/exec/shared/KeyShards.h"
#include <cstring>
#include <memory>
#include <utility>

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
      out.rows.clear();
      out.kept = 0;
    }
  }

private:
  /// Keeps the batches as they are if all are of one shard. False: they are not.
  bool keepWhole(uint32_t last) {
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
    std::vector<KeyPart *> of(
        ticket.batch->rows); // by row of the input: the part that has its output
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
    // relaxed: the timer (Sources.cpp) may look at the number, which guards nothing.
    __atomic_store_n(&to->rows, to->rows + 1, __ATOMIC_RELAXED);
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
  if (t.latency && kept->batches.empty() && ticket.batch->birth)
    t.latency->add(ticket.batch->birth, ticket.batch->rows);
  for (KeyPart &part : ticket.parts)
    part.rows.clear();
  releaseBatch(t, std::exchange(ticket.batch, nullptr));
  return kept->batches.empty() && !kept->failure ? nullptr : kept.release();
}

} // namespace sluice
