//===- KeyRuns.cpp - running rows with the state of their shard -----------===//
#include "runtime/exec/shared/KeyRuns.h"
#include "runtime/exec/counters/Counters.h"
#include "runtime/exec/dispatch/Call.h"
#include "runtime/exec/dispatch/Failure.h"
#include "runtime/exec/shared/KeyJoin.h"
#include "runtime/exec/shared/KeyShards.h"
#include "runtime/exec/shared/Tickets.h"
#include "runtime/exec/state/Tickets.h"
#include <algorithm>
#include <utility>

namespace sluice {

//===--- with a ticket, part by part ----------------------------------------===//

void partitionRows(Run &run, Batch *batch) {
  KeyShards &all = *inPortOf(run).domain.shards;
  KeyTicket &ticket = ticketOf(all, run);
  ticket.batch = batch;
  for (uint32_t row = 0; row < ticket.batch->rows; ++row)
    ticket.parts[shardOf(all, element(ticket.batch, all.desc.key, row))].rows.push_back(row);
  run.outputs = &ticket;
}

/// The thread goes to a shard. The caller keeps where it was.
static void enterShard(Thread &t, KeyShard &shard) { Shard{shard.state, &shard.heap}.restore(t); }

/// Notes that what the outputs have grown by is of this row of the input.
static void noteRow(Thread &t, const Domain &domain, KeyPart &part, uint32_t row) {
  for (size_t i = 0; i < part.outs.size(); ++i) {
    KeyPart::Out &out = part.outs[i];
    const Batch *b = t.at.ports[domain.outPorts[i]].batch;
    uint32_t rows = out.rows + b->rows - out.notedRows;
    uint32_t puncts = out.puncts + b->punctCount - out.notedPuncts;
    if (!rows && !puncts)
      continue;
    out.spans.push_back({row, rows, puncts});
    out.notedRows += rows;
    out.notedPuncts += puncts;
  }
}

/// Runs the rows of the shard up to one that fails. Returns how many did not fail.
static uint32_t runRows(Thread &t, KeyShards &all, KeyTicket &ticket, uint32_t shard) {
  KeyPart &part = ticket.parts[shard];
  const At<Shard> outer(t);
  enterShard(t, all.shards[shard]);
  uint32_t ran = 0;
  for (uint32_t row : part.rows) {
    int32_t result = all.desc.rows(&t.ctx, ticket.batch, row, row + 1);
    noteRow(t, all.in.domain, part, row);
    if (result < 0) {
      part.failedAt = row;
      break;
    }
    ++ran;
  }
  return ran;
}

void runPartOf(Thread &t, Run &run, uint32_t shard) {
  KeyShards &all = *inPortOf(run).domain.shards;
  KeyTicket &ticket = *static_cast<KeyTicket *>(run.outputs);
  KeyPart &part = ticket.parts[shard];
  if (part.rows.empty() || takesNoMore(t, all.in))
    return;
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
}

Sent forwardInPart(Thread &t, uint32_t index, Batch *b) {
  const Domain &domain = *t.program.queues.domains.ofOperator[t.program.desc.outPorts[index].op];
  KeyPart::Out &out = t.at.part->outs[domain.placeOf(index)];
  out.batches.push_back(b);
  out.rows += b->rows;
  out.puncts += b->punctCount;
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
    KeyPart::Out &out = all.alone.outs[i];
    for (Batch *b : out.batches) {
      Sent sent = sendNow(t, all.in.domain.outPorts[i], b);
      result = std::min(result, sent.status);
      if (sent.isMine())
        giveBack(t, b);
    }
    out.batches.clear();
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
    result = all.desc.rows(&t.ctx, b, row, row + 1);
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
