//===- Names.h - servers that clients find by a name ------------*- C++ -*-===//
//
// A server with a name has a file SCOPE.NAME.server in the registry of the user's jobs
// (runtime/exchange/Registry.h), which says where it listens. The file is locked while the server
// lives: one that is not locked is left from a process that was killed, and does not count. The
// file appears as a whole, and whoever looks at files or adds one holds the lock of `.servers`
// meanwhile: so a lock of a server's file is that of the server.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/net/Endpoint.h"
#include <string>

namespace sluice::net {

/// The name of a server. It is one in its application scope.
struct ServerName {
  std::string scope, name;
};

/// What a server says of itself.
struct NamedServer {
  Endpoint at;      // its address and its port, as numbers
  std::string host; // whom its certificate names
  int process = 0;
  std::string program;
  bool operator==(const NamedServer &) const = default;
};

/// Where the server of that name listens now.
Problem findServer(const ServerName &, NamedServer &to);

/// The entry of a server of this process, for as long as this lives.
class NameEntry {
public:
  NameEntry() = default;
  ~NameEntry() { leave(); }
  NameEntry(const NameEntry &) = delete;
  /// Others find the server from now on.
  Problem enter(const ServerName &, const NamedServer &);
  /// Others find it no more.
  void leave();

private:
  std::string path; // empty: there is none
  int lock = -1;
};

} // namespace sluice::net
