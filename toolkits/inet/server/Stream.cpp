//===- Stream.cpp - a connection, as Beast reads and writes it ------------===//
#include "toolkits/inet/server/Stream.h"

namespace sluice::inet {

/// The socket without asio.
static net::Socket taken(Stream::Socket &socket) {
  Stream::Error error;
  return net::Socket(socket.release(error));
}

Stream::State::State(Socket socket, const net::Tls &tls)
    : waiter(socket.get_executor()), timer(socket.get_executor()) {
  net::Socket plain = taken(socket);
  net::Numbers end = net::remoteEnd(plain);
  peer = end.host + ":" + std::to_string(end.port);
  channel.open(std::move(plain), tls, "");
  Error error;
  waiter.assign(channel.socket().descriptor(), error);
}

Stream::Stream(Socket socket, const net::Tls &tls)
    : state(std::make_shared<State>(std::move(socket), tls)) {}

void Stream::expireAfter(int seconds) {
  uint64_t turn = ++state->turn;
  if (!seconds) {
    state->timer.cancel();
    return;
  }
  state->timer.expires_after(std::chrono::seconds(seconds));
  state->timer.async_wait([weak = std::weak_ptr(state), turn](Error error) {
    if (auto still = error ? nullptr : weak.lock(); still && still->turn == turn)
      still->close();
  });
}

void Stream::State::close() {
  timer.cancel();
  if (waiter.is_open())
    waiter.release(); // ends what waits; the channel closes the descriptor
  channel.close();
}

int64_t Stream::State::transfer(boost::asio::mutable_buffer to) {
  return channel.read(to.data(), to.size());
}

int64_t Stream::State::transfer(boost::asio::const_buffer from) {
  return channel.write({static_cast<const std::byte *>(from.data()), from.size()});
}

} // namespace sluice::inet
