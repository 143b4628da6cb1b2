//===- SocketStream.h - a stream over a socket ------------------*- C++ -*-===//
#pragma once
#include "runtime/remote/carrier/Stream.h"
#include "runtime/remote/peer/Socket.h"
#include <memory>
#include <poll.h>

namespace sluice::remote {

class SocketStream : public Stream {
public:
  /// Of a socket of streams that is connected.
  explicit SocketStream(Socket);

  size_t write(std::span<const Piece>) override;
  size_t read(void *to, size_t bytes) override;
  bool isGone() const override { return gone && from == to; }
  int descriptor() const override { return socket.descriptor(); }
  short events(bool writing) const override { return short(POLLIN | (writing ? POLLOUT : 0)); }
  bool arm(bool reading, bool) override { return !reading || from == to; }

private:
  /// What one call may read beyond what was asked for.
  static constexpr size_t kAhead = 32768;
  /// Pieces of fewer bytes in all are copied into one: the system takes longer for each of them.
  static constexpr size_t kGathered = 8192;

  Socket socket;
  std::unique_ptr<std::byte[]> ahead;    // kAhead bytes
  std::unique_ptr<std::byte[]> gathered; // kGathered bytes
  size_t from = 0, to = 0;               // of `ahead`: what was not given out
  bool gone = false;
  bool isDry = false; // the last call got less than it asked for: the next read() makes none
};

} // namespace sluice::remote
