//===- Connector.cpp - the TCP connections of an operator -----------------===//
#include "stdlib/native/net/Connector.h"
#include "runtime/base/process.h"
#include "runtime/base/text/Words.h"
#include "runtime/exchange/Offer.h"
#include "runtime/exec/state/Program.h"
#include "stdlib/native/net/Listening.h"
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>

namespace sluice::net {

/// A client tries again after that.
constexpr double kPause = 0.2; // s
/// How long it looks away from a connection that is being made.
constexpr double kLook = 0.002; // s

std::string portOf(const TypeDesc &type, const void *value) {
  if (type.kind == Kind::RString)
    return std::string(viewOf(*static_cast<const Str *>(value)));
  uint64_t number = 0;
  memcpy(&number, value, type.size); // little-endian: the low bytes come first
  return std::to_string(number);
}

std::string portOf(const ParamOp &op) {
  const Param *port = op.param("port");
  return port ? portOf(*port->values[0].type, port->values[0].value) : "";
}

int32_t Connector::open(ParamOp &owner) {
  op = &owner;
  isServer = op->text("role", "") == "server";
  asked = {op->text("address", ""), portOf(*op)};
  server = {op->text("applicationScope", exchange::kUsualScope), op->text("name", "")};
  if (op->param("name") && server.name.empty())
    return sl_error(op->ctx, "the name of the server is empty");
  sizes = {uint32_t(op->number("sendBufferSize", 0)), uint32_t(op->number("receiveBufferSize", 0))};
  std::string policy = op->text("reconnectionPolicy", "InfiniteRetry");
  bound = policy == "NoRetry"        ? 0
          : policy == "BoundedRetry" ? uint64_t(op->number("reconnectionBound", 0))
                                     : UINT64_MAX;
  left = isServer && bound != UINT64_MAX ? bound + 1 : bound;
  if (const Param *given = op->param("keepAlive")) {
    const TypeDesc &type = *given->values[0].type;
    int *parts[] = {&keepAlive.seconds, &keepAlive.probes, &keepAlive.interval};
    for (uint32_t i = 0; i < type.count && i < 3; ++i)
      memcpy(parts[i], static_cast<const char *>(given->values[0].value) + type.fields[i].offset,
             sizeof(int));
  }
  connections = sl_make_metric(op->ctx, op->desc, "nConnections", "connections that it has now",
                               MetricKind::Gauge, 0);
  reconnections =
      sl_make_metric(op->ctx, op->desc, "nReconnections",
                     "connections that it has made after the first one", MetricKind::Counter, 0);
  return isServer ? listen() : 0;
}

int32_t Connector::listen() {
  endpoint.port = asked.port;
  if (!server.name.empty()) {
    endpoint.takesFree = true;
    if (endpoint.port.empty())
      endpoint.port = "0";
  }
  if (chooseAddress(*op, "interface", endpoint.host))
    return 1;
  if (Problem problem = listening ? "" : listenAt(endpoint, sizes, listening); !problem.empty())
    return sl_error(op->ctx, "cannot listen at %s: %s", toText(endpoint).c_str(), problem.c_str());
  endpoint.port = std::to_string(localEnd(listening).port);
  if (Problem problem = server.name.empty() ? "" : enterName(); !problem.empty())
    return sl_error(op->ctx, "cannot register the name %s: %s", targetText().c_str(),
                    problem.c_str());
  return 0;
}

/// Clients that ask for the name are programs of this machine.
Problem Connector::enterName() {
  NamedServer own;
  own.at = endpoint;
  if (own.at.host.empty())
    own.at.host = "127.0.0.1";
  own.host = op->text("interface", "");
  if (own.host.empty())
    own.host = "localhost";
  else if (!addressesOf(own.host).empty())
    own.host = own.at.host;
  own.process = os::processNumber();
  own.program = op->ctx->program->desc.mainName;
  return entry.enter(server, own);
}

std::string Connector::targetText() const {
  if (server.name.empty())
    return toText(isServer ? endpoint : asked);
  std::string text = '"' + printable(server.name) + '"';
  return endpoint.port.empty() ? text : text + " (" + toText(endpoint) + ")";
}

void Connector::leadTo(Endpoint to) {
  asked = std::move(to);
  attempt.close();
  others.clear();
  left = bound;
  gaveUp = false;
}

/// A connection was made.
void Connector::made(const Socket &socket) {
  auto set = [&](int level, int option, int value) {
    setsockopt(socket.descriptor(), level, option, &value, sizeof value);
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1); // who sends collects first
  if (keepAlive.seconds) {
    set(SOL_SOCKET, SO_KEEPALIVE, 1);
    set(IPPROTO_TCP, TCP_KEEPIDLE, keepAlive.seconds);
    set(IPPROTO_TCP, TCP_KEEPCNT, keepAlive.probes);
    set(IPPROTO_TCP, TCP_KEEPINTVL, keepAlive.interval);
  }
  lastProblem.clear();
  connections->value.store(int64_t(++now), std::memory_order_relaxed);
  if (wasConnected)
    reconnections->value.fetch_add(1, std::memory_order_relaxed);
  wasConnected = true;
  if (!isServer)
    left = bound;
  else if (left != UINT64_MAX && --left == 0)
    entry.leave();
}

void Connector::ended() {
  connections->value.store(int64_t(--now), std::memory_order_relaxed);
  gaveUp = left == 0 && now == 0;
}

/// An attempt of a client has failed with all addresses.
void Connector::failed(Problem problem) {
  lastProblem = std::move(problem);
  gaveUp = left == 0;
  if (left != UINT64_MAX && left)
    --left;
}

/// Where a client connects now. A server that was started again may listen elsewhere.
Problem Connector::findEndpoint() {
  endpoint = asked;
  peer = asked.host;
  if (server.name.empty())
    return "";
  NamedServer found;
  if (Problem problem = findServer(server, found); !problem.empty())
    return problem;
  endpoint = std::move(found.at);
  peer = std::move(found.host);
  return "";
}

void Connector::begin() {
  std::vector<Address> found;
  Problem problem = findEndpoint();
  if (problem.empty())
    problem = resolve(endpoint, Use::Stream, false, found);
  if (!problem.empty())
    return failed(problem);
  others.assign(found.rbegin(), found.rend());
  for (int error = 0; !others.empty();) {
    error = beginConnect(others.back(), sizes, attempt);
    others.pop_back();
    if (error && others.empty())
      failed(problemOf(error));
    if (!error)
      return;
  }
}

/// The connection that was begun: made, refused, or neither yet.
bool Connector::advance(Socket &to) {
  int error = 0;
  Progress progress = progressOf(attempt, error);
  if (progress == Progress::Done) {
    to = std::move(attempt);
    attempt.close();
    made(to);
    return true;
  }
  while (progress == Progress::Failed || error) {
    attempt.close();
    if (others.empty()) {
      failed(problemOf(error));
      return false;
    }
    error = beginConnect(others.back(), sizes, attempt);
    others.pop_back();
    progress = Progress::Going;
  }
  return false;
}

bool Connector::step(Socket &to, bool begins) {
  if (gaveUp)
    return false;
  if (isServer) {
    if (!left || remote::acceptFrom(listening, to))
      return false;
    made(to);
    return true;
  }
  if (!attempt && begins)
    begin();
  return attempt && advance(to);
}

Connector::Wait Connector::wait() const {
  if (isServer)
    return {listening.descriptor(), 0};
  return {-1, attempt ? kLook : kPause};
}

} // namespace sluice::net
