//===- Socket.cpp - control sockets of PEs --------------------------------===//
#include "runtime/remote/peer/Socket.h"
#include "runtime/base/os.h"
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace sluice::remote {

std::optional<Address> parseAddress(const std::string &text) {
  Address address;
  if (text.starts_with("unix:")) {
    address.path = text.substr(5);
    return address.path.empty() ? std::nullopt : std::optional(address);
  }
  size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0)
    return std::nullopt;
  address.host = text.substr(0, colon);
  if (address.host.front() == '[' && address.host.back() == ']')
    address.host = address.host.substr(1, address.host.size() - 2);
  else if (address.host.find(':') != std::string::npos)
    return std::nullopt; // IPv6 is written with brackets
  const char *from = text.data() + colon + 1, *to = text.data() + text.size();
  auto [end, error] = std::from_chars(from, to, address.port);
  if (address.host.empty() || error != std::errc() || end != to)
    return std::nullopt;
  return address;
}

std::string toText(const Address &address) {
  if (!address.path.empty())
    return "unix:" + address.path;
  bool six = address.host.find(':') != std::string::npos;
  return (six ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

Socket::~Socket() { close(); }
void Socket::close() {
  if (fd >= 0)
    ::close(fd);
  fd = -1;
}
Socket Socket::duplicate() const { return Socket(fcntl(fd, F_DUPFD_CLOEXEC, 0)); }

namespace {

struct Resolved {
  sockaddr_storage name = {};
  socklen_t bytes = 0;
};

int resolve(const Address &address, bool listens, Resolved &to) {
  if (!address.path.empty()) {
    sockaddr_un name = {};
    name.sun_family = AF_UNIX;
    if (address.path.size() >= sizeof name.sun_path)
      return -ENAMETOOLONG;
    memcpy(name.sun_path, address.path.data(), address.path.size());
    memcpy(&to.name, &name, sizeof name);
    to.bytes = sizeof name;
    return 0;
  }
  addrinfo hints = {}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | (listens ? AI_PASSIVE : 0);
  if (getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found))
    return -EADDRNOTAVAIL;
  memcpy(&to.name, found->ai_addr, found->ai_addrlen);
  to.bytes = found->ai_addrlen;
  freeaddrinfo(found);
  return 0;
}

int failed() { return -errno; }

const sockaddr *nameOf(const Resolved &at) { return reinterpret_cast<const sockaddr *>(&at.name); }

} // namespace

int listenAt(const Address &address, Socket &listener) {
  Resolved at;
  if (int error = resolve(address, true, at))
    return error;
  Socket made(socket(at.name.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!made)
    return failed();
  int one = 1;
  struct stat old;
  if (address.path.empty())
    setsockopt(made.descriptor(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  else if (lstat(address.path.c_str(), &old) == 0 && S_ISSOCK(old.st_mode))
    unlink(address.path.c_str());
  if (bind(made.descriptor(), nameOf(at), at.bytes) || ::listen(made.descriptor(), 64))
    return failed();
  listener = std::move(made);
  return 0;
}

Address listeningAt(const Socket &listener, const Address &asked) {
  Address at = asked;
  sockaddr_storage name = {};
  socklen_t bytes = sizeof name;
  if (getsockname(listener.descriptor(), reinterpret_cast<sockaddr *>(&name), &bytes))
    return at;
  if (name.ss_family == AF_INET)
    at.port = ntohs(reinterpret_cast<sockaddr_in &>(name).sin_port);
  else if (name.ss_family == AF_INET6)
    at.port = ntohs(reinterpret_cast<sockaddr_in6 &>(name).sin6_port);
  return at;
}

int acceptFrom(const Socket &listener, Socket &to) {
  Socket made(accept4(listener.descriptor(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!made)
    return failed();
  to = std::move(made);
  return 0;
}

int connectTo(const Address &address, Socket &to) {
  Resolved at;
  if (int error = resolve(address, false, at))
    return error;
  Socket made(socket(at.name.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!made || connect(made.descriptor(), nameOf(at), at.bytes))
    return failed();
  if (address.path.empty()) { // the kernel finds out that a host is gone
    int one = 1;
    setsockopt(made.descriptor(), SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
    setsockopt(made.descriptor(), IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  }
  to = std::move(made);
  return 0;
}

int64_t readSome(const Socket &from, void *to, size_t bytes) {
  ssize_t n;
  do
    n = recv(from.descriptor(), to, bytes, MSG_DONTWAIT);
  while (n < 0 && errno == EINTR);
  return n < 0 ? failed() : n;
}

int64_t writeSome(const Socket &to, std::span<const std::byte> bytes) {
  ssize_t n;
  do
    n = send(to.descriptor(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  while (n < 0 && errno == EINTR);
  return n < 0 ? failed() : n;
}

bool isHungUp(const Socket &socket) {
  pollfd file = {socket.descriptor(), POLLRDHUP, 0};
  return poll(&file, 1, 0) > 0;
}

void shutDown(const Socket &socket) { shutdown(socket.descriptor(), SHUT_RDWR); }

int await(std::span<pollfd> files, int64_t nanos) {
  const int64_t end = nanos < 0 ? 0 : os::now() + nanos;
  for (;;) {
    timespec left = {nanos / os::kNanos, nanos % os::kNanos};
    int ready = ppoll(files.data(), files.size(), nanos < 0 ? nullptr : &left, nullptr);
    if (ready >= 0 || errno != EINTR)
      return ready;
    if (nanos >= 0)
      nanos = std::max<int64_t>(end - os::now(), 0);
  }
}

bool awaitReadable(std::span<const int> descriptors, int64_t nanos) {
  std::vector<pollfd> files;
  for (int descriptor : descriptors)
    files.push_back({descriptor, POLLIN, 0});
  return await(files, nanos) > 0;
}

int writeAll(const Socket &to, std::span<const std::byte> bytes, int64_t nanos) {
  int64_t end = os::now() + nanos;
  while (!bytes.empty()) {
    int64_t n = writeSome(to, bytes);
    if (n >= 0) {
      bytes = bytes.subspan(size_t(n));
    } else if (n == -EAGAIN) {
      int64_t left = end - os::now();
      if (left <= 0)
        return -ETIMEDOUT;
      pollfd file = {to.descriptor(), POLLOUT, 0};
      poll(&file, 1, int(left / 1'000'000) + 1);
    } else {
      return int(n);
    }
  }
  return 0;
}

std::string peerName(const Socket &socket) {
  sockaddr_storage name = {};
  socklen_t bytes = sizeof name;
  if (getpeername(socket.descriptor(), reinterpret_cast<sockaddr *>(&name), &bytes))
    return "a process that has gone";
  if (name.ss_family == AF_UNIX) {
    ucred who = {};
    socklen_t size = sizeof who;
    if (getsockopt(socket.descriptor(), SOL_SOCKET, SO_PEERCRED, &who, &size))
      return "a process";
    return "process " + std::to_string(who.pid);
  }
  char host[NI_MAXHOST], port[NI_MAXSERV];
  if (getnameinfo(reinterpret_cast<sockaddr *>(&name), bytes, host, sizeof host, port, sizeof port,
                  NI_NUMERICHOST | NI_NUMERICSERV))
    return "a host";
  return std::string(host) + ":" + port;
}

int socketPair(Socket &one, Socket &other) {
  int files[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, files))
    return failed();
  one = Socket(files[0]);
  other = Socket(files[1]);
  return 0;
}

} // namespace sluice::remote
