//===- TCPSource.cpp - spl.adapter::TCPSource -----------------------------===//
//
// The connections (Connector); what comes by one is read by a RowReader. After an interrupt no
// window punctuation follows. A server that serves several at once has Clients, and so has TLS.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/csv/RowReader.h"
#include "stdlib/native/net/Connector.h"
#include "stdlib/operators/TCPSource/Clients.h"

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
  int32_t readConnection();
  int32_t readRows();

  Conversion conversion;
  net::Connector connector;
  net::Socket socket;
  net::Numbers local, remote;
  net::Tls tls;
  std::unique_ptr<Clients> clients; // with several at once, or TLS
  bool servesSeveral = false;
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
  if (rows.open() || tls.open(*this) || connector.open(*this))
    return 1;
  auto most = uint32_t(number("maxConnections", 1));
  servesSeveral = most > 1;
  if (!servesSeveral && !tls)
    return 0;
  if (conversion)
    return sl_error(ctx, "with %s there is neither compression nor encoding yet",
                    tls ? "TLS" : "maxConnections");
  clients = std::make_unique<Clients>(*this, connector, tls);
  return clients->open(most);
}

/// Waits for a connection. False: there is none any more, or the program ends.
bool TCPSource::connect() {
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
    int32_t result = clients ? clients->serveOne(std::move(socket)) : readConnection();
    if (!clients)
      connector.ended();
    if (result || sl_is_shutdown(ctx))
      return result;
  }
  return connector.hasFailed()
             ? sl_error(ctx,
                        "cannot connect to %s: %s; it does not try again, as "
                        "`reconnectionPolicy` says",
                        connector.targetText().c_str(), connector.problem().c_str())
             : 0;
}

int32_t TCPSource::readConnection() {
  local = net::localEnd(socket);
  remote = net::remoteEnd(socket);
  lines.openSocket(socket.descriptor(), {conversion}, rows.eolMarker());
  std::string name = toText(net::Endpoint{remote.host, std::to_string(remote.port)});
  rows.begin(name, 0);
  int32_t result = readRows();
  lines.close();
  socket.close();
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
      sl_warn(ctx, desc, "the connection has broken off: %s", lines.error().c_str());
      return 0;
    case LineReader::Status::End:
    case LineReader::Status::Stopped:
    case LineReader::Status::More: // of a text in pieces
      return 0;
    }
    if (int32_t result = rows.read(); result || (result = sl_save_point(ctx)))
      return result;
  }
}

RegisterNative registered("spl.adapter::TCPSource",
                          [] { return static_cast<NativeOp *>(new TCPSource); });

} // namespace
} // namespace sluice
