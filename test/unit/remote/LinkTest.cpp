//===- LinkTest.cpp - frames between two processes ------------------------===//
#include "test/unit/remote/LinkFixture.h"

namespace sluice::remote {
namespace {

using Sent = SendLink::Result;
using Got = ReceiveLink::Result;

struct Way {
  Transport transport;
  Wait wait;
};
std::string nameOf(const testing::TestParamInfo<Way> &info) {
  const char *waits[] = {"Poll", "Interrupt", "Sleep", "Auto"};
  return std::string(info.param.transport == Transport::Shm ? "Shm" : "Tcp") +
         waits[int(info.param.wait)];
}

class RemoteLink : public testing::TestWithParam<Way> {
protected:
  LinkOptions options() const {
    LinkOptions o;
    o.transport = GetParam().transport;
    o.wait = GetParam().wait;
    o.sleepNanos = 2'000'000;
    return o;
  }
};

/// Frames 0 .. count-1 of each peer, then its end.
std::string receiveAll(ReceiveLink &link, const Pattern &pattern, uint64_t count, size_t peers) {
  std::vector<uint64_t> next(peers);
  for (;;) {
    ReceiveLink::Frame frame;
    switch (link.next(frame)) {
    case Got::Frame: {
      auto wrong =
          pattern.check(next[frame.peer]++, static_cast<std::byte *>(frame.memory), frame.bytes);
      if (!wrong.empty())
        return wrong;
      link.post(frame.peer, frame.spare ? frame.spare : frame.memory);
      if (frame.spare)
        ReceiveLink::freeLarge(frame.memory);
      break;
    }
    case Got::Ended:
      if (next[frame.peer] != count)
        return "ended after " + std::to_string(next[frame.peer]) + " frames";
      break;
    case Got::AllGone:
      return "";
    case Got::PeerGone:
      return "a sender is gone after " + std::to_string(next[frame.peer]) + " frames";
    case Got::Broken:
    case Got::Stopped:
      return "broken or stopped";
    }
  }
}

void moves(const LinkOptions &options, const Pattern &pattern, uint64_t count, size_t peers = 1) {
  Wires wires(peers);
  std::vector<std::unique_ptr<Child>> senders;
  for (size_t i = 0; i < peers; ++i)
    senders.push_back(std::make_unique<Child>([&]() -> std::string {
      std::string error;
      auto link = openSender(options, wires.sender(i), error);
      if (!link)
        return error;
      error = sendAll(*link, pattern, count);
      return error.empty() && link->finish() != Sent::Sent ? "not finished" : error;
    }));
  Child receiver([&]() -> std::string {
    std::string error;
    auto link = openReceiver(options, wires, error);
    if (!link)
      return error;
    std::vector<Buffers> buffers;
    for (uint32_t i = 0; i < peers; ++i)
      buffers.emplace_back(*link, i, options);
    error = receiveAll(*link, pattern, count, peers);
    link.reset();
    return error;
  });
  wires.pairs.clear();
  EXPECT_EQ(receiver.join(), 0);
  for (auto &sender : senders)
    EXPECT_EQ(sender->join(), 0);
}

TEST_P(RemoteLink, MovesFramesInOrder) { moves(options(), {1, 4096}, 20000); }
TEST_P(RemoteLink, FramesAsLargeAsABuffer) { moves(options(), {2, 65536}, 3000); }
TEST_P(RemoteLink, LargeFrames) { moves(options(), {3, 3 << 20}, 50); }
TEST_P(RemoteLink, SeveralSenders) { moves(options(), {4, 8192}, 2000, 3); }

/// A sender sends without end; the receiver takes some and dies.
TEST_P(RemoteLink, TheReceiverDies) {
  Wires wires;
  int told[2];
  ASSERT_EQ(pipe(told), 0);
  Child sender([&]() -> std::string {
    std::string error;
    auto link = openSender(options(), wires.sender(0), error);
    if (!link)
      return error;
    std::vector<std::byte> memory(65536);
    Piece piece = {memory.data(), memory.size()};
    Sent result;
    do
      result = link->send({&piece, 1});
    while (result == Sent::Sent);
    if (result != Sent::PeerGone || link->send({&piece, 1}) != Sent::PeerGone)
      return "another result";
    int64_t now = os::now();
    return write(told[1], &now, sizeof now) == sizeof now ? "" : "not told";
  });
  int64_t died;
  {
    Child receiver([&]() -> std::string {
      std::string error;
      auto link = openReceiver(options(), wires, error);
      if (!link)
        return error;
      Buffers buffers(*link, 0, options());
      ReceiveLink::Frame frame;
      for (int i = 0; i < 250 && link->next(frame) == Got::Frame; ++i)
        link->post(0, frame.memory);
      raise(SIGKILL);
      return "";
    });
    wires.pairs.clear();
    EXPECT_EQ(receiver.join(), 128 + SIGKILL);
    died = os::now();
  }
  int64_t noticed = 0;
  EXPECT_EQ(read(told[0], &noticed, sizeof noticed), ssize_t(sizeof noticed));
  EXPECT_LT(noticed - died, os::kNanos);
  EXPECT_EQ(sender.join(), 0);
  close(told[0]), close(told[1]);
}

/// A sender dies in the middle: what it had sent comes, then its death, and others go on.
TEST_P(RemoteLink, ASenderDies) {
  Wires wires(2);
  Pattern pattern{5, 4096};
  Child dies([&]() -> std::string {
    std::string error;
    auto link = openSender(options(), wires.sender(0), error);
    if (link)
      sendAll(*link, pattern, 333);
    raise(SIGKILL);
    return error;
  });
  Child other([&]() -> std::string {
    std::string error;
    auto link = openSender(options(), wires.sender(1), error);
    if (!link)
      return error;
    error = sendAll(*link, pattern, 2000);
    return error.empty() && link->finish() != Sent::Sent ? "not finished" : error;
  });
  Child receiver([&]() -> std::string {
    std::string error;
    auto link = openReceiver(options(), wires, error);
    if (!link)
      return error;
    Buffers first(*link, 0, options()), second(*link, 1, options());
    uint64_t next[2] = {};
    std::vector<Got> told[2];
    ReceiveLink::Frame frame;
    for (;;) {
      Got got = link->next(frame);
      if (got == Got::AllGone)
        break;
      if (got != Got::Frame) {
        told[frame.peer].push_back(got);
        continue;
      }
      auto wrong =
          pattern.check(next[frame.peer]++, static_cast<std::byte *>(frame.memory), frame.bytes);
      if (!wrong.empty())
        return wrong;
      link->post(frame.peer, frame.memory);
    }
    bool right = next[0] == 333 && next[1] == 2000 && told[0] == std::vector{Got::PeerGone} &&
                 told[1] == std::vector{Got::Ended};
    link.reset();
    return right ? "" : std::to_string(next[0]) + " and " + std::to_string(next[1]) + " frames";
  });
  wires.pairs.clear();
  EXPECT_EQ(receiver.join(), 0);
  EXPECT_EQ(other.join(), 0);
  EXPECT_EQ(dies.join(), 128 + SIGKILL);
}

INSTANTIATE_TEST_SUITE_P(
    Ways, RemoteLink,
    testing::Values(Way{Transport::Shm, Wait::Poll}, Way{Transport::Shm, Wait::Interrupt},
                    Way{Transport::Shm, Wait::Sleep}, Way{Transport::Shm, Wait::Auto},
                    Way{Transport::Tcp, Wait::Poll}, Way{Transport::Tcp, Wait::Interrupt},
                    Way{Transport::Tcp, Wait::Sleep}, Way{Transport::Tcp, Wait::Auto}),
    nameOf);

} // namespace
} // namespace sluice::remote
