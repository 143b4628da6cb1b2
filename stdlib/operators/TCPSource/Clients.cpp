//===- Clients.cpp - connections of which the bytes come in pieces --------===//
#include "stdlib/operators/TCPSource/Clients.h"
#include <algorithm>
#include <cerrno>
#include <span>
#include <utility>

namespace sluice {

static constexpr size_t kPiece = 64 * 1024; // bytes that are read of one at once
static constexpr size_t kTurns = 64;        // connections whose turn is known at once

/// `supply` keeps references to the numbers, so a client stays where it is.
struct Clients::Client {
  explicit Client(ParamOp &op) : lines(&op), rows(op, lines, RowReader::Origin::Network) {
    rows.supply("RemoteIP", remote.host);
    rows.supply("RemotePort", remote.port);
    rows.supply("LocalPort", local.port);
    rows.supply("ServerPort", local.port);
  }
  net::Channel channel;
  net::Numbers local, remote;
  std::string name;
  LineReader lines;
  RowReader rows;
};

Clients::Clients(ParamOp &op, net::Connector &connector, const net::Tls &tls)
    : op(op), connector(connector), tls(tls) {}
Clients::~Clients() = default;

int32_t Clients::failed(int error) const {
  return sl_error(op.ctx, "cannot serve several connections: %s", net::problemOf(error).c_str());
}

int32_t Clients::open(uint32_t number) {
  most = number;
  piece = std::make_unique_for_overwrite<char[]>(kPiece);
  if (int error = ready.open())
    return failed(-error);
  return 0;
}

/// Whether `ready` has the listener, which is the one without a tag.
int32_t Clients::listen(bool on) {
  if (std::exchange(isListening, on) == on)
    return 0;
  int error = on ? ready.add(connector.listener(), nullptr) : ready.remove(connector.listener());
  return error ? failed(-error) : 0;
}

int32_t Clients::take(net::Socket socket) {
  auto client = std::make_unique<Client>(op);
  client->local = net::localEnd(socket);
  client->remote = net::remoteEnd(socket);
  client->name = toText(net::Endpoint{client->remote.host, std::to_string(client->remote.port)});
  client->channel.open(std::move(socket), tls, connector.peerName());
  if (client->rows.open())
    return 1;
  client->lines.openPieces(client->rows.eolMarker());
  client->rows.begin(client->name, 0);
  if (int error = ready.add(client->channel.socket(), client.get()))
    return failed(-error);
  clients.push_back(std::move(client));
  return 0;
}

/// Takes who has connected, as far as there is room.
int32_t Clients::acceptAll() {
  net::Socket socket;
  while (clients.size() < most && connector.step(socket))
    if (int32_t result = take(std::move(socket)))
      return result;
  return listen(clients.size() < most && connector.takesMore());
}

int32_t Clients::process() {
  void *turns[kTurns];
  for (;;) {
    if (int32_t result = acceptAll(); result || connector.givesUp())
      return result;
    if (sl_await_readable(op.ctx, ready.descriptor()))
      return 0;
    for (void *turn : std::span(turns, ready.ready(turns)))
      if (int32_t result = turn ? serve(*static_cast<Client *>(turn)) : 0)
        return result;
  }
}

int32_t Clients::serveOne(net::Socket socket) {
  int32_t result = take(std::move(socket));
  while (!result && !clients.empty()) {
    // A client of TLS speaks first.
    result = serve(*clients.front());
    if (!result && !clients.empty() &&
        sl_await_readable(op.ctx, clients.front()->channel.socket().descriptor()))
      break;
  }
  return result;
}

/// The next piece of one, if it can be read.
int32_t Clients::serve(Client &client) {
  int64_t n = client.channel.read(piece.get(), kPiece);
  if (n == -EAGAIN)
    return 0;
  if (n == -EPROTO && op.text("role", "") == "client") // it would fail again
    return sl_error(op.ctx, "cannot connect to %s: %s", client.name.c_str(),
                    client.channel.problem(n).c_str());
  if (n < 0) {
    sl_warn(op.ctx, op.desc, "the connection of %s has broken off: %s", client.name.c_str(),
            client.channel.problem(n).c_str());
    return finish(client);
  }
  if (n == 0)
    client.lines.addEnd();
  else if (!client.lines.add({piece.get(), size_t(n)}))
    return sl_error(op.ctx, "cannot read what %s sends: %s", client.name.c_str(),
                    client.lines.error().c_str());
  if (int32_t result = readRows(client))
    return result;
  return n ? 0 : finish(client);
}

int32_t Clients::readRows(Client &client) {
  while (client.rows.next() == LineReader::Status::Line) { // else the end, or that of the pieces
    int32_t result = client.rows.read();
    if (result || (result = sl_save_point(op.ctx)))
      return result;
    if (client.rows.awaitsMore())
      break;
  }
  return 0;
}

/// The connection has ended.
int32_t Clients::finish(Client &client) {
  client.rows.reportBad();
  bool isMarked = client.rows.hasPunctuation();
  std::erase_if(clients, [&](auto &each) { return each.get() == &client; });
  connector.ended();
  return isMarked ? 0 : op.submitPunct(0, PunctuationKind::Window);
}

} // namespace sluice
