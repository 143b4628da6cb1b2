//===- SocketStream.cpp - a stream over a socket --------------------------===//
#include "runtime/remote/carrier/SocketStream.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <utility>

namespace sluice::remote {

/// Pieces of one call.
static constexpr size_t kMostPieces = 64;

SocketStream::SocketStream(Socket given)
    : socket(std::move(given)), ahead(std::make_unique<std::byte[]>(kAhead)),
      gathered(std::make_unique<std::byte[]>(kGathered)) {
  // What is sent is to leave at once. A socket that is not of TCP refuses that, and does so anyway.
  int on = 1;
  setsockopt(socket.descriptor(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/// Whether a call has failed for more than lack of room, or of bytes.
static bool isEnd(ssize_t result) {
  return result < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR;
}

size_t SocketStream::write(std::span<const Piece> pieces) {
  std::array<iovec, kMostPieces> parts;
  size_t count = 0, all = 0;
  for (const Piece &piece : pieces)
    all += piece.bytes;
  if (all <= kGathered) {
    std::byte *to = gathered.get();
    for (const Piece &piece : pieces)
      if (piece.bytes)
        to = std::copy_n(static_cast<const std::byte *>(piece.data), piece.bytes, to);
    parts[count++] = {gathered.get(), all};
  } else {
    for (const Piece &piece : pieces.first(std::min(pieces.size(), kMostPieces)))
      parts[count++] = {const_cast<void *>(piece.data), piece.bytes};
  }
  msghdr message = {};
  message.msg_iov = parts.data();
  message.msg_iovlen = count;
  ssize_t n = sendmsg(socket.descriptor(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  gone |= isEnd(n);
  return size_t(std::max<ssize_t>(n, 0));
}

size_t SocketStream::read(void *memory, size_t bytes) {
  size_t had = std::min(bytes, to - from);
  if (had)
    memcpy(memory, ahead.get() + from, had);
  from += had;
  if (had == bytes || std::exchange(isDry, false))
    return had;
  iovec parts[2] = {{static_cast<std::byte *>(memory) + had, bytes - had}, {ahead.get(), kAhead}};
  msghdr message = {};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  ssize_t n = recvmsg(socket.descriptor(), &message, MSG_DONTWAIT);
  gone |= n == 0 || isEnd(n);
  isDry = n > 0 && size_t(n) < bytes - had + kAhead;
  size_t got = size_t(std::max<ssize_t>(n, 0)), here = std::min(got, bytes - had);
  from = 0, to = got - here;
  return had + here;
}

} // namespace sluice::remote
