//===- LinkEndsTest.cpp - deaths, stops, slow receivers -------------------===//
#include "test/unit/remote/LinkFixture.h"
#include <atomic>
#include <sys/mman.h>

namespace sluice::remote {
namespace {

using RemoteLinkEnds = LinkOfAnyWay;

/// A sender sends without end; the receiver takes some and dies.
TEST_P(RemoteLinkEnds, TheReceiverDies) {
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
    wires.close();
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
TEST_P(RemoteLinkEnds, ASenderDies) {
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
    // The kernel may drop what a dead process has sent by TCP and nobody has read.
    bool tcp = options().transport == Transport::Socket;
    bool right = (next[0] == 333 || (tcp && next[0] < 333)) && next[1] == 2000 &&
                 told[0] == std::vector{Got::PeerGone} && told[1] == std::vector{Got::Ended};
    link.reset();
    return right ? "" : std::to_string(next[0]) + " and " + std::to_string(next[1]) + " frames";
  });
  wires.close();
  EXPECT_EQ(receiver.join(), 0);
  EXPECT_EQ(other.join(), 0);
  EXPECT_EQ(dies.join(), 128 + SIGKILL);
}

/// The processes of a test share a page of counters.
struct Shared {
  std::atomic<uint64_t> sent{0}, taken{0}, most{0};
  std::atomic<int64_t> stopped{0};

  static Shared *make() {
    void *page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return new (page) Shared;
  }
};

/// A receiver that is slow keeps the sender waiting: never more than a ring of frames is on the
/// way.
TEST_P(RemoteLinkEnds, ASlowReceiverBoundsWhatIsOnTheWay) {
  LinkOptions slow = options();
  slow.credits.ring = 16;
  slow.credits.grant = 4;
  Shared *shared = Shared::make();
  Wires wires;
  constexpr uint64_t kFrames = 400;
  Child sender([&]() -> std::string {
    std::string error;
    auto link = openSender(slow, wires.sender(0), error);
    if (!link)
      return error;
    std::vector<std::byte> memory(slow.room);
    Piece piece = {memory.data(), memory.size()};
    for (uint64_t i = 0; i < kFrames; ++i) {
      if (link->send({&piece, 1}) != Sent::Sent)
        return "not sent";
      // seq_cst: the receiver counts a frame before it posts, so what is seen here is no less than
      // what the credits allow.
      uint64_t onTheWay = ++shared->sent - shared->taken;
      shared->most = std::max<uint64_t>(shared->most, onTheWay);
    }
    return link->finish() == Sent::Sent ? "" : "not finished";
  });
  Child receiver([&]() -> std::string {
    std::string error;
    auto link = openReceiver(slow, wires, error);
    if (!link)
      return error;
    Buffers buffers(*link, 0, slow);
    ReceiveLink::Frame frame;
    while (link->next(frame) == Got::Frame) {
      usleep(500);
      ++shared->taken;
      link->post(0, frame.memory);
    }
    link.reset();
    return "";
  });
  wires.close();
  EXPECT_EQ(receiver.join(), 0);
  EXPECT_EQ(sender.join(), 0);
  EXPECT_LE(shared->most, 16u);
  EXPECT_EQ(shared->taken, kFrames);
}

/// A stop ends the wait of a sender without credits, and of a receiver to which nothing comes.
TEST_P(RemoteLinkEnds, AStopEndsWaits) {
  Wires wires;
  StopSwitch stop;
  Shared *shared = Shared::make();
  auto stopped = [&](bool is, const char *what) {
    shared->stopped = std::max<int64_t>(shared->stopped, os::now());
    return std::string(is ? "" : what);
  };
  Child sender([&]() -> std::string {
    std::string error;
    auto link = openSender(options(), wires.sender(0), error, stop.descriptor());
    if (!link)
      return error;
    std::vector<std::byte> memory(1000);
    Piece piece = {memory.data(), memory.size()};
    Sent result;
    do
      result = link->send({&piece, 1}), ++shared->sent;
    while (result == Sent::Sent);
    return stopped(result == Sent::Stopped && link->finish() == Sent::Stopped, "not stopped");
  });
  Child receiver([&]() -> std::string {
    std::string error;
    StopSwitch never;
    auto link = openReceiver(options(), wires, error, stop.descriptor());
    if (!link)
      return error;
    Buffers buffers(*link, 0, options());
    ReceiveLink::Frame frame;
    Got got;
    while ((got = link->next(frame)) == Got::Frame)
      ++shared->taken; // nothing is posted again
    return stopped(got == Got::Stopped, "not stopped");
  });
  for (int64_t end = os::now() + 20 * os::kNanos;
       os::now() < end && shared->taken < options().depth();)
    usleep(1000);
  EXPECT_EQ(shared->taken, options().depth());
  usleep(50'000); // both wait by now
  int64_t raised = os::now();
  stop.raise();
  EXPECT_EQ(receiver.join(), 0);
  EXPECT_EQ(sender.join(), 0);
  EXPECT_EQ(shared->taken, options().depth());
  EXPECT_EQ(shared->sent, 101u);
  EXPECT_LT(shared->stopped - raised, os::kNanos);
}

/// Each end closes while the other one waits.
TEST_P(RemoteLinkEnds, AnEndThatClosesIsSeen) {
  Wires wires;
  Child receiver([&]() -> std::string {
    std::string error;
    auto link = openReceiver(options(), wires, error);
    if (!link)
      return error;
    Buffers buffers(*link, 0, options());
    ReceiveLink::Frame frame;
    if (link->next(frame) != Got::PeerGone || link->next(frame) != Got::AllGone)
      return "another result";
    return "";
  });
  Child sender([&]() -> std::string {
    std::string error;
    auto link = openSender(options(), wires.sender(0), error);
    usleep(20'000);
    link.reset();
    return error;
  });
  wires.close();
  EXPECT_EQ(receiver.join(), 0);
  EXPECT_EQ(sender.join(), 0);
}

INSTANTIATE_TEST_SUITE_P(Ends, RemoteLinkEnds, SLUICE_LINK_WAYS, nameOf);

} // namespace
} // namespace sluice::remote
