//===- Connector.h - the TCP connections of an operator ---------*- C++ -*-===//
//
// Makes the connections of an operator as its parameters say (role, address, port, name, interface,
// reconnectionPolicy, reconnectionBound): it listens and takes them one at a time, or connects, and
// tries again what has failed. A server with a name registers it, and a client with one looks it up
// each time it begins to connect. No call waits but for a name server.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/metrics.h"
#include "stdlib/native/Params.h"
#include "stdlib/native/net/Names.h"

namespace sluice::net {

/// The value of parameter `port`, a number or the name of a service.
std::string portOf(const TypeDesc &, const void *value);
std::string portOf(const ParamOp &);

class Connector {
public:
  /// What to wait for before step() is called again: for `readable`, or so many seconds where that
  /// is below 0.
  struct Wait {
    int readable;
    double seconds;
  };

  /// Reads the parameters, and listens. 0, or 1 after sl_error.
  int32_t open(ParamOp &);
  /// Of a server, before open(): it listens with that socket, as an earlier process did.
  void listenWith(Socket socket) { listening = std::move(socket); }
  /// Goes on with a connection that an earlier process has made.
  void resume(const Socket &socket) { made(socket); }
  /// Of a client: the next connection leads there.
  void leadTo(Endpoint);
  const Endpoint &target() const { return asked; }
  /// The name or the endpoint of the server, for messages.
  std::string targetText() const;
  /// Of a client: whom the certificate of the other end has to name.
  const std::string &peerName() const { return peer; }
  /// Of a server.
  const Socket &listener() const { return listening; }
  /// Of a server: clients do not find it by its name any more.
  void leaveName() { entry.leave(); }
  /// A server may take another connection while it has some.
  bool takesMore() const { return left > 0; }
  /// Goes on to make a connection. True: `to` is one. Not `begins`: a client only looks how far the
  /// attempt is that was begun.
  bool step(Socket &to, bool begins = true);
  /// After step() was false.
  Wait wait() const;
  /// A connection that step() has made has ended.
  void ended();
  /// There will be no more connection.
  bool givesUp() const { return gaveUp; }
  /// There was none, and there will be none.
  bool hasFailed() const { return gaveUp && !wasConnected; }
  /// A client has begun to connect, and may succeed.
  bool isConnecting() const { return bool(attempt); }
  /// Why there is no connection; empty: nothing has failed.
  const Problem &problem() const { return lastProblem; }

private:
  int32_t listen();
  Problem enterName();
  Problem findEndpoint();
  void begin();
  bool advance(Socket &to);
  void failed(Problem);
  void made(const Socket &);

  ParamOp *op = nullptr;
  Endpoint asked;    // by the parameters, or by the tuple
  ServerName server; // its name is empty: it has none
  Endpoint endpoint; // where a server listens, and a client connects
  std::string peer;
  bool isServer = false, gaveUp = false;
  BufferSizes sizes;
  struct KeepAlive {
    int seconds = 0, probes = 0, interval = 0;
  } keepAlive;
  /// How many more attempts a client has after one that has failed, and how many more connections
  /// a server takes.
  uint64_t bound = 0, left = 0;
  uint64_t now = 0; // connections that there are
  Socket listening, attempt;
  NameEntry entry;             // leaves before nobody listens
  std::vector<Address> others; // of the host that were not tried yet, the last one first
  Problem lastProblem;
  Metric *connections = nullptr, *reconnections = nullptr;
  bool wasConnected = false;
};

} // namespace sluice::net
