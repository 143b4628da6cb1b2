//===- Socket.h - control sockets of PEs ------------------------*- C++ -*-===//
//
// A control socket introduces two PEs to each other, and its end tells that one of them has gone.
// It is a Unix-domain socket or one of TCP. The calls of the operating system are in Socket.cpp.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

struct pollfd;

namespace sluice::remote {

/// "unix:PATH", or "HOST:PORT" ("[::1]:7000" for IPv6).
struct Address {
  std::string path; // of a Unix-domain socket; empty: TCP
  std::string host;
  uint16_t port = 0; // 0: any that is free, to listen
};
std::optional<Address> parseAddress(const std::string &text);
std::string toText(const Address &);

/// A socket or another descriptor, closed by the destructor.
class Socket {
public:
  Socket() = default;
  explicit Socket(int fd) : fd(fd) {}
  Socket(Socket &&other) noexcept : fd(std::exchange(other.fd, -1)) {}
  Socket &operator=(Socket &&other) noexcept {
    std::swap(fd, other.fd);
    return *this;
  }
  ~Socket();
  void close();
  int descriptor() const { return fd; }
  /// The descriptor, which the caller has to close.
  int release() { return std::exchange(fd, -1); }
  /// Another descriptor of the same socket, which is closed when both are.
  Socket duplicate() const;
  explicit operator bool() const { return fd >= 0; }

private:
  int fd = -1;
};

// The functions below return a negative errno if they fail. No call waits unless it says so.

/// Listens. Removes a Unix-domain socket of that path that is left over.
int listenAt(const Address &, Socket &);
/// Where a socket listens: with the port that it got.
Address listeningAt(const Socket &, const Address &asked);
int acceptFrom(const Socket &listener, Socket &);
/// Waits until the connection is made or refused.
int connectTo(const Address &, Socket &);
/// Reads what is there. 0: the other end is closed; -EAGAIN: nothing is there.
int64_t readSome(const Socket &, void *to, size_t bytes);
/// Writes what there is room for. -EAGAIN: nothing.
int64_t writeSome(const Socket &, std::span<const std::byte>);
/// Whether the other end is closed. What it has written before need not be read.
bool isHungUp(const Socket &);
/// Waits as poll() does, for `nanos` ns (below 0: for ever), and goes on when a signal interrupts
/// it.
int await(std::span<pollfd>, int64_t nanos);
/// Waits until one of the descriptors can be read, or for `nanos` ns (below 0: for ever). Whether
/// one can.
bool awaitReadable(std::span<const int> descriptors, int64_t nanos);
/// Both ends see the end of it, whatever other descriptors there are.
void shutDown(const Socket &);
/// Writes all of it; waits `nanos` ns for room at most.
int writeAll(const Socket &, std::span<const std::byte>, int64_t nanos);
/// Who is at the other end, for messages: "process 17" or "127.0.0.1:4711".
std::string peerName(const Socket &);

/// A pair of sockets that are connected to each other. For tests, and to wake a thread.
int socketPair(Socket &, Socket &);

} // namespace sluice::remote
