//===- InetStreamTest.cpp - when a connection is closed -------------------===//
#include "toolkits/inet/server/Stream.h"
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>
#include <thread>

using namespace sluice;
using namespace sluice::inet;
namespace asio = boost::asio;

namespace {

class InetStream : public ::testing::Test {
protected:
  using Tcp = asio::ip::tcp;

  InetStream() : there(io) {
    Tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), 0});
    there.connect(acceptor.local_endpoint());
    stream.emplace(acceptor.accept(), tls);
    there.non_blocking(true);
  }
  bool isClosed() {
    char byte;
    Stream::Error error;
    there.receive(asio::buffer(&byte, 1), 0, error);
    return error != asio::error::would_block;
  }

  net::Tls tls;
  asio::io_context io;
  Tcp::socket there; // the other end
  std::optional<Stream> stream;
};

TEST_F(InetStream, ClosesWhenItsTimeIsOver) {
  stream->expireAfter(1);
  io.run();
  EXPECT_TRUE(isClosed());
}

TEST_F(InetStream, HasMoreTimeThoughTheFirstIsOver) {
  stream->expireAfter(1);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  // The handler of the first time is queued behind this one.
  asio::post(io, [this] { stream->expireAfter(3600); });
  while (io.poll_one())
    ;
  EXPECT_FALSE(isClosed());
  stream->expireAfter(0);
  io.run();
  EXPECT_FALSE(isClosed());
}

} // namespace
