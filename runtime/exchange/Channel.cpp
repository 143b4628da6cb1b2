//===- Channel.cpp - messages over a socket -------------------------------===//
#include "runtime/exchange/Channel.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/socket.h>

namespace sluice::exchange {

static constexpr size_t kAlign = 64, kFirst = 64 << 10;

//===--- Inbox ------------------------------------------------------------------===//

void Inbox::Free::operator()(char *memory) const { free(memory); }

void Inbox::reserve(size_t bytes) {
  if (bytes <= capacity)
    return;
  bytes = (bytes + kAlign - 1) / kAlign * kAlign;
  std::unique_ptr<char, Free> more(static_cast<char *>(aligned_alloc(kAlign, bytes)));
  if (!more)
    throw std::bad_alloc();
  if (have)
    memcpy(more.get(), memory.get(), have);
  memory = std::move(more);
  capacity = bytes;
}

void Inbox::shrink(size_t most) {
  if (capacity <= most)
    return;
  memory.reset();
  capacity = 0;
}

/// False: there is no length yet, and `state` says why.
bool Inbox::readLength(const remote::Socket &from, State &state) {
  while (lengthBytes < sizeof length) {
    auto *to = reinterpret_cast<char *>(&length) + lengthBytes;
    int64_t n = remote::readSome(from, to, sizeof length - lengthBytes);
    if (n <= 0) {
      state = n == -EAGAIN ? State::Waits : lengthBytes ? State::Broken : State::Ended;
      return false;
    }
    lengthBytes += uint8_t(n);
  }
  return true;
}

Inbox::State Inbox::read(const remote::Socket &from, uint32_t most) {
  if (isWhole) {
    isWhole = false;
    length = have = lengthBytes = 0;
  }
  State state = State::Waits;
  if (!readLength(from, state))
    return state;
  if (length > most)
    return State::Broken;
  reserve(std::min<size_t>(length, kFirst));
  while (have < length) {
    if (have == capacity)
      reserve(std::min<size_t>(length, 2 * capacity));
    int64_t n =
        remote::readSome(from, memory.get() + have, std::min<size_t>(length, capacity) - have);
    if (n <= 0)
      return n == -EAGAIN ? State::Waits : State::Broken;
    have += uint32_t(n);
  }
  isWhole = true;
  return State::Message;
}

//===--- Outbox -------------------------------------------------------------------===//

bool Outbox::sendBytes(const remote::Socket &to, const char *data, size_t size) {
  while (size && !waiting()) {
    ssize_t n = ::send(to.descriptor(), data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0 && errno != EAGAIN)
      return false;
    if (n < 0)
      break;
    data += n;
    size -= size_t(n);
  }
  if (sent > bytes.size() / 2) {
    bytes.erase(bytes.begin(), bytes.begin() + ptrdiff_t(sent));
    sent = 0;
  }
  bytes.insert(bytes.end(), data, data + size);
  return true;
}

bool Outbox::send(const remote::Socket &to, std::span<const remote::Piece> pieces) {
  uint32_t length = 0;
  for (const remote::Piece &piece : pieces)
    length += uint32_t(piece.bytes);
  bool fine = sendBytes(to, reinterpret_cast<const char *>(&length), sizeof length);
  for (const remote::Piece &piece : pieces)
    fine = fine && sendBytes(to, static_cast<const char *>(piece.data), piece.bytes);
  return fine;
}

bool Outbox::send(const remote::Socket &to, std::string_view whole) {
  return sendBytes(to, whole.data(), whole.size());
}

bool Outbox::flush(const remote::Socket &to) {
  while (waiting()) {
    ssize_t n =
        ::send(to.descriptor(), bytes.data() + sent, waiting(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return errno == EAGAIN;
    sent += size_t(n);
  }
  bytes.clear();
  sent = 0;
  return true;
}

} // namespace sluice::exchange
