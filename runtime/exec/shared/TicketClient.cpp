//===- TicketClient.cpp - what the queues call for tickets ---------------===//
#include "runtime/exec/dispatch/Call.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/shared/KeyRuns.h"
#include "runtime/exec/shared/KeyShards.h"
#include "runtime/exec/shared/Tickets.h"
#include "runtime/exec/state/Tickets.h"

namespace sluice {

//===--- with a ticket ------------------------------------------------------===//

bool QueueClient::isAlone(Port &port, queue::Item item) {
  return mustRunAlone(port, *static_cast<const Batch *>(item));
}

int32_t QueueClient::runTicket(Self &self, Run &run, queue::Item item) {
  Thread &t = threadOf(self);
  t.self = &self;
  InPort &in = inPortOf(run);
  const At<Place> place(t);
  enterTicket(t, run, in.domain);
  return runQueued(t, in, static_cast<Batch *>(item));
}

int32_t QueueClient::handOut(Self &self, Run &run) { return sendKept(threadOf(self), run); }

//===--- where state is sharded by key --------------------------------------===//

void QueueClient::split(Self &self, Token &token) {
  auto &domain = static_cast<Domain &>(token);
  Thread &t = threadOf(self);
  if (!domain.shards)
    domain.shards = makeShards(t.program, inPortOf(*token.ports));
  partitionState(t, *domain.shards);
}

void QueueClient::unite(Self &self, Token &token) {
  uniteState(threadOf(self), *static_cast<Domain &>(token).shards);
}

void QueueClient::partition(Self &self, Run &run, queue::Item item) {
  auto *batch = static_cast<Batch *>(item);
  showTuples(threadOf(self), inPortOf(run).id, batch);
  partitionRows(run, batch);
}

int32_t QueueClient::runPart(Self &self, Run &run, uint32_t shard) {
  Thread &t = threadOf(self);
  t.self = &self;
  runPartOf(t, run, shard);
  return 0; // a failure waits for the end of the ticket
}

void QueueClient::join(Self &self, Run &run) {
  Thread &t = threadOf(self);
  t.self = &self;
  endParts(t, run);
}

} // namespace sluice
