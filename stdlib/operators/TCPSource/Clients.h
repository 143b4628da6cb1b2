//===- Clients.h - connections of which the bytes come in pieces -*- C++ -*-===//
//
// Those of a server that serves several at once, and those with TLS. Bytes of a connection are read
// when they come, and go to a reader of its own, so that a row that is not whole holds up nobody
// else. Each gets its turn for kPiece bytes.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/csv/RowReader.h"
#include "stdlib/native/net/Connector.h"
#include "stdlib/native/net/ReadySet.h"
#include "stdlib/native/net/Tls.h"
#include <memory>
#include <vector>

namespace sluice {

class Clients {
public:
  Clients(ParamOp &, net::Connector &, const net::Tls &);
  ~Clients();
  /// `most`: so many are served at once; who else connects waits. 0, or 1 after sl_error.
  int32_t open(uint32_t most);
  /// Of a server: serves them until there will be none any more, or the program ends. Handler
  /// return values.
  int32_t process();
  /// Serves one that there is until it has ended, or the program ends. Handler return values.
  int32_t serveOne(net::Socket);

private:
  struct Client;
  int32_t take(net::Socket);
  int32_t acceptAll();
  int32_t listen(bool on);
  int32_t serve(Client &);
  int32_t readRows(Client &);
  int32_t finish(Client &);
  int32_t failed(int error) const;

  ParamOp &op;
  net::Connector &connector;
  const net::Tls &tls;
  uint32_t most = 0;
  bool isListening = false;
  net::ReadySet ready;
  std::vector<std::unique_ptr<Client>> clients;
  std::unique_ptr<char[]> piece;
};

} // namespace sluice
