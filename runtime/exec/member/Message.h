//===- Message.h - orders and answers over a socket ---------------*- C++ -*-===//
//
// Between processes of one job on one machine, of one program: numbers as they lie in memory.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/checkpoint/Participant.h"
#include "runtime/remote/peer/Socket.h"

namespace sluice::member {

/// What a participant says.
struct Reply {
  /// It was told, alone, to end with a checkpoint: this is no answer.
  bool wantsEnd = false;
  /// One of its sources asks for a checkpoint: neither is this.
  bool wantsCheckpoint = false;
  checkpoint::Answer answer;
};

// False: the other end has gone. These wait for the other end to read, or to have written all of a
// message that it has begun.

bool send(const remote::Socket &, const checkpoint::Order &);
bool send(const remote::Socket &, const Reply &);
bool receive(const remote::Socket &, checkpoint::Order &);
bool receive(const remote::Socket &, Reply &);

} // namespace sluice::member
