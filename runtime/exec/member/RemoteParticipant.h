//===- RemoteParticipant.h - another process in a checkpoint ------*- C++ -*-===//
#pragma once
#include "runtime/exec/checkpoint/Participant.h"
#include "runtime/remote/peer/Socket.h"
#include <utility>

namespace sluice::member {

/// Another process of the job, as PE 0 sees it. By one thread at a time.
class RemoteParticipant : public checkpoint::Participant {
public:
  explicit RemoteParticipant(remote::Socket to) : socket(std::move(to)) {}

  void order(const checkpoint::Order &) override;
  bool answer(checkpoint::Answer &) override;
  bool wantsEnd() override { return listen(), asked; }
  bool wantsCheckpoint() override { return listen(), std::exchange(wantsOne, false); }
  int descriptor() const override { return socket.descriptor(); }

private:
  bool take(const struct Reply &);
  void listen();

  remote::Socket socket; // closed: the process has gone
  bool asked = false;    // it wants to end with a checkpoint
  bool wantsOne = false; // it has asked for a checkpoint
};

} // namespace sluice::member
