//===- Channel.h - messages over a socket ------------------------*- C++ -*-===//
#pragma once
#include "runtime/remote/Piece.h"
#include "runtime/remote/peer/Socket.h"
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::exchange {

/// Messages that arrive. Memory is taken as bytes arrive, however long a message says that it is.
class Inbox {
public:
  enum class State { Waits, Message, Ended, Broken };
  /// Reads what is there of one message that is `most` bytes long at most. Ended: the other side
  /// has closed the socket between two messages. Broken: within one, or it was too long. After
  /// Message, the next call begins with another one.
  State read(const remote::Socket &, uint32_t most);
  /// The message, at a multiple of 64; there are room() bytes. Until the next read().
  char *data() { return memory.get(); }
  uint32_t size() const { return length; }
  std::string_view view() const { return {memory.get(), length}; }
  /// Makes room for so many bytes. The message stays.
  void reserve(size_t);
  size_t room() const { return capacity; }
  /// Gives memory back that large messages took, but for `most` bytes.
  void shrink(size_t most);

private:
  struct Free {
    void operator()(char *) const;
  };
  bool readLength(const remote::Socket &, State &);

  std::unique_ptr<char, Free> memory;
  size_t capacity = 0;
  uint32_t length = 0, have = 0; // bytes of the message
  uint8_t lengthBytes = 0;       // of its length
  bool isWhole = false;
};

/// Messages that leave. What the socket has no room for waits here.
class Outbox {
public:
  /// False: the other side is gone.
  bool send(const remote::Socket &, std::span<const remote::Piece>);
  bool send(const remote::Socket &, std::string_view whole); // length included
  /// Sends what waits, as far as there is room. False: the other side is gone.
  bool flush(const remote::Socket &);
  size_t waiting() const { return bytes.size() - sent; }

private:
  bool sendBytes(const remote::Socket &, const char *, size_t);

  std::vector<char> bytes;
  size_t sent = 0; // of them
};

} // namespace sluice::exchange
