//===- FlowTest.cpp - what a push does, step by step ----------------------===//
#include "Net.h"
#include "runtime/queue/Team.h"
#include <gtest/gtest.h>
#include <numeric>

namespace sluice::queue::test {
namespace {

struct TestNet : Net<CheckedSys> {
  using Net::Net;
  ~TestNet() { dropQueued(); }
};
using TestScheduler = TestNet::SchedulerT;
constexpr uint64_t kNever = ~0ull; // the net does not finish by itself

Options options(uint32_t words, int64_t budget = 1 << 20) {
  Options result;
  result.words = words;
  result.budget = budget;
  return result;
}

struct QueueFlow : testing::Test {
  TestNet net{3};
  TestScheduler scheduler{options(3), net};
  Self<CheckedSys> self = scheduler.makeSelf();
  void SetUp() override { net.start(scheduler, kNever); }
};

TEST_F(QueueFlow, DirectRunsInline) {
  uint32_t last = net.addPort(0, {}, Mode::Direct), first = net.addPort(1, {}, Mode::Direct);
  net.connect(first, last);
  auto *edge = net.addEdge(first);
  net.send(self, *edge);
  EXPECT_EQ(net.sunk, 1u);
  EXPECT_EQ(net.inlineRuns, 2u);
  EXPECT_FALSE(net.port(first).word.isOwned());
}

TEST_F(QueueFlow, ASwitchRunsWhatIsQueuedFirst) {
  uint32_t port = net.addPort(0, {}, Mode::Queued);
  auto *edge = net.addEdge(port);
  net.send(self, *edge);
  net.send(self, *edge);
  EXPECT_EQ(net.sunk, 0u);
  EXPECT_EQ(net.port(port).ring.size(), 2u);
  net.port(port).setMode(Mode::Direct);
  net.send(self, *edge); // the net checks the order
  EXPECT_EQ(net.sunk, 3u);
  EXPECT_EQ(net.inlineRuns, 1u);
  EXPECT_TRUE(net.port(port).word.isQueued()) << "its entry stays until a worker removes it";
}

TEST(QueueLinger, RunsWhatIsLight) {
  TestNet net{2};
  Options slow = options(2); // the machine may be
  slow.wakeNanos = 100'000'000;
  slow.quantumNanos = 1'000'000'000;
  TestScheduler scheduler{slow, net};
  Self<CheckedSys> self = scheduler.makeSelf();
  net.start(scheduler, kNever);
  uint32_t last = net.addPort(0, {}, Mode::Queued), first = net.addPort(1, {}, Mode::Queued);
  net.connect(first, last);
  auto *edge = net.addEdge(first);
  auto visit = [&](bool others) {
    scheduler.setRunning(true);
    if (others)
      scheduler.setRunning(true);
    scheduler.beginLinger(self);
    net.send(self, *edge);
    scheduler.linger(self);
    EXPECT_FALSE(self.lingers);
    EXPECT_EQ(self.owed, 0u);
    scheduler.setRunning(false);
    if (others)
      scheduler.setRunning(false);
    return net.sunk.exchange(0);
  };
  EXPECT_EQ(visit(false), 0u) << "how long turns take is not known";
  net.port(first).word.took(1000);
  EXPECT_EQ(visit(false), 0u) << "not known of the last one";
  net.port(last).word.took(1000);
  net.port(first).word.took(1'000'000'000);
  EXPECT_EQ(visit(false), 2u) << "of the last one it is; the first one is heavy by now";
  for (int i = 0; i < 60; ++i)
    net.port(first).word.took(1000);
  EXPECT_EQ(visit(true), 0u) << "somebody else runs";
  EXPECT_EQ(visit(false), 3u) << "all that is there";
}

TEST(QueueAssist, WorksUntilItIsEnough) {
  TestNet net{2};
  Options one = options(2);
  one.helpers = 1;
  TestScheduler scheduler{one, net};
  Self<CheckedSys> self = scheduler.makeHelper();
  net.start(scheduler, kNever);
  uint32_t last = net.addPort(0, {}, Mode::Queued), first = net.addPort(1, {}, Mode::Queued);
  net.connect(first, last);
  auto *edge = net.addEdge(first);
  auto any = [](const Word<CheckedSys> &) { return true; };
  net.send(self, *edge);
  EXPECT_TRUE(scheduler.assist(self, [] { return true; }, any));
  EXPECT_EQ(net.port(first).ring.size(), 1u) << "it was enough before";
  uint32_t turns = 1;
  EXPECT_TRUE(scheduler.assist(self, [&] { return turns-- == 0; }, any));
  EXPECT_EQ(net.port(last).ring.size(), 1u);
  EXPECT_FALSE(self.own) << "what it adds from now on is for workers";
  EXPECT_FALSE(scheduler.assist(self, [] { return false; }, any)) << "nothing is left";
  EXPECT_EQ(net.sunk, 1u);
  net.send(self, *edge);
  auto notFirst = [&](const Word<CheckedSys> &word) { return &word != &net.port(first).word; };
  EXPECT_FALSE(scheduler.assist(self, [] { return false; }, notFirst));
  EXPECT_EQ(net.port(first).ring.size(), 1u);
  EXPECT_TRUE(net.port(first).word.isQueued()) << "its entry is there for a worker";
  EXPECT_FALSE(scheduler.assist(self, [] { return false; }, any));
  EXPECT_EQ(net.sunk, 2u);
}

TEST_F(QueueFlow, AFullRingIsHelped) {
  uint32_t port = net.addPort(0, {2, 1000}, Mode::Queued);
  auto *edge = net.addEdge(port);
  for (int i = 0; i < 5; ++i) // there is no worker
    net.send(self, *edge);
  EXPECT_EQ(net.sunk, 4u);
  EXPECT_EQ(net.port(port).ring.size(), 1u);
}

TEST_F(QueueFlow, HelpGoesDownstream) {
  uint32_t last = net.addPort(0, {2, 1000}, Mode::Queued), first = net.addPort(1, {2, 1000}, Mode::Queued);
  net.connect(first, last);
  auto *edge = net.addEdge(first);
  for (int i = 0; i < 20; ++i)
    net.send(self, *edge);
  EXPECT_EQ(net.sunk + net.port(first).ring.size() + net.port(last).ring.size(), 20u);
  EXPECT_GE(net.sunk, 16u);
}

TEST_F(QueueFlow, StatusComesBack) {
  uint32_t port = net.addPort(0, {}, Mode::Direct);
  auto *edge = net.addEdge(port);
  net.onSink = [](auto &, uint32_t, uint64_t number) { return number == 1 ? -1 : 0; };
  EXPECT_EQ(net.send(self, *edge), 0);
  EXPECT_EQ(net.send(self, *edge), -1);
  EXPECT_EQ(net.send(self, *edge), 0);
  EXPECT_EQ(net.sunk, 3u);
}

TEST_F(QueueFlow, TimersPassTheBound) {
  uint32_t port = net.addPort(0, {2, 1000}, Mode::Direct);
  auto *timer = net.addEdge(port, Kind::Timer), *edge = net.addEdge(port);
  for (int i = 0; i < 7; ++i)
    net.send(self, *timer);
  EXPECT_EQ(net.sunk, 0u) << "never runs a handler";
  net.send(self, *edge);
  EXPECT_EQ(net.sunk, 8u);
}

TEST_F(QueueFlow, AClosedPortTakesNothing) {
  uint32_t port = net.addPort(0, {}, Mode::Direct);
  auto *edge = net.addEdge(port), *timer = net.addEdge(port, Kind::Timer);
  net.send(self, *edge);
  net.port(port).close();
  EXPECT_DEATH(net.send(self, *edge), "has closed");
  EXPECT_DEATH(net.send(self, *timer), "has closed");
}

TEST_F(QueueFlow, APortThatHoldsItemsDoesNotClose) {
  uint32_t port = net.addPort(0, {}, Mode::Queued);
  net.send(self, *net.addEdge(port));
  EXPECT_DEATH(net.port(port).close(), "holds items");
}

TEST_F(QueueFlow, AnEdgeOfALoopThatIsNotMarkedEndsTheProgram) {
  uint32_t port = net.addPort(0, {2, 1000}, Mode::Queued);
  auto *edge = net.addEdge(port);
  net.send(self, *edge);
  net.send(self, *edge);
  ASSERT_TRUE(net.port(port).word.win(self.id));
  EXPECT_DEATH(net.send(self, *edge), "an edge of a loop is not marked") << "it would wait for itself";
}

TEST(QueueLoop, EndsAtTheBudget) {
  TestNet net(1);
  TestScheduler scheduler(options(1, 1000), net);
  auto self = scheduler.makeSelf();
  net.start(scheduler, kNever);
  uint32_t port = net.addPort(0, {2, 100}, Mode::Queued);
  net.connectBack(port, port);
  auto *inside = net.addEdge(port, Kind::Loop);
  int pushes = 0;
  while (net.send(self, *inside, 0, 10) == 0)
    ++pushes;
  EXPECT_TRUE(net.overflowed);
  EXPECT_EQ(pushes, 2 + 500 / 10);
}

TEST(QueueLoop, OutsideWaitsForWhatIsInside) {
  TestNet net(1);
  TestScheduler scheduler(options(1), net);
  auto self = scheduler.makeSelf();
  net.start(scheduler, kNever);
  uint32_t port = net.addPort(0, {2, 100}, Mode::Queued);
  net.connectBack(port, port);
  auto *inside = net.addEdge(port, Kind::Loop), *outside = net.addEdge(port);
  for (int i = 0; i < 7; ++i)
    net.send(self, *inside);
  EXPECT_EQ(net.sunk, 0u);
  net.send(self, *outside);
  EXPECT_GE(net.sunk, 6u) << "helped until the loop was within its bound";
}

//===--- several threads behind one word ---------------------------------------===//

/// Without workers: tests run the word's entry as they would.
struct QueueShared : QueueFlow {
  uint32_t last = net.addPort(0, {}, Mode::Direct), first = net.addPort(1, {4, 1000}, Mode::Queued);
  TestNet::Edge *edge = net.addEdge(first);
  TestNet::WordT &word = net.port(first).word;
  void SetUp() override {
    QueueFlow::SetUp();
    net.connect(first, last);
    share();
    scheduler.setWidth(self, net.port(first), 2);
  }
  virtual void share() { net.share(1, 4, 15); }
  uint32_t runEntry(TestNet::SelfT &by) {
    EXPECT_TRUE(word.isQueued());
    return scheduler.runEntry(by, word, RealSys::now());
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
    EXPECT_EQ(net.sunk, 0u) << "the second waits for the first in the window";
  };
  EXPECT_EQ(runEntry(), 1u);
  EXPECT_EQ(net.sunk, 2u); // the net checks the order
  EXPECT_TRUE(word.window->idle());
}

TEST_F(QueueShared, NoMoreThanTheWidthRunAtOnce) {
  for (int i = 0; i < 3; ++i)
    net.send(self, *edge);
  int depth = 0;
  net.onTicket = [&] {
    auto other = scheduler.makeSelf();
    ++depth;
    EXPECT_EQ(word.isQueued(), depth < 2);
    if (word.isQueued()) {
      EXPECT_EQ(runEntry(other), 1u);
    } else {
      EXPECT_TRUE(word.window->isFull());
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
    while (word.isQueued() && ran.size() < 9) {
      auto other = scheduler.makeSelf();
      ran.push_back(scheduler.runEntry(other, word, RealSys::now()));
    }
    EXPECT_TRUE(word.window->isFull()) << "it holds twice as many as the width";
  };
  EXPECT_EQ(runEntry(), 1u);
  EXPECT_EQ(std::accumulate(ran.begin(), ran.end(), 0u), 3u);
  EXPECT_EQ(net.sunk, 4u); // the net checks the order
  EXPECT_TRUE(word.window->idle());
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
  EXPECT_EQ(runEntry(), 3u) << "a quantum, as without a window";
  EXPECT_EQ(net.ticketRuns, 0u);
}

TEST_F(QueueShared, WidthsAreClamped) {
  scheduler.setWidth(self, net.port(first), 0);
  EXPECT_EQ(word.window->getWidth(), 1u);
  scheduler.setWidth(self, net.port(first), 99);
  EXPECT_EQ(word.window->getWidth(), 4u);
}

TEST_F(QueueShared, WhoPushesHelpsByTicket) {
  for (int i = 0; i < 9; ++i) // there is no worker
    net.send(self, *edge);
  EXPECT_GE(net.ticketRuns, 5u);
  EXPECT_EQ(net.sunk + net.port(first).ring.size(), 9u);
}

TEST(QueueScheduler, WorkersRunWhatIsQueuedAndEnd) {
  TestNet net(2);
  Options four = options(2);
  four.workers = 4;
  TestScheduler scheduler(four, net);
  uint32_t last = net.addPort(0, {}, Mode::Queued), first = net.addPort(1, {}, Mode::Queued);
  net.connect(first, last);
  auto *edge = net.addEdge(first);
  net.start(scheduler, 1000);
  ThreadTeam team;
  team.start(4, 1 << 20, [&](uint32_t worker) { scheduler.work(worker); });
  auto self = scheduler.makeSelf();
  for (int i = 0; i < 1000; ++i)
    net.send(self, *edge);
  team.join(); // the last message ended it
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
  ThreadTeam team;
  team.start(1, 1 << 20, [&](uint32_t) {
    for (int round = 1; round <= kRounds; ++round) {
      scheduler.awaitRunning();
      seen = round;
      while (left != round)
        RealSys::yield();
    }
    scheduler.awaitRunning(); // the end
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
  team.join();
}

TEST(QueueScheduler, LevelIsClampedAndParks) {
  TestNet net(1);
  Options two = options(1);
  two.workers = 2;
  TestScheduler scheduler(two, net);
  net.addPort(0, {}, Mode::Queued);
  scheduler.setLevel(0);
  EXPECT_EQ(scheduler.getLevel(), 1u);
  scheduler.setLevel(9);
  EXPECT_EQ(scheduler.getLevel(), 2u);
  scheduler.setLevel(1);
  ThreadTeam team;
  team.start(2, 1 << 20, [&](uint32_t worker) { scheduler.work(worker); });
  scheduler.finish();
  team.join();
}

//===--- state by key -----------------------------------------------------------===//

struct QueueByKey : QueueShared {
  void share() override { net.shareByKey(1, 4, 3); }
};

TEST_F(QueueByKey, WhoIsInALaneRunsWhatOthersDealMeanwhile) {
  for (int i = 0; i < 2; ++i)
    net.send(self, *edge);
  int parts = 0;
  net.onPart = [&](uint32_t lane) {
    if (++parts == 1) { // in the first lane: another worker deals the second ticket and runs the other lanes
      auto other = scheduler.makeSelf();
      EXPECT_EQ(lane, 0u);
      EXPECT_EQ(runEntry(other), 1u);
      EXPECT_EQ(parts, 5);
      EXPECT_EQ(net.sunk, 0u) << "both tickets lack their parts of the first lane";
    }
  };
  EXPECT_EQ(runEntry(), 1u);
  EXPECT_EQ(parts, 6);
  EXPECT_EQ(net.sunk, 2u);
  EXPECT_TRUE(word.window->idle());
}

TEST_F(QueueByKey, AWidthOfOneKeepsTheStateWhole) {
  scheduler.setWidth(self, net.port(first), 1);
  for (int i = 0; i < 3; ++i)
    net.send(self, *edge);
  EXPECT_EQ(runEntry(), 3u) << "a quantum, as without a window";
  net.port(first).setMode(Mode::Direct);
  net.send(self, *edge);
  EXPECT_EQ(net.inlineRuns, 5u) << "with those at the port behind";
  EXPECT_EQ(net.ticketRuns, 0u);
}

TEST_F(QueueByKey, OnceDealtItIsRunByTicketsOnly) {
  net.send(self, *edge);
  EXPECT_EQ(runEntry(), 1u);
  scheduler.setWidth(self, net.port(first), 1);
  net.port(first).setMode(Mode::Direct);
  for (int i = 0; i < 2; ++i)
    net.send(self, *edge);
  EXPECT_EQ(net.port(first).ring.size(), 2u) << "a call is appended";
  EXPECT_EQ(runEntry(), 1u);
  EXPECT_EQ(runEntry(), 1u);
  EXPECT_EQ(net.ticketRuns, 3u);
  EXPECT_EQ(net.sunk, 3u);
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
    EXPECT_TRUE(word.window->isFull());
  };
  EXPECT_EQ(runEntry(), 1u);
  EXPECT_EQ(net.sunk, 1u);
  EXPECT_EQ(runEntry(), 1u) << "the one that runs alone";
  EXPECT_EQ(net.sunk, 2u);
  EXPECT_EQ(net.ticketRuns, 1u);
  EXPECT_FALSE(word.window->isFull());
  EXPECT_EQ(runEntry(), 1u);
  EXPECT_EQ(net.sunk, 3u);
}

} // namespace
} // namespace sluice::queue::test
