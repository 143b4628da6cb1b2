//===- LinkTest.cpp - frames between two processes ------------------------===//
#include "test/unit/remote/LinkFixture.h"

namespace sluice::remote {
namespace {

using RemoteLink = LinkOfAnyWay;

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
    case Got::Renewed:
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
  wires.close();
  EXPECT_EQ(receiver.join(), 0);
  for (auto &sender : senders)
    EXPECT_EQ(sender->join(), 0);
}

TEST_P(RemoteLink, MovesFramesInOrder) { moves(options(), {1, 4096}, 100000); }
TEST_P(RemoteLink, FramesAsLargeAsABuffer) { moves(options(), {2, 65536}, 3000); }
TEST_P(RemoteLink, LargeFrames) { moves(options(), {3, 3 << 20}, 50); }
TEST_P(RemoteLink, SeveralSenders) { moves(options(), {4, 8192}, 2000, 3); }

INSTANTIATE_TEST_SUITE_P(Ways, RemoteLink, SLUICE_LINK_WAYS, nameOf);

} // namespace
} // namespace sluice::remote
