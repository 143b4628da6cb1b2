//===- KeyShards.h - keyed state, partitioned to shards ---------*- C++ -*-===//
//
// A domain whose first operator has keyed state may be run by several threads: its state is
// partitioned to shards by the hash of the key, and so are the rows of a ticket (KeyRuns.cpp). A
// shard runs its rows of each ticket in the order of tickets (runtime/queue/Shards.h) and notes
// which row each output is of. So the outputs of all shards are joined to what one thread would
// have put out (KeyJoin.cpp).
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/state/InPort.h"
#include "runtime/exec/state/Tickets.h"
#include <memory>

namespace sluice {

/// The shards of the domain that the port leads to, with its constants and no keyed state. By the
/// owner of the token, with nobody else inside.
std::unique_ptr<KeyShards> makeShards(Program &, InPort &);
/// Moves the keyed state of the domain to the shards, or back: time in proportion to its entries.
/// By the owner of the token, with nobody else inside.
void partitionState(Thread &, KeyShards &);
void uniteState(Thread &, KeyShards &);
/// The tables of a state variable of the domain, while nobody is inside: in the shards, and the one
/// that has all where it is not partitioned. Empty: the variable is not keyed.
std::vector<const Seq *> tablesOf(const Program &, const KeyShards &, const StateDesc &);
/// The shard of a key. Any thread.
uint32_t shardOf(const KeyShards &, const void *key);
/// Finds the rows of each part of a ticket that has its batch. By who has taken the ticket.
void shardRows(const KeyShards &, KeyTicket &);
/// The ticket of the run; one that was released is used again. By the owner of the token, then by
/// who runs a part.
KeyTicket &ticketOf(KeyShards &, const Run &);
/// How many shards keyed state has where so many workers run.
uint32_t shardsFor(uint32_t workers);

} // namespace sluice
