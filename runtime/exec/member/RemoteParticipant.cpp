//===- RemoteParticipant.cpp - another process in a checkpoint --------------===//
#include "runtime/exec/member/RemoteParticipant.h"
#include "runtime/exec/member/Message.h"

namespace sluice::member {

void RemoteParticipant::order(const checkpoint::Order &order) {
  if (socket && !send(socket, order))
    socket.close();
}

bool RemoteParticipant::answer(checkpoint::Answer &answer) {
  for (Reply reply; socket; reply = {}) {
    if (!receive(socket, reply)) {
      socket.close();
      break;
    }
    if (!reply.wantsEnd) {
      answer = std::move(reply.answer);
      return true;
    }
    asked = true;
  }
  return false;
}

/// While no order is unanswered.
bool RemoteParticipant::wantsEnd() {
  int descriptor = socket.descriptor();
  if (!asked && socket && remote::awaitReadable({&descriptor, 1}, 0)) {
    Reply reply;
    if (receive(socket, reply))
      asked = reply.wantsEnd;
    else
      socket.close();
  }
  return asked;
}

} // namespace sluice::member
