//===- TCPSource.cpp - spl.adapter::TCPSource -----------------------------===//
//
// The connections (Connector); what comes by one is read by a RowReader. After an interrupt no
// window punctuation follows. A server that serves several at once has Clients, and so has TLS.
// Others have a KeptConnection where the program may be started again.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/csv/RowReader.h"
#include "stdlib/native/net/Connector.h"
#include "stdlib/operators/TCPSource/Clients.h"
#include "stdlib/operators/TCPSource/KeptConnection.h"

namespace sluice {
namespace {

class TCPSource : public ParamOp {
public:
  Saves saves() const override { return Saves::Stateless; }
  bool hasSavePoints() const override { return true; }
  int32_t open() override;
  int32_t process() override;
  bool finishes() const override { return true; }

private:
  bool connect();
  int32_t serve();
  int32_t readConnection();
  int32_t readRows();
  int32_t openKept();
  int32_t readKept();
  int32_t readPieces(bool &givenUp);
  int32_t endKept();
  int32_t brokenOff(std::string_view problem);
  std::string peerName() const {
    return toText(net::Endpoint{remote.host, std::to_string(remote.port)});
  }

  Conversion conversion;
  net::Connector connector;
  net::Socket socket;
  net::Numbers local, remote;
  net::Tls tls;
  std::unique_ptr<Clients> clients; // with several at once, or TLS
  bool servesSeveral = false;
  std::optional<KeptConnection> kept; // where a launcher holds what is open
  bool keepsConnections = false;
  KeptConnection::Found found = KeptConnection::Found::None; // of an earlier process
  LineReader lines{this};
  RowReader rows{*this, lines, RowReader::Origin::Network};
};

int32_t TCPSource::open() {
  if (conversion.configure(*this))
    return 1;
  rows.supply("RemoteIP", remote.host);
  rows.supply("RemotePort", remote.port);
  rows.supply("LocalPort", local.port);
  rows.supply("ServerPort", text("role", "") == "server" ? local.port : remote.port);
  if (rows.open() || tls.open(*this) || openKept())
    return 1;
  auto most = uint32_t(number("maxConnections", 1));
  servesSeveral = most > 1;
  keepsConnections = kept && !servesSeveral && !tls && !conversion && !rows.hasPunctuation();
  if (!servesSeveral && !tls)
    return 0;
  if (conversion)
    return sl_error(ctx, "with %s there is neither compression nor encoding yet",
                    tls ? "TLS" : "maxConnections");
  clients = std::make_unique<Clients>(*this, connector, tls);
  return clients->open(most);
}

/// Opens the connector; its listener is that of an earlier process, if there is one.
int32_t TCPSource::openKept() {
  if (!kept.emplace().open(*this))
    kept.reset();
  if (kept)
    connector.listenWith(kept->findListener());
  if (connector.open(*this))
    return 1;
  if (int error = kept && connector.listener() ? kept->keepListener(connector.listener()) : 0)
    sl_warn(ctx, desc, "the launcher does not hold its socket: %s", net::problemOf(-error).c_str());
  return 0;
}

/// Waits for a connection. False: there is none any more, or the program ends.
bool TCPSource::connect() {
  using enum KeptConnection::Found;
  found = keepsConnections ? kept->resume(socket, local, remote) : None;
  if (found == Connection) {
    connector.resume(socket);
    return true;
  }
  if (found == Lost)
    sl_warn(
        ctx, desc,
        "a connection of the process that has died is lost: its log does not say how far it was");
  std::string said;
  while (!connector.step(socket)) {
    const net::Problem &problem = connector.problem();
    if (problem != said && !connector.hasFailed())
      sl_warn(ctx, desc, "cannot connect to %s: %s%s", connector.targetText().c_str(),
              problem.c_str(), connector.givesUp() ? "" : "; it tries again");
    said = problem;
    net::Connector::Wait wait = connector.wait();
    if (connector.givesUp() ||
        (wait.readable >= 0 ? sl_await_readable(ctx, wait.readable) : sl_wait(ctx, wait.seconds)))
      return false;
  }
  return true;
}

int32_t TCPSource::process() {
  if (sl_wait(ctx, number("initDelay", 0)))
    return 0;
  if (servesSeveral)
    return clients->process();
  while (!connector.givesUp() && connect()) {
    int32_t result = serve();
    if (result || sl_is_shutdown(ctx))
      return result;
  }
  if (kept)
    kept->dropListener();
  return connector.hasFailed()
             ? sl_error(ctx,
                        "cannot connect to %s: %s; it does not try again, as "
                        "`reconnectionPolicy` says",
                        connector.targetText().c_str(), connector.problem().c_str())
             : 0;
}

int32_t TCPSource::serve() {
  if (clients)
    return clients->serveOne(std::move(socket));
  bool isKept = found == KeptConnection::Found::Connection;
  if (!isKept) {
    local = net::localEnd(socket);
    remote = net::remoteEnd(socket);
    int error = keepsConnections ? kept->begin(socket, local, remote) : 0;
    if (error)
      sl_warn(ctx, desc, "the launcher does not hold the connection of %s: %s", peerName().c_str(),
              net::problemOf(-error).c_str());
    isKept = keepsConnections && !error;
  }
  int32_t result = isKept ? readKept() : readConnection();
  socket.close();
  connector.ended();
  return result;
}

int32_t TCPSource::readConnection() {
  lines.openSocket(socket.descriptor(), {conversion}, rows.eolMarker());
  std::string name = peerName();
  rows.begin(name, 0);
  int32_t result = readRows();
  lines.close();
  rows.reportBad();
  if (result || sl_is_shutdown(ctx) || rows.hasPunctuation())
    return result;
  return submitPunct(0, PunctuationKind::Window);
}

int32_t TCPSource::readRows() {
  for (;;) { // also what has come before the program was told to end
    switch (rows.next()) {
    case LineReader::Status::Line:
      break;
    case LineReader::Status::Error:
      if (lines.isTooLong())
        return sl_error(ctx, "cannot read what %s:%u sends: %s", remote.host.c_str(), remote.port,
                        lines.error().c_str());
      return brokenOff(lines.error());
    case LineReader::Status::End:
    case LineReader::Status::Stopped:
    case LineReader::Status::More: // of a text in pieces
      return 0;
    }
    if (int32_t result = rows.read(); result || (result = sl_save_point(ctx)))
      return result;
  }
}

int32_t TCPSource::brokenOff(std::string_view problem) {
  sl_warn(ctx, desc, "the connection has broken off: %s", std::string(problem).c_str());
  return 0;
}

//===--- a connection that outlives the process ---------------------------------===//

int32_t TCPSource::readKept() {
  std::string name = peerName();
  lines.openPieces(rows.eolMarker());
  rows.goOn(name, kept->progress(), kept->tuples());
  for (bool givenUp = kept->hasEnded(); !givenUp;) {
    std::string_view piece;
    int64_t n = kept->read(socket, piece);
    if (n == -EAGAIN) {
      if (sl_await_readable(ctx, socket.descriptor()))
        return 0;
      continue;
    }
    if (n < 0) {
      brokenOff(net::problemOf(int(-n)));
      break;
    }
    if (n == 0)
      lines.addEnd();
    else if (!lines.add(piece))
      return sl_error(ctx, "cannot read what %s sends: %s", name.c_str(), lines.error().c_str());
    if (int32_t result = readPieces(givenUp))
      return result;
    givenUp |= n == 0;
  }
  return endKept();
}

/// `givenUp`: no more of what comes can be read.
int32_t TCPSource::readPieces(bool &givenUp) {
  LineReader::Status status;
  while ((status = rows.next()) ==
         LineReader::Status::Line) { // else the end, or that of the pieces
    int32_t result = rows.read();
    if (result || rows.awaitsMore())
      return result;
    kept->reach(rows.progress());
    if ((result = sl_save_point(ctx)))
      return result;
  }
  givenUp = status == LineReader::Status::End;
  return sl_save_point(ctx);
}

/// The end of a connection is logged behind all of its rows, and then nobody goes on with it. The
/// last one is held until the log has the end of the source. A short wait hands on what there is.
int32_t TCPSource::endKept() {
  constexpr double kShort = 1e-9; // s
  rows.reportBad();
  if (!kept->hasEnded()) {
    if (sl_wait(ctx, kShort))
      return 0;
    kept->end();
    if (int32_t result = submitPunct(0, PunctuationKind::Window))
      return result;
    if (sl_wait(ctx, kShort))
      return 0;
  }
  remote::shutDown(socket);
  if (connector.takesMore())
    kept->drop();
  return 0;
}

RegisterNative registered("spl.adapter::TCPSource",
                          [] { return static_cast<NativeOp *>(new TCPSource); });

} // namespace
} // namespace sluice
