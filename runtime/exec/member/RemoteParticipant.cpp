//===- RemoteParticipant.cpp - another process in a checkpoint --------------===//
#include "runtime/exec/member/RemoteParticipant.h"
#include "runtime/exec/member/Message.h"

namespace sluice::member {

void RemoteParticipant::order(const checkpoint::Order &order) {
  if (socket && !send(socket, order))
    socket.close();
}

/// Whether it is no answer.
bool RemoteParticipant::take(const Reply &reply) {
  asked |= reply.wantsEnd;
  wantsOne |= reply.wantsCheckpoint;
  return reply.wantsEnd || reply.wantsCheckpoint;
}

bool RemoteParticipant::answer(checkpoint::Answer &answer) {
  for (Reply reply; socket; reply = {}) {
    if (!receive(socket, reply)) {
      socket.close();
      break;
    }
    if (!take(reply)) {
      answer = std::move(reply.answer);
      return true;
    }
  }
  return false;
}

/// While no order is unanswered.
void RemoteParticipant::listen() {
  int descriptor = socket.descriptor();
  if (asked || !socket || !remote::awaitReadable({&descriptor, 1}, 0))
    return;
  if (Reply reply; receive(socket, reply))
    take(reply);
  else
    socket.close();
}

} // namespace sluice::member
