//===- RemoteParticipant.h - another process in a checkpoint ------*- C++ -*-===//
#pragma once
#include "runtime/exec/checkpoint/Participant.h"
#include "runtime/remote/peer/Socket.h"

namespace sluice::member {

/// Another process of the job, as PE 0 sees it. By one thread at a time.
class RemoteParticipant : public checkpoint::Participant {
public:
  explicit RemoteParticipant(remote::Socket to) : socket(std::move(to)) {}

  void order(const checkpoint::Order &) override;
  bool answer(checkpoint::Answer &) override;
  bool wantsEnd() override;
  int descriptor() const override { return socket.descriptor(); }

private:
  remote::Socket socket; // closed: the process has gone
  bool asked = false;    // it wants to end with a checkpoint
};

} // namespace sluice::member
