//===- StreamWorker.cpp - messages over a stream of bytes -----------------===//
#include "runtime/remote/carrier/StreamWorker.h"
#include <utility>

namespace sluice::remote {

/// Leaves out the first `bytes` bytes.
static void drop(std::vector<Piece> &pieces, size_t bytes) {
  auto piece = pieces.begin();
  for (; piece != pieces.end() && bytes >= piece->bytes; ++piece)
    bytes -= piece->bytes;
  pieces.erase(pieces.begin(), piece);
  if (bytes) {
    pieces.front().data = static_cast<const std::byte *>(pieces.front().data) + bytes;
    pieces.front().bytes -= bytes;
  }
}

Operation StreamWorker::send(uint64_t tag, std::span<const Piece> message) {
  if (broken)
    return {nullptr, true};
  Head now = {tag, 0};
  pieces.assign(1, {&now, sizeof now});
  pieces.insert(pieces.end(), message.begin(), message.end());
  for (const Piece &piece : message)
    now.bytes += piece.bytes;
  size_t written = unsent.empty() ? stream->write(pieces) : 0;
  if (written == sizeof now + now.bytes)
    return {};
  if (!freeSend)
    freeSend = &sends.emplace_back();
  Send &send = *std::exchange(freeSend, freeSend->next);
  send.head = now;
  send.done = false;
  pieces.front().data = &send.head;
  send.left.assign(pieces.begin(), pieces.end());
  drop(send.left, written);
  unsent.push_back(&send);
  return {&send, false};
}

/// Writes what was not written. False: nothing of it.
bool StreamWorker::flush() {
  bool moved = false;
  while (!unsent.empty()) {
    Send &send = *unsent.front();
    size_t written = stream->write(send.left);
    if (!written)
      break;
    moved = true;
    drop(send.left, written);
    if (!send.left.empty())
      break;
    send.done = true;
    unsent.erase(unsent.begin());
  }
  return moved;
}

Operation StreamWorker::receive(uint64_t tag, uint64_t mask, void *to, size_t bytes) {
  if (!free)
    free = &receives.emplace_back();
  Receive &receive = *std::exchange(free, free->next);
  receive = {tag, mask, static_cast<std::byte *>(to), bytes};
  *last = &receive;
  last = &receive.next;
  return {&receive, false};
}

/// The oldest one that waits for such a message; null: none does.
StreamWorker::Receive *StreamWorker::takeWaiting(uint64_t tag) {
  for (Receive **at = &first; *at; at = &(*at)->next) {
    Receive *found = *at;
    if ((found->tag ^ tag) & found->mask)
      continue;
    *at = found->next;
    if (last == &found->next)
      last = at;
    return found;
  }
  return nullptr;
}

Progress StreamWorker::check(Operation &operation) {
  if (!operation.handle)
    return operation.failed || broken ? Progress::Failed : Progress::Done;
  auto *send = static_cast<Send *>(operation.handle);
  if (!send->done)
    return broken ? Progress::Failed : Progress::Pending;
  send->next = std::exchange(freeSend, send);
  operation.handle = nullptr;
  return Progress::Done;
}

Progress StreamWorker::check(Operation &operation, Received &received) {
  auto *receive = static_cast<Receive *>(operation.handle);
  if (!receive)
    return Progress::Failed;
  if (!receive->done)
    return broken ? Progress::Failed : Progress::Pending;
  received = receive->received;
  receive->next = std::exchange(free, receive);
  operation.handle = nullptr;
  return Progress::Done;
}

/// False: nothing of a head has come, or nobody waits for the message.
bool StreamWorker::readHead() {
  if (had < sizeof head) {
    size_t n = stream->read(reinterpret_cast<std::byte *>(&head) + had, sizeof head - had);
    had += n;
    if (had < sizeof head)
      return n;
  }
  into = takeWaiting(head.tag);
  broken = into && head.bytes > into->bytes;
  return into && !broken;
}

/// False: nothing of a body has come.
bool StreamWorker::readBody() {
  size_t body = had - sizeof head;
  size_t n = body < head.bytes ? stream->read(into->to + body, head.bytes - body) : 0;
  had += n;
  if (body + n < head.bytes)
    return n;
  into->received = {head.tag, head.bytes};
  into->done = true;
  into = nullptr;
  had = 0;
  return true;
}

short StreamWorker::events() const {
  short events = stream->events(!unsent.empty());
  return short(isUnclaimed() ? events & ~POLLIN : events);
}

bool StreamWorker::progress() {
  if (broken)
    return false;
  bool moved = flush();
  if (!into && !readHead())
    return moved;
  return (into && readBody()) || moved;
}

} // namespace sluice::remote
