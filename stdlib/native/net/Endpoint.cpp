//===- Endpoint.cpp - where TCP and UDP lead to ---------------------------===//
#include "stdlib/native/net/Endpoint.h"
#include "runtime/base/os.h"
#include <arpa/inet.h>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>

namespace sluice::net {

std::string toText(const Endpoint &at) {
  if (at.host.empty())
    return "port " + at.port;
  bool isSix = at.host.find(':') != std::string::npos;
  return (isSix ? "[" + at.host + "]" : at.host) + ":" + at.port;
}

Problem problemOf(int error) { return os::errorText(error < 0 ? -error : error); }

//===--- addresses ------------------------------------------------------------===//

Numbers numbersOf(const Address &address) {
  char host[NI_MAXHOST], port[NI_MAXSERV];
  if (getnameinfo(address.get(), address.bytes, host, sizeof host, port, sizeof port,
                  NI_NUMERICHOST | NI_NUMERICSERV))
    return {};
  Numbers numbers{host, 0};
  if (numbers.host.starts_with("::ffff:")) // of IPv4, by a socket of IPv6
    numbers.host.erase(0, strlen("::ffff:"));
  std::from_chars(port, port + strlen(port), numbers.port);
  return numbers;
}

static Numbers endOf(const Socket &socket, int (*get)(int, sockaddr *, socklen_t *)) {
  Address address;
  address.bytes = sizeof address.name;
  if (get(socket.descriptor(), reinterpret_cast<sockaddr *>(&address.name), &address.bytes))
    return {};
  return numbersOf(address);
}
Numbers localEnd(const Socket &socket) { return endOf(socket, getsockname); }
Numbers remoteEnd(const Socket &socket) { return endOf(socket, getpeername); }

/// Calls `each` with the name and an address of each network interface that has some.
template <typename Each> static void forEachInterface(Each each) {
  ifaddrs *all = nullptr;
  if (getifaddrs(&all))
    return;
  for (ifaddrs *entry = all; entry; entry = entry->ifa_next) {
    Address own;
    int family = entry->ifa_addr ? entry->ifa_addr->sa_family : AF_UNSPEC;
    if (family != AF_INET && family != AF_INET6)
      continue;
    own.bytes = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    memcpy(&own.name, entry->ifa_addr, own.bytes);
    each(entry->ifa_name, own);
  }
  freeifaddrs(all);
}

std::vector<std::string> addressesOf(const std::string &interface) {
  std::vector<std::string> four, six;
  forEachInterface([&](const char *name, const Address &own) {
    if (name == interface)
      (own.family() == AF_INET ? four : six).push_back(numbersOf(own).host);
  });
  four.insert(four.end(), six.begin(), six.end());
  return four;
}

bool isLoopback(const std::string &address) {
  in_addr four;
  if (inet_pton(AF_INET, address.c_str(), &four) == 1)
    return ntohl(four.s_addr) >> 24 == IN_LOOPBACKNET;
  in6_addr six;
  return inet_pton(AF_INET6, address.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

Problem resolve(const Endpoint &at, Use use, bool listens, std::vector<Address> &to) {
  bool isNumber = at.port.find_first_not_of("0123456789") == at.port.npos;
  if (isNumber && (at.port.empty() || at.port.size() > 5 || std::stoi(at.port) > 65535 ||
                   (std::stoi(at.port) == 0 && !at.takesFree)))
    return "there is no port " + at.port;
  addrinfo hints = {}, *found = nullptr;
  hints.ai_socktype = use == Use::Stream ? SOCK_STREAM : SOCK_DGRAM;
  hints.ai_flags = listens ? AI_PASSIVE : 0;
  const char *host = at.host.empty() ? nullptr : at.host.c_str();
  if (int failed = getaddrinfo(host, at.port.c_str(), &hints, &found)) {
    if (failed == EAI_SERVICE)
      return "there is no service with the name " + at.port;
    return failed == EAI_SYSTEM ? problemOf(errno) : gai_strerror(failed);
  }
  to.clear();
  for (addrinfo *info = found; info; info = info->ai_next) {
    memcpy(&to.emplace_back().name, info->ai_addr, info->ai_addrlen);
    to.back().bytes = info->ai_addrlen;
  }
  freeaddrinfo(found);
  return {};
}

//===--- sockets --------------------------------------------------------------===//

static void setBuffers(const Socket &socket, BufferSizes sizes) {
  for (auto [option, size] : {std::pair(SO_SNDBUF, sizes.send), {SO_RCVBUF, sizes.receive}})
    if (size)
      setsockopt(socket.descriptor(), SOL_SOCKET, option, &size, sizeof size);
}

static void turn(const Socket &socket, int level, int option, int value) {
  setsockopt(socket.descriptor(), level, option, &value, sizeof value);
}

static bool isGroup(const Address &address) {
  if (address.family() == AF_INET6)
    return IN6_IS_ADDR_MULTICAST(&reinterpret_cast<const sockaddr_in6 &>(address.name).sin6_addr);
  return IN_MULTICAST(ntohl(reinterpret_cast<const sockaddr_in &>(address.name).sin_addr.s_addr));
}

bool isGroup(const Endpoint &at) {
  std::vector<Address> addresses;
  return !at.host.empty() && resolve(at, Use::Datagrams, true, addresses).empty() &&
         isGroup(addresses[0]);
}

/// A socket that is bound to an address, for IPv4 as well if that is any of IPv6. 0, or a negative
/// errno. Several processes may receive what is sent to a group; datagrams to one of this machine
/// would come to either.
static int bindTo(const Address &address, Use use, BufferSizes sizes, Socket &to) {
  int type = use == Use::Stream ? SOCK_STREAM : SOCK_DGRAM;
  Socket made(socket(address.family(), type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!made)
    return -errno;
  turn(made, SOL_SOCKET, SO_REUSEADDR, use == Use::Stream || isGroup(address));
  if (address.family() == AF_INET6)
    turn(made, IPPROTO_IPV6, IPV6_V6ONLY, 0);
  setBuffers(made, sizes); // before the connections that inherit them
  if (bind(made.descriptor(), address.get(), address.bytes))
    return -errno;
  to = std::move(made);
  return 0;
}

/// Binds to the first address that allows it; those of IPv6 come first where all are meant, as
/// they stand for those of IPv4.
static Problem bindAny(const Endpoint &at, Use use, BufferSizes sizes, Socket &to) {
  std::vector<Address> addresses;
  if (Problem problem = resolve(at, use, /*listens=*/true, addresses); !problem.empty())
    return problem;
  int failed = 0;
  for (int family : {AF_INET6, AF_INET})
    for (const Address &address : addresses)
      if (address.family() == family && !(failed = bindTo(address, use, sizes, to)))
        return {};
  return problemOf(failed);
}

Problem listenAt(const Endpoint &at, BufferSizes sizes, Socket &to) {
  if (Problem problem = bindAny(at, Use::Stream, sizes, to); !problem.empty())
    return problem;
  return listen(to.descriptor(), SOMAXCONN) ? problemOf(errno) : Problem();
}

int beginConnect(const Address &address, BufferSizes sizes, Socket &to) {
  Socket made(socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!made)
    return -errno;
  setBuffers(made, sizes);
  if (connect(made.descriptor(), address.get(), address.bytes) && errno != EINPROGRESS)
    return -errno;
  to = std::move(made);
  return 0;
}

Progress progressOf(const Socket &socket, int &error) {
  pollfd file = {socket.descriptor(), POLLOUT, 0};
  if (poll(&file, 1, 0) <= 0)
    return Progress::Going;
  socklen_t size = sizeof error;
  if (getsockopt(socket.descriptor(), SOL_SOCKET, SO_ERROR, &error, &size))
    error = errno;
  return error ? Progress::Failed : Progress::Done;
}

//===--- datagrams ------------------------------------------------------------===//

/// The number of the interface with an address; 0: there is none.
static unsigned interfaceOf(const std::string &address) {
  unsigned found = 0;
  forEachInterface([&](const char *name, const Address &own) {
    if (!found && numbersOf(own).host == address)
      found = if_nametoindex(name);
  });
  return found;
}

/// The socket gets what is sent to the group by way of that interface, and no more: not what comes
/// by others because another program has joined the group there. 0, or a negative errno.
static int join(const Socket &socket, const Address &group, const std::string &interface) {
  if (group.family() == AF_INET6) {
    turn(socket, IPPROTO_IPV6, IPV6_MULTICAST_ALL, 0);
    ipv6_mreq request = {};
    request.ipv6mr_multiaddr = reinterpret_cast<const sockaddr_in6 &>(group.name).sin6_addr;
    if (!interface.empty() && !(request.ipv6mr_interface = interfaceOf(interface)))
      return -EADDRNOTAVAIL;
    return setsockopt(socket.descriptor(), IPPROTO_IPV6, IPV6_JOIN_GROUP, &request, sizeof request)
               ? -errno
               : 0;
  }
  turn(socket, IPPROTO_IP, IP_MULTICAST_ALL, 0);
  ip_mreq request = {};
  request.imr_multiaddr = reinterpret_cast<const sockaddr_in &>(group.name).sin_addr;
  if (!interface.empty()) {
    std::vector<Address> own;
    if (!resolve({interface, "1"}, Use::Datagrams, true, own).empty() || own[0].family() != AF_INET)
      return -EADDRNOTAVAIL;
    request.imr_interface = reinterpret_cast<const sockaddr_in &>(own[0].name).sin_addr;
  }
  return setsockopt(socket.descriptor(), IPPROTO_IP, IP_ADD_MEMBERSHIP, &request, sizeof request)
             ? -errno
             : 0;
}

Problem receiveAt(const Endpoint &at, const std::string &interface, BufferSizes sizes, Socket &to) {
  if (Problem problem = bindAny(at, Use::Datagrams, sizes, to); !problem.empty())
    return problem;
  if (!isGroup(at))
    return {};
  std::vector<Address> addresses;
  if (Problem problem = resolve(at, Use::Datagrams, true, addresses); !problem.empty())
    return problem;
  int failed = join(to, addresses[0], interface);
  return failed ? problemOf(failed) : Problem();
}

int64_t receiveFrom(const Socket &socket, char *to, size_t room, Address &from) {
  from.bytes = sizeof from.name;
  ssize_t n = recvfrom(socket.descriptor(), to, room, MSG_DONTWAIT,
                       reinterpret_cast<sockaddr *>(&from.name), &from.bytes);
  return n < 0 ? -errno : n;
}

Problem sendTo(const Endpoint &at, BufferSizes sizes, uint8_t timeToLive, Socket &to,
               Address &address) {
  std::vector<Address> addresses;
  if (Problem problem = resolve(at, Use::Datagrams, false, addresses); !problem.empty())
    return problem;
  address = addresses[0];
  to = Socket(socket(address.family(), SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!to)
    return problemOf(errno);
  setBuffers(to, sizes);
  if (isLoopback(numbersOf(address).host)) { // else the system takes an address that others reach
    Address own = address;
    (own.family() == AF_INET6 ? reinterpret_cast<sockaddr_in6 &>(own.name).sin6_port
                              : reinterpret_cast<sockaddr_in &>(own.name).sin_port) = 0;
    if (bind(to.descriptor(), own.get(), own.bytes))
      return problemOf(errno);
  }
  if (address.family() == AF_INET6)
    turn(to, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, timeToLive);
  else
    turn(to, IPPROTO_IP, IP_MULTICAST_TTL, timeToLive);
  return {};
}

int sendDatagram(const Socket &socket, std::string_view datagram, const Address &to) {
  ssize_t n;
  do
    n = sendto(socket.descriptor(), datagram.data(), datagram.size(), MSG_NOSIGNAL, to.get(),
               to.bytes);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : 0;
}

} // namespace sluice::net
