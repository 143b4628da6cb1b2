//===- FlowTest.cpp - what a push does, step by step ----------------------===//
#include "FlowFixture.h"

namespace sluice::queue::test {
namespace {

TEST_F(QueueFlow, DirectRunsInline) {
  uint32_t last = net.addPort(0, {}, Mode::Direct), first = net.addPort(1, {}, Mode::Direct);
  net.connect(first, last);
  auto *edge = net.addEdge(first);
  net.send(self, *edge);
  EXPECT_EQ(net.sunk, 1u);
  EXPECT_EQ(net.inlineRuns, 2u);
  EXPECT_FALSE(net.port(first).token.isOwned());
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
  EXPECT_TRUE(net.port(port).token.isQueued()) << "its entry stays until a worker removes it";
}

TEST(QueueLinger, RunsWhatIsLight) {
  TestNet net{2};
  SchedulerOptions slow = options(2); // the machine may be
  slow.wakeNanos = 100'000'000;
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
  net.port(first).token.took(1000);
  EXPECT_EQ(visit(false), 0u) << "not known of the last one";
  net.port(last).token.took(1000);
  net.port(first).token.took(1'000'000'000);
  EXPECT_EQ(visit(false), 2u) << "of the last one it is; the first one is heavy by now";
  for (int i = 0; i < 60; ++i)
    net.port(first).token.took(1000);
  EXPECT_EQ(visit(true), 0u) << "somebody else runs";
  EXPECT_EQ(visit(false), 3u) << "all that is there";
}

TEST(QueueAssist, WorksUntilItIsEnough) {
  TestNet net{2};
  SchedulerOptions one = options(2);
  one.helpers = 1;
  TestScheduler scheduler{one, net};
  Self<CheckedSys> self = scheduler.makeHelper();
  net.start(scheduler, kNever);
  uint32_t last = net.addPort(0, {}, Mode::Queued), first = net.addPort(1, {}, Mode::Queued);
  net.connect(first, last);
  auto *edge = net.addEdge(first);
  auto any = [](const OwnershipToken<CheckedSys> &) { return true; };
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
  auto notFirst = [&](const OwnershipToken<CheckedSys> &token) {
    return &token != &net.port(first).token;
  };
  EXPECT_FALSE(scheduler.assist(self, [] { return false; }, notFirst));
  EXPECT_EQ(net.port(first).ring.size(), 1u);
  EXPECT_TRUE(net.port(first).token.isQueued()) << "its entry is there for a worker";
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
  uint32_t last = net.addPort(0, {2, 1000}, Mode::Queued),
           first = net.addPort(1, {2, 1000}, Mode::Queued);
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
  ASSERT_TRUE(net.port(port).token.win(self.id));
  EXPECT_DEATH(net.send(self, *edge), "an edge of a loop is not marked")
      << "it would wait for itself";
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

} // namespace
} // namespace sluice::queue::test
