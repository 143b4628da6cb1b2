//===- TicketsTest.cpp - several threads behind one token ------------------===//
#include "FlowFixture.h"
#include <numeric>

namespace sluice::queue::test {
namespace {

/// Without workers: tests run the token's entry as they would.
struct QueueShared : QueueFlow {
  uint32_t last = net.addPort(0, {}, Mode::Direct), first = net.addPort(1, {4, 1000}, Mode::Queued);
  TestNet::Edge *edge = net.addEdge(first);
  TestNet::TokenT &token = net.port(first).token;
  void SetUp() override {
    QueueFlow::SetUp();
    net.connect(first, last);
    share();
    scheduler.setWidth(self, net.port(first), 2);
  }
  virtual void share() { net.share(1, 4, 15); }
  uint32_t runEntry(TestNet::SelfT &by) {
    EXPECT_TRUE(token.isQueued());
    return scheduler.runEntry(by, token, RealSys::now());
  }
  uint32_t runEntry() { return runEntry(self); }
};

TEST_F(QueueShared, TicketsAreReleasedInOrder) {
  for (int i = 0; i < 2; ++i)
    net.send(self, *edge);
  bool inner = true;
  net.onTicket = [&] { // while the first runs the second begins and ends
    EXPECT_EQ(net.sunk, 0u);
    if (std::exchange(inner, false)) {
      auto other = scheduler.makeSelf();
      EXPECT_EQ(runEntry(other), 1u);
    }
    EXPECT_EQ(net.sunk, 0u) << "the second waits for the first in the reorder";
  };
  EXPECT_EQ(runEntry(), 1u);
  EXPECT_EQ(net.sunk, 2u); // the net checks the order
  EXPECT_TRUE(token.reorder->idle());
}

TEST_F(QueueShared, NoMoreThanTheWidthRunAtOnce) {
  for (int i = 0; i < 3; ++i)
    net.send(self, *edge);
  int depth = 0;
  net.onTicket = [&] {
    auto other = scheduler.makeSelf();
    ++depth;
    EXPECT_EQ(token.isQueued(), depth < 2);
    if (token.isQueued()) {
      EXPECT_EQ(runEntry(other), 1u);
    } else {
      EXPECT_TRUE(token.reorder->isFull());
    }
    --depth;
  };
  EXPECT_EQ(runEntry(), 1u);
  net.onTicket = nullptr;
  EXPECT_EQ(net.highest, 2u);
  EXPECT_EQ(net.sunk, 2u);
  EXPECT_EQ(runEntry(), 1u) << "there was room for the third once the others were released";
  EXPECT_EQ(net.sunk, 3u);
}

TEST_F(QueueShared, WhoIsThroughNeedNotWaitForEarlierTickets) {
  net.share(1, 4, 1000);
  scheduler.setWidth(self, net.port(first), 2);
  for (int i = 0; i < 4; ++i)
    net.send(self, *edge);
  std::vector<uint32_t> ran;
  net.onTicket = [&] { // while the first runs others begin and end
    net.onTicket = nullptr;
    while (token.isQueued() && ran.size() < 9) {
      auto other = scheduler.makeSelf();
      ran.push_back(scheduler.runEntry(other, token, RealSys::now()));
    }
    EXPECT_TRUE(token.reorder->isFull()) << "it holds twice as many as the width";
  };
  EXPECT_EQ(runEntry(), 1u);
  EXPECT_EQ(std::accumulate(ran.begin(), ran.end(), 0u), 3u);
  EXPECT_EQ(net.sunk, 4u); // the net checks the order
  EXPECT_TRUE(token.reorder->idle());
}

TEST_F(QueueShared, ADirectPushDoesNotOvertakeTickets) {
  net.send(self, *edge);
  net.port(first).setMode(Mode::Direct);
  net.onTicket = [&] {
    auto other = scheduler.makeSelf();
    net.send(other, *edge);
    EXPECT_EQ(net.port(first).ring.size(), 1u) << "it was appended";
    net.onTicket = nullptr;
  };
  runEntry();
  EXPECT_EQ(net.sunk, 1u);
  net.send(self, *edge);
  EXPECT_EQ(net.sunk, 3u) << "run inline, and what was before it";
  EXPECT_EQ(net.ticketRuns, 1u);
}

TEST_F(QueueShared, AWidthOfOneRunsBehindTheWord) {
  scheduler.setWidth(self, net.port(first), 1);
  for (int i = 0; i < 3; ++i)
    net.send(self, *edge);
  EXPECT_EQ(runEntry(), 3u) << "a quantum, as without a reorder";
  EXPECT_EQ(net.ticketRuns, 0u);
}

TEST_F(QueueShared, WidthsAreClamped) {
  scheduler.setWidth(self, net.port(first), 0);
  EXPECT_EQ(token.reorder->getWidth(), 1u);
  scheduler.setWidth(self, net.port(first), 99);
  EXPECT_EQ(token.reorder->getWidth(), 4u);
}

TEST_F(QueueShared, WhoPushesHelpsByTicket) {
  for (int i = 0; i < 9; ++i) // there is no worker
    net.send(self, *edge);
  EXPECT_GE(net.ticketRuns, 5u);
  EXPECT_EQ(net.sunk + net.port(first).ring.size(), 9u);
}

TEST(QueueScheduler, WorkersRunWhatIsQueuedAndEnd) {
  TestNet net(2);
  SchedulerOptions four = options(2);
  four.workers = 4;
  TestScheduler scheduler(four, net);
  uint32_t last = net.addPort(0, {}, Mode::Queued), first = net.addPort(1, {}, Mode::Queued);
  net.connect(first, last);
  auto *edge = net.addEdge(first);
  net.start(scheduler, 1000);
  auto team = makeTeam();
  team->open(4);
  team->run([&](uint32_t worker) { scheduler.work(worker); });
  auto self = scheduler.makeSelf();
  for (int i = 0; i < 1000; ++i)
    net.send(self, *edge);
  team->join(); // the last message ended it
  EXPECT_EQ(net.sunk, 1000u);
  uint64_t batches = 0;
  for (uint32_t i = 0; i < 4; ++i)
    batches += scheduler.countersOf(i).batches;
  EXPECT_LE(batches, 2000u); // the source helped with the rest
}

TEST(QueueScheduler, WhoAwaitsRunningThreadsSleepsUntilOneRunsOrTheEnd) {
  TestNet net(1);
  TestScheduler scheduler(options(1), net);
  constexpr int kRounds = 200;
  std::atomic<int> seen{0}, left{0};
  auto team = makeTeam();
  team->open(1);
  team->run([&](uint32_t) {
    for (int round = 1; round <= kRounds; ++round) {
      scheduler.awaitRunning([] { return true; });
      seen = round;
      while (left != round)
        RealSys::yield();
    }
    scheduler.awaitRunning([] { return true; }); // the end
  });
  for (int round = 1; round <= kRounds; ++round) {
    EXPECT_EQ(seen, round - 1) << "nobody runs";
    scheduler.setRunning(true);
    while (seen != round)
      RealSys::yield();
    scheduler.setRunning(false);
    left = round;
  }
  scheduler.finish();
  team->join();
}

TEST(QueueScheduler, LevelIsClampedAndParks) {
  TestNet net(1);
  SchedulerOptions two = options(1);
  two.workers = 2;
  TestScheduler scheduler(two, net);
  net.addPort(0, {}, Mode::Queued);
  scheduler.setLevel(0);
  EXPECT_EQ(scheduler.getLevel(), 1u);
  scheduler.setLevel(9);
  EXPECT_EQ(scheduler.getLevel(), 2u);
  scheduler.setLevel(1);
  auto team = makeTeam();
  team->open(2);
  team->run([&](uint32_t worker) { scheduler.work(worker); });
  scheduler.finish();
  team->join();
}

//===--- state by key -----------------------------------------------------------===//

struct QueueByKey : QueueShared {
  void share() override { net.shareByKey(1, 4, 3); }
};

TEST_F(QueueByKey, WhoIsInAShardRunsWhatOthersPartitionMeanwhile) {
  for (int i = 0; i < 2; ++i)
    net.send(self, *edge);
  int parts = 0;
  net.onPart = [&](uint32_t shard) {
    if (++parts == 1) { // in the first shard: another worker partitions the second ticket and runs
                        // the other shards
      auto other = scheduler.makeSelf();
      EXPECT_EQ(shard, 0u);
      EXPECT_EQ(runEntry(other), 1u);
      EXPECT_EQ(parts, 5);
      EXPECT_EQ(net.sunk, 0u) << "both tickets lack their parts of the first shard";
    }
  };
  EXPECT_EQ(runEntry(), 1u);
  EXPECT_EQ(parts, 6);
  EXPECT_EQ(net.sunk, 2u);
  EXPECT_TRUE(token.reorder->idle());
}

TEST_F(QueueByKey, AWidthOfOneKeepsTheStateWhole) {
  scheduler.setWidth(self, net.port(first), 1);
  for (int i = 0; i < 3; ++i)
    net.send(self, *edge);
  EXPECT_EQ(runEntry(), 3u) << "a quantum, as without a reorder";
  net.port(first).setMode(Mode::Direct);
  net.send(self, *edge);
  EXPECT_EQ(net.inlineRuns, 5u) << "with those at the port behind";
  EXPECT_EQ(net.ticketRuns, 0u);
}

TEST_F(QueueByKey, WhilePartitionedItIsRunByTicketsOnly) {
  net.send(self, *edge);
  EXPECT_EQ(runEntry(), 1u);
  net.port(first).setMode(Mode::Direct);
  for (int i = 0; i < 2; ++i)
    net.send(self, *edge);
  EXPECT_EQ(net.port(first).ring.size(), 2u) << "a call is appended";
  EXPECT_EQ(runEntry(), 1u);
  EXPECT_EQ(runEntry(), 1u);
  EXPECT_EQ(net.ticketRuns, 3u);
  EXPECT_EQ(net.sunk, 3u);
}

TEST_F(QueueByKey, AWidthOfOneMakesItWholeAgain) {
  for (int i = 0; i < 3; ++i)
    net.send(self, *edge);
  bool once = true;
  net.onPart = [&](uint32_t) {
    if (!std::exchange(once, false))
      return;
    scheduler.setWidth(self, net.port(first), 1);
    auto other = scheduler.makeSelf();
    EXPECT_EQ(runEntry(other), 0u) << "an entry, but the ticket is out";
  };
  EXPECT_EQ(runEntry(), 1u);
  EXPECT_TRUE(token.hasTickets());
  EXPECT_EQ(runEntry(), 1u) << "alone";
  EXPECT_FALSE(token.hasTickets());
  EXPECT_EQ(runEntry(), 1u) << "what is left";
  EXPECT_EQ(net.ticketRuns, 1u);
  EXPECT_EQ(net.sunk, 3u);
  scheduler.setWidth(self, net.port(first), 2);
  net.send(self, *edge);
  EXPECT_EQ(runEntry(), 1u);
  EXPECT_EQ(net.ticketRuns, 2u) << "partitioned again";
}

TEST_F(QueueByKey, ACallMakesItWholeAgain) {
  net.send(self, *edge);
  EXPECT_EQ(runEntry(), 1u);
  scheduler.setWidth(self, net.port(first), 1);
  net.port(first).setMode(Mode::Direct);
  net.send(self, *edge);
  EXPECT_EQ(net.port(first).ring.size(), 0u);
  EXPECT_EQ(net.sunk, 2u);
  EXPECT_EQ(net.ticketRuns, 1u);
}

struct QueueAlone : QueueShared {
  void share() override { net.shareByKey(1, 4, 2, /*aloneEvery=*/2); } // the second, the fourth
};

TEST_F(QueueAlone, WaitsForTicketsAndKeepsItsPlace) {
  scheduler.setWidth(self, net.port(first), 4);
  for (int i = 0; i < 3; ++i)
    net.send(self, *edge);
  bool once = true;
  net.onPart = [&](uint32_t) {
    if (!std::exchange(once, false))
      return;
    auto other = scheduler.makeSelf();
    EXPECT_EQ(runEntry(other), 0u) << "an entry, but nothing was run";
    EXPECT_EQ(net.port(first).ring.size(), 2u);
    EXPECT_TRUE(token.reorder->isFull());
  };
  EXPECT_EQ(runEntry(), 1u);
  EXPECT_EQ(net.sunk, 1u);
  EXPECT_EQ(runEntry(), 1u) << "the one that runs alone";
  EXPECT_EQ(net.sunk, 2u);
  EXPECT_EQ(net.ticketRuns, 1u);
  EXPECT_FALSE(token.reorder->isFull());
  EXPECT_EQ(runEntry(), 1u);
  EXPECT_EQ(net.sunk, 3u);
}

} // namespace
} // namespace sluice::queue::test
