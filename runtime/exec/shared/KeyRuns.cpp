//===- KeyRuns.cpp - running rows with the state of their shard -----------===//
#include "runtime/exec/shared/KeyRuns.h"
#include "runtime/exec/counters/Counters.h"
#include "runtime/exec/dispatch/Call.h"
#include "runtime/exec/dispatch/Failure.h"
#include "runtime/exec/shared/Columns.h"
#include "runtime/exec/shared/KeyJoin.h"
#include "runtime/exec/shared/KeyShards.h"
#include "runtime/exec/shared/Tickets.h"
#include "runtime/exec/state/Tickets.h"
#include <algorithm>
#include <cstring>
#include <utility>

namespace sluice {

//===--- with a ticket, part by part ----------------------------------------===//

void partitionRows(Run &run, Batch *batch) {
  KeyShards &all = *inPortOf(run).domain.shards;
  KeyTicket &ticket = ticketOf(all, run);
  ticket.batch = batch;
  shardRows(all, ticket);
  run.outputs = &ticket;
}

/// The thread goes to a shard. The caller keeps where it was.
static void enterShard(Thread &t, KeyShard &shard) { Shard{shard.state, &shard.heap}.restore(t); }

/// Rows of the part that have run to their end.
static uint32_t ranOf(const KeyPart &part) {
  const size_t ports = part.outs.size();
  size_t ran = 0, end = part.made.size() / ports; // of those it is not known
  while (ran < end)
    if (size_t middle = (ran + end) / 2; part.made[middle * ports] == kNotMade)
      end = middle;
    else
      ran = middle + 1;
  return uint32_t(ran);
}

/// Puts the rows of the part one behind the other. Their payload stays where it is.
static Batch *gather(const KeyShards &all, const KeyTicket &ticket, uint32_t shard) {
  Batch *to = all.shards[shard].rows;
  const KeyPart &part = ticket.parts[shard];
  for (uint32_t c = 0; c < all.desc.columnCount; ++c) {
    const ColumnDesc &column = all.desc.columns[c];
    const char *from = element(ticket.batch, column, 0);
    char *at = const_cast<char *>(element(to, column, 0));
    withSize(column.size, [&](auto size) {
      for (uint16_t row : part.rows) {
        memcpy(at, from + uint64_t(row) * size, size);
        at += size;
      }
    });
  }
  to->rows = uint32_t(part.rows.size());
  return to;
}

/// Whether all values of the batch are in its columns.
static bool hasNoPayload(const Batch *b) {
  Block *block = b->arena.block;
  return !block || (block == block->first && b->arena.ptr == block->begin());
}

/// Whether each row has put out one row without payload, and all are in one batch.
static bool isEven(const KeyPart &part, size_t port) {
  const auto &filled = part.outs[port].filled;
  const size_t rows = part.rows.size(), ports = part.outs.size();
  if (filled.size() != 1 || filled[0].batch->rows != rows || filled[0].batch->punctCount ||
      !hasNoPayload(filled[0].batch))
    return false;
  bool even = true;
  for (size_t row = 0; row < rows; ++row)
    even &= part.made[row * ports + port] == row + 1;
  return even;
}

/// Counts what each row has put out on the port, and the failed one behind those that `ran`.
static void countMade(KeyPart &part, size_t port, uint32_t ran) {
  const size_t ports = part.outs.size(), rows = ran + (ran < part.rows.size());
  KeyPart::Out &out = part.outs[port];
  out.counts.assign(part.rows.size(), 0);
  auto next = out.filled.begin(), end = out.filled.end();
  uint32_t before = 0; // what the batch had before the row
  for (size_t row = 0; row < rows; ++row) {
    for (; next != end && next->ran <= row; ++next) { // the row or one before it has filled it
      out.counts[row] += next->batch->rows + next->batch->punctCount - before;
      before = 0;
    }
    if (row < ran) {
      uint32_t made = part.made[row * ports + port];
      out.counts[row] += made - before;
      before = made;
    }
  }
}

/// Runs the rows of the shard up to one that fails. Returns how many did not fail.
static uint32_t runRows(Thread &t, KeyShards &all, KeyTicket &ticket, uint32_t shard) {
  KeyPart &part = ticket.parts[shard];
  const At<Shard> outer(t);
  enterShard(t, all.shards[shard]);
  Batch *rows = gather(all, ticket, shard);
  if (all.desc.rows(&t.ctx, rows, 0, rows->rows, part.made.data()) == 0)
    return rows->rows;
  part.failedAt = part.rows[t.ctx.failedRow];
  return t.ctx.failedRow;
}

void runPartOf(Thread &t, Run &run, uint32_t shard) {
  KeyShards &all = *inPortOf(run).domain.shards;
  KeyTicket &ticket = *static_cast<KeyTicket *>(run.outputs);
  KeyPart &part = ticket.parts[shard];
  if (part.rows.empty())
    return;
  if (takesNoMore(t, all.in)) {
    for (KeyPart::Out &out : part.outs) {
      out.isEven = false;
      out.counts.assign(part.rows.size(), 0);
    }
    return;
  }
  const At<Place> place(t);
  enterTicket(t, run, all.in.domain);
  const At<Segment> segment(t);
  InReplica{all.in.domain.replica}.restore(t);
  t.at.inPort = all.in.id;
  t.at.marks = 0; // punctuation runs alone
  t.at.links = t.entered.linked;
  ++t.at.depth;
  uint32_t ran = 0;
  t.ctx.clock = 0;
  t.at.part = &part;
  InPortCounters &counters = t.counters.in[all.in.id];
  t.counters.segment(all.in.id, counters, uint32_t(part.rows.size()),
                     [&] { ran = runRows(t, all, ticket, shard); });
  counters.batches.add(uint64_t(-1)); // endParts() counts the batch
  counters.rows.add(uint64_t(ran) - part.rows.size());
  for (uint32_t port : all.in.domain.outPorts)
    if (Batch *b = t.at.ports[port].batch; b->rows || b->punctCount)
      refill(t, port, b, forwardInPart(t, port, b)); // endParts() stamps what it joins
  t.at.part = nullptr;
  for (size_t port = 0; port < part.outs.size(); ++port)
    if (!(part.outs[port].isEven = isEven(part, port)))
      countMade(part, port, ran);
}

Sent forwardInPart(Thread &t, uint32_t index, Batch *b) {
  const Domain &domain = *t.program.queues.domains.ofOperator[t.program.desc.outPorts[index].op];
  KeyPart &part = *t.at.part;
  part.outs[domain.placeOf(index)].filled.push_back({b, ranOf(part)});
  return {0, BatchFate::Queued};
}

void endParts(Thread &t, Run &run) {
  KeyShards &all = *inPortOf(run).domain.shards;
  t.counters.in[all.in.id].batches.add(1);
  run.outputs = joinParts(t, all, *static_cast<KeyTicket *>(run.outputs));
}

//===--- by one thread ---------------------------------------------------------------===//

/// Sends the batches that a row has filled.
static int32_t sendFilled(Thread &t, KeyShards &all) {
  int32_t result = 0;
  for (size_t i = 0; i < all.alone.outs.size(); ++i) {
    for (KeyPart::Filled &filled : all.alone.outs[i].filled) {
      Sent sent = sendNow(t, all.in.domain.outPorts[i], filled.batch);
      result = std::min(result, sent.status);
      if (sent.isMine())
        giveBack(t, filled.batch);
    }
    all.alone.outs[i].filled.clear();
  }
  return result;
}

/// Runs one row. Nobody else may run with the state of the shard: what the row puts out is
/// forwarded once the thread has left the shard.
static int32_t runRow(Thread &t, KeyShards &all, Batch *b, uint32_t row) {
  Run none{};
  int32_t result;
  {
    const At<Shard> outer(t);
    enterShard(t, all.shards[shardOf(all, element(b, all.desc.key, row))]);
    t.at.run = &none;
    t.at.part = &all.alone;
    result = all.desc.rows(&t.ctx, b, row, row + 1, all.alone.made.data());
    t.at.part = nullptr;
    t.at.run = nullptr;
  }
  const auto &ports = all.in.domain.outPorts;
  int32_t sent = sendFilled(t, all);
  if (result < 0) {
    if (auto failure = std::exchange(all.alone.failure, std::nullopt))
      failNow(t, std::move(*failure), ports);
    return -1;
  }
  for (uint32_t port : ports)
    if (const Batch *out = t.at.ports[port].batch; isFull(out) || out->punctCount >= kBatchRows)
      sent = std::min(sent, forward(t, port));
  return sent;
}

/// Runs one punctuation, which uses no keyed state.
static int32_t runPunct(Thread &t, KeyShards &all, Punctuation punct) {
  uint32_t row = std::exchange(punct.row, 0);
  Batch alone = {};
  alone.puncts = &punct;
  alone.punctCount = 1;
  int32_t result = all.in.code.segment(&t.ctx, &alone);
  if (result)
    t.ctx.failedRow = row;
  return result;
}

/// Runs rows and punctuation in their order.
static int32_t runInTurn(Thread &t, KeyShards &all, Batch *b) {
  uint32_t row = 0;
  for (uint32_t i = 0;; ++i) {
    for (uint32_t end = i < b->punctCount ? b->puncts[i].row : b->rows; row < end; ++row)
      if (runRow(t, all, b, row) < 0) {
        t.ctx.failedRow = row;
        return -1;
      }
    if (i == b->punctCount)
      break;
    if (int32_t result = runPunct(t, all, b->puncts[i]))
      return result;
  }
  int32_t result = 0;
  for (uint32_t port : all.in.domain.outPorts)
    result = std::min(result, forward(t, port));
  return result;
}

int32_t runOverShards(Thread &t, InPort &in, Batch *b) {
  int32_t result = 0;
  if (!takesNoMore(t, in)) {
    result = callWith(t, in.id, *in.domain.replica, b, t.counters.in[in.id],
                      [&] { return runInTurn(t, *in.domain.shards, b); });
    noteFailure(t, in, result);
  }
  releaseBatch(t, b);
  return result;
}

} // namespace sluice
