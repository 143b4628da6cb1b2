//===- Stream.h - a connection, as Beast reads and writes it ----*- C++ -*-===//
//
// With TLS or without: net::Channel says what it waits for, and asio waits. All of this is the
// server's own thread's.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/net/Tls.h"
#include <boost/asio/compose.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <cerrno>
#include <memory>

namespace sluice::inet {

/// Copies are the same connection. It has the members and functions of a stream of Beast.
class Stream {
public:
  using Error = boost::beast::error_code;
  using Socket = boost::asio::ip::tcp::socket;
  using executor_type = boost::asio::any_io_executor;
  template <class Token>
  using Result = typename boost::asio::async_result<std::decay_t<Token>,
                                                    void(Error, std::size_t)>::return_type;

  /// `tls` may be off. It outlives this.
  Stream(Socket, const net::Tls &tls);
  executor_type get_executor() { return state->waiter.get_executor(); }
  /// Who is at the other end, "HOST:PORT".
  const std::string &peer() const { return state->peer; }

  /// Closes it then, unless this is called again; 0: it is not closed.
  void expireAfter(int seconds);
  /// The other end reads what was written, and then the end.
  void endWriting() { state->channel.endWriting(); }
  /// What is being read or written fails.
  void close() { state->close(); }

  /// Ends with a part of the buffers at least, or with an error.
  template <class Buffers, class Token>
  Result<Token> async_read_some(const Buffers &buffers, Token &&token) {
    return begin(firstOf<boost::asio::mutable_buffer>(buffers), std::forward<Token>(token));
  }
  template <class Buffers, class Token>
  Result<Token> async_write_some(const Buffers &buffers, Token &&token) {
    return begin(firstOf<boost::asio::const_buffer>(buffers), std::forward<Token>(token));
  }

private:
  struct State {
    State(Socket, const net::Tls &);
    ~State() { close(); }
    void close();
    int64_t transfer(boost::asio::mutable_buffer to);
    int64_t transfer(boost::asio::const_buffer from);

    std::string peer;
    net::Channel channel;
    boost::asio::posix::stream_descriptor waiter; // for the channel's descriptor, not its owner
    boost::asio::steady_timer timer;
    uint64_t turn = 0; // of expireAfter(): a handler of an earlier one may be queued
  };

  template <class Buffer> struct Transfer {
    std::shared_ptr<State> state;
    Buffer buffer;
    bool hasBegun = false, hasEnded = false;
    Error error = {};
    size_t bytes = 0;

    template <class Self> void operator()(Self &self, Error waited = {}) {
      if (waited)
        return self.complete(waited, 0);
      if (hasEnded)
        return self.complete(error, bytes);
      int64_t n = buffer.size() ? state->transfer(buffer) : 0;
      auto &waiter = state->waiter;
      if (n == -EAGAIN) {
        hasBegun = true;
        using Waiter = boost::asio::posix::stream_descriptor;
        auto what = state->channel.awaitsRead() ? Waiter::wait_read : Waiter::wait_write;
        return waiter.async_wait(what, std::move(self));
      }
      bytes = n > 0 ? size_t(n) : 0;
      if (n == 0 && buffer.size())
        error = boost::asio::error::eof;
      if (n < 0)
        error = Error(int(-n), boost::system::system_category());
      if (std::exchange(hasEnded, true) || hasBegun)
        return self.complete(error, bytes);
      // Who begins it must not find it done.
      boost::asio::post(waiter.get_executor(), std::move(self));
    }
  };

  template <class Buffer, class Token> Result<Token> begin(Buffer buffer, Token &&token) {
    return boost::asio::async_compose<Token, void(Error, std::size_t)>(
        Transfer<Buffer>{state, buffer}, token, state->waiter);
  }
  /// The first that is not empty.
  template <class Buffer, class Buffers> static Buffer firstOf(const Buffers &buffers) {
    auto each = boost::asio::buffer_sequence_begin(buffers);
    for (; each != boost::asio::buffer_sequence_end(buffers); ++each)
      if (Buffer buffer(*each); buffer.size())
        return buffer;
    return {};
  }

  std::shared_ptr<State> state;
};

/// As Beast closes a stream that has taken too long.
inline void beast_close_socket(Stream &stream) { stream.close(); }

/// As Beast ends the connection of a WebSocket.
template <class Handler>
void async_teardown(boost::beast::role_type, Stream &stream, Handler &&handler) {
  stream.endWriting();
  boost::asio::post(stream.get_executor(), boost::beast::bind_front_handler(
                                               std::forward<Handler>(handler), Stream::Error()));
}

} // namespace sluice::inet
