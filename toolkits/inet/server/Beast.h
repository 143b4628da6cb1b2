//===- Beast.h - Boost's web server, as the files of the server need it -*- C++ -*-===//
//
// All of this is the server's own thread's, but for what says otherwise.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "toolkits/inet/server/Server.h"
#include "toolkits/inet/server/Stream.h"
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>

namespace sluice::inet {

namespace beast = boost::beast;
namespace asio = boost::asio;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using Error = beast::error_code;

class WebClient;

/// The clients of a path.
class Group : public Clients, public std::enable_shared_from_this<Group> {
public:
  Group(asio::io_context &io, ClientHooks hooks) : io(io), hooks(std::move(hooks)) {}
  void send(const SharedMessage &) override;
  void readOn() override;
  uint64_t end(double seconds) override;

  /// Takes over a connection that wants to be a WebSocket. False: there are too many.
  bool accept(Stream, const http::request<http::string_body> &);
  bool takesMessages() const { return isReceiving; }

private:
  friend class WebClient;
  bool isIdle() const;

  asio::io_context &io;
  std::mutex hookLock; // guards `hooks`: held while one of them runs
  ClientHooks hooks;
  const bool isReceiving = bool(hooks.received);
  std::mutex lock;                              // guards what is below; any thread
  std::condition_variable changes;              // of it
  std::set<std::shared_ptr<WebClient>> clients; // who are there
  bool hasEnded = false;
};

} // namespace sluice::inet
