//===- Endpoint.h - where TCP and UDP lead to -------------------*- C++ -*-===//
#pragma once
#include "runtime/remote/peer/Socket.h"
#include <string_view>
#include <sys/socket.h>
#include <vector>

namespace sluice::net {

using remote::Socket;

/// A host or its address, and a port or the name of a service. No host: all addresses of this
/// machine.
struct Endpoint {
  std::string host, port;
  bool takesFree = false; // port 0, to listen: one that is free
  bool operator==(const Endpoint &) const = default;
};
/// "HOST:PORT" or "port PORT", for messages.
std::string toText(const Endpoint &);

/// An address as the operating system has it.
struct Address {
  sockaddr_storage name = {};
  socklen_t bytes = 0;
  int family() const { return name.ss_family; }
  const sockaddr *get() const { return reinterpret_cast<const sockaddr *>(&name); }
};
/// Of one end of a connection, or of who has sent a datagram.
struct Numbers {
  std::string host;
  uint32_t port = 0;
};
Numbers numbersOf(const Address &);
Numbers localEnd(const Socket &);
Numbers remoteEnd(const Socket &);
/// The addresses of the network interface with this name, as numbers; those of IPv4 come first.
std::vector<std::string> addressesOf(const std::string &interface);
/// Whether an address, as a number, is one that only programs of this machine reach.
bool isLoopback(const std::string &address);

/// What could not be done, as an error message ends; empty: it was done.
using Problem = std::string;
Problem problemOf(int error);

enum class Use { Stream, Datagrams };
/// The addresses of an endpoint, at least one. `listens`: to bind to. It may wait for the answer of
/// a name server.
Problem resolve(const Endpoint &, Use, bool listens, std::vector<Address> &);

/// Sizes in bytes; 0: as the operating system has it.
struct BufferSizes {
  uint32_t send = 0, receive = 0;
};

/// Listens for connections.
Problem listenAt(const Endpoint &, BufferSizes, Socket &);
/// Whether it has the address of a multicast group.
bool isGroup(const Endpoint &);
/// Receives datagrams. A group is joined at the interface with the address `interface`, or at the
/// default one where that is empty.
Problem receiveAt(const Endpoint &, const std::string &interface, BufferSizes, Socket &);
/// A datagram, and who has sent it. Its size, or a negative errno.
int64_t receiveFrom(const Socket &, char *to, size_t room, Address &from);
/// Makes what sendDatagram() needs. `timeToLive`: the routers that a datagram to a multicast group
/// may pass.
Problem sendTo(const Endpoint &, BufferSizes, uint8_t timeToLive, Socket &, Address &to);
/// Waits for room. 0, or a negative errno.
int sendDatagram(const Socket &, std::string_view datagram, const Address &to);
/// Begins to connect, and does not wait for it. 0, or a negative errno.
int beginConnect(const Address &, BufferSizes, Socket &);
enum class Progress { Going, Done, Failed };
/// How far that is; Failed: `error` is the errno.
Progress progressOf(const Socket &, int &error);

} // namespace sluice::net
