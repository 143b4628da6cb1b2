//===- Server.h - a web server in the program -------------------*- C++ -*-===//
//
// Operators of one port share a server, which has a thread of its own. It serves paths that
// operators register: answers to requests, and WebSockets.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::net {
struct TlsSettings;
}

namespace sluice::inet {

/// Names and values, in their order.
using Headers = std::vector<std::pair<std::string, std::string>>;

/// What a client asks for.
struct Asked {
  std::string method, path, query; // the path without the query, as it was sent
  std::string contentType, body;
  std::string authorization, accept; // these headers
  Headers headers;                   // all of them
  bool isSecure = false;             // by TLS
};

struct Reply {
  unsigned status = 200;
  std::string contentType, body; // the status 204 or 304 has none
  Headers headers = {};          // of kMostHeader bytes each, at most
  std::string reason = {};       // behind the status; empty: what RFC 9110 calls it
};

/// By the thread of the server.
using AnswerFn = std::function<Reply(const Asked &)>;

/// How requests are answered later. By the thread of the server.
struct LaterHooks {
  double seconds = 0; // so long a client waits, then the status is 408; 0: without end
  /// Takes a request over, which has a number. False: there is no room for it now.
  std::function<bool(const Asked &, int64_t number)> asked;
  /// A client gets no answer: it has waited too long, or (not `isLate`) its connection is closed
  /// for another one. It may come behind stop(), but not behind giveUp().
  std::function<void(bool isLate)> expired;
};

/// A message of a WebSocket.
struct Message {
  std::string text;
  bool isBinary = false;
};
using SharedMessage = std::shared_ptr<const Message>;

/// The clients of a WebSocket path. Any thread.
class Clients {
public:
  virtual ~Clients() = default;
  /// To all who are there. Who is too slow loses the oldest that waits for it.
  virtual void send(const SharedMessage &) = 0;
  /// Takes messages again that wait in connections, as `receive` had no room for them.
  virtual void readOn() = 0;
  /// Waits until all is sent that clients take, for `seconds` at most, then ends connections. How
  /// many messages were not sent.
  virtual uint64_t end(double seconds) = 0;
};

/// What becomes of the clients of a path. By the thread of the server.
struct ClientHooks {
  /// A client has come (`isThere`), or gone. `who` has its address.
  std::function<void(Clients &, const std::string &who, bool isThere)> changed;
  std::function<void(uint64_t messages)> sent, dropped;
  /// A message. False: there is no room for another one until readOn().
  std::function<bool(Message &&, const std::string &who)> received;
};

class Server {
public:
  static constexpr size_t kMostHeaders = 8 << 10;       // bytes of a request
  static constexpr size_t kMostMessage = 1 << 20;       // bytes that a client sends at once
  static constexpr size_t kMostConnections = 512;       // at the limit the oldest one without a
                                                        // WebSocket ends
  static constexpr size_t kMostClients = 64;            // of a WebSocket path
  static constexpr size_t kMostWaiting = 1000;          // messages for a client
  static constexpr size_t kMostWaitingBytes = 16 << 20; // likewise
  static constexpr size_t kMostHeader = 60 << 10;       // bytes of a header's name or value in an
                                                        // answer
  static constexpr int kRequestSeconds = 10;            // for a request to come, and to be sent
                                                        // an answer

  virtual ~Server() = default;
  /// The server of this process at an address and a port; no address: at all, port 0: at a free
  /// one. With TLS, if there is a certificate. Null: `problem` says why there is none.
  static std::shared_ptr<Server> at(const std::string &address, uint16_t port,
                                    const net::TlsSettings &, std::string &problem);

  virtual uint16_t port() const = 0;
  /// Requests may have this name as their Host, too: a proxy passes it on.
  virtual void answerTo(const std::string &host) = 0;
  /// Serves a path. `mostBody`: bytes that a request may have. False: the path is taken.
  virtual bool serve(const std::string &path, size_t mostBody, AnswerFn) = 0;
  /// Serves a path and all below it by answer().
  virtual bool serveLater(const std::string &path, size_t mostBody, LaterHooks) = 0;
  /// Answers a request. False: nobody waits for that. Any thread.
  virtual bool answer(int64_t number, Reply) = 0;
  /// Answers 503 to all who wait at a path, which is no longer served. How many. Any thread.
  virtual int64_t giveUp(const std::string &path) = 0;
  /// Serves the files of a folder below a path.
  virtual void serveFiles(const std::string &path, const std::string &folder) = 0;
  /// Serves WebSockets at a path. Null: it is taken.
  virtual std::shared_ptr<Clients> serveClients(const std::string &path, ClientHooks) = 0;
  /// Serves a path no longer. Behind it, none of its functions runs, but for `expired`.
  virtual void stop(const std::string &path) = 0;
};

} // namespace sluice::inet
