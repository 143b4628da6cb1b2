//===- CauseTest.cpp - what limits a program ------------------------------===//
#include "runtime/watch/Cause.h"
#include <gtest/gtest.h>

using namespace sluice::watch;

namespace {
/// Read -> Work -> Sink, an interval of a second on four processors. Both ports are calls.
struct Chain : CauseInput {
  enum { Read, Work, Sink };
  Chain() {
    length = 1;
    cpus = 4;
    used = 1;
    moved = 1000;
    ops = {{.name = "Read", .isSource = true, .cpu = 0.2, .to = {0}},
           {.name = "Work", .cpu = 0.5, .to = {1}},
           {.name = "Sink", .cpu = 0.1}};
    ports = {{.op = Work}, {.op = Sink}};
    threads = {{.name = "source Read", .source = Read, .op = Read}};
  }
  void expect(CauseKind kind, int op, const char *part) const {
    Cause cause = causeOf(*this);
    EXPECT_STREQ(toString(cause.kind), toString(kind)) << cause.text;
    EXPECT_EQ(cause.op, op) << cause.text;
    EXPECT_NE(cause.text.find(part), std::string::npos) << cause.text;
  }
};
} // namespace

TEST(Cause, CalledOperatorThatFillsTheThreadOfItsSource) {
  Chain c;
  c.expect(CauseKind::Operator, Chain::Work, "Work limits it: it takes 50 % of source Read");
}

TEST(Cause, QueuedOperator) {
  Chain c;
  c.ports[0] = {.op = Chain::Work, .isQueue = true, .blocked = 0.63};
  c.threads[0].waited = c.threads[0].blocked = 0.63;
  c.expect(CauseKind::Operator, Chain::Work,
           "Work limits it: it fills 50 % of a processor; Read waits for it 63 % of the time");
}

TEST(Cause, LastCongestedPortOfAPath) {
  Chain c;
  c.ports[0] = {.op = Chain::Work, .isQueue = true, .blocked = 0.9};
  c.ports[1] = {.op = Chain::Sink, .isQueue = true, .fullness = 0.95};
  c.expect(CauseKind::Operator, Chain::Sink, "Sink limits it");
}

TEST(Cause, SlowBranch) {
  Chain c; // Read -> Work, Read -> Sink
  c.ops[Chain::Read].to = {0, 1};
  c.ops[Chain::Work].to = {};
  c.ports[0].isQueue = c.ports[1].isQueue = true;
  c.ports[1].blocked = 0.4;
  c.expect(CauseKind::Operator, Chain::Sink, "Read waits for it 40 %");
}

TEST(Cause, WhatIsCalledBehindTheQueueCounts) {
  Chain c;
  c.ports[0] = {.op = Chain::Work, .isQueue = true, .blocked = 0.5};
  c.ops[Chain::Sink].cpu = 0.8;
  c.expect(CauseKind::Operator, Chain::Sink, "Sink limits it");
}

TEST(Cause, Device) {
  Chain c;
  c.ports[1] = {.op = Chain::Sink, .isQueue = true, .blocked = 0.5};
  c.ops[Chain::Sink].slept = 0.9;
  c.expect(CauseKind::Device, Chain::Sink, "sleeps 90 %");
}

TEST(Cause, DeviceInTheThreadOfASource) {
  Chain c;
  c.ops[Chain::Sink].slept = 0.95;
  c.expect(CauseKind::Device, Chain::Sink, "sleeps 95 %");
}

TEST(Cause, RateOfAnOperator) {
  Chain c;
  c.ops[Chain::Work].paced = 0.97;
  c.ops[Chain::Work].cpu = 0.01;
  c.threads[0].waited = 0.97;
  c.used = 4; // more processors would not help
  const char *text = "Work limits it by its rate: it waits 97 % of the time";
  c.expect(CauseKind::Operator, Chain::Work, text);
  c.ports[0] = {.op = Chain::Work, .isQueue = true, .blocked = 0.9};
  c.threads[0].blocked = 0.9;
  c.expect(CauseKind::Operator, Chain::Work, text);
  c.expect(CauseKind::Operator, Chain::Work, "; Read waits for it 90 % of the time");
  c.moved = 0; // nothing in this interval, and that is as it should be
  c.threads[0].forSpace = true;
  c.threads[0].op = Chain::Work;
  c.threads[0].seconds = 5;
  c.threads.push_back({.name = "worker 0", .op = Chain::Work, .paces = true, .seconds = 5});
  c.expect(CauseKind::Operator, Chain::Work, text);
  c.moved = 1000;
  c.ops[Chain::Work].paced = 0.2; // it seldom waits
  c.ops[Chain::Sink].cpu = 0;
  c.used = 1;
  c.expect(CauseKind::Operator, Chain::Work, "Work limits it: it fills 1 % of a processor");
}

TEST(Cause, Peer) {
  Chain c;
  c.ports[1] = {.op = Chain::Sink, .isQueue = true, .blocked = 0.5};
  c.ops[Chain::Sink].forCredits = 0.7;
  c.ops[Chain::Sink].peer = 3;
  c.expect(CauseKind::Peer, Chain::Sink, "PE 3 limits it: Sink waits for it 70 %");
}

TEST(Cause, FullestChannelOfARegion) {
  Chain c; // Read -> Work[0], Work[1]
  c.ops[Chain::Work] = {.name = "Work[0]", .group = "Work", .cpu = 0.3};
  c.ops[Chain::Sink] = {.name = "Work[1]", .group = "Work", .cpu = 0.99};
  c.ops[Chain::Read].to = {0, 1};
  c.ports[0].isQueue = c.ports[1].isQueue = true;
  c.ports[0].blocked = 0.2;
  c.expect(CauseKind::Channel, Chain::Sink,
           "Work limits it: its 2 channels fill 1.3 of 4 processors, Work[1] 99 % of one");
}

TEST(Cause, Processors) {
  Chain c;
  c.used = 3;
  c.others = 0.9;
  c.expect(CauseKind::Processors, Chain::Work, "it uses 3 of 4 processors, other programs 0.9");
}

TEST(Cause, Input) {
  Chain c;
  c.threads[0].waited = 0.8;
  c.expect(CauseKind::Input, Chain::Read, "It keeps up: Read waits for input 80 %");
}

TEST(Cause, MoreProcessorsWouldNotHelpAProgramThatWaits) {
  Chain c;
  c.others = 3;
  c.threads[0].waited = 0.8;
  c.expect(CauseKind::Input, Chain::Read, "keeps up");
  c.threads[0].waited = 0;
  c.ops[Chain::Sink].slept = 0.95;
  c.expect(CauseKind::Device, Chain::Sink, "sleeps");
}

TEST(Cause, StuckSaysWhereEachThreadIs) {
  Chain c;
  c.moved = 0;
  c.threads = {{.name = "source Read", .source = 0, .op = 1, .forSpace = true, .seconds = 5},
               {.name = "worker 0", .op = 2, .inWork = true, .seconds = 61.5}};
  c.expect(
      CauseKind::Stuck, Chain::Sink,
      "Nothing moves: worker 0 sleeps in Sink since 61.5 s, source Read waits for space before "
      "Work since 5.0 s");
}

TEST(Cause, NothingMovesAndNothingWaitsIsNotStuck) {
  Chain c;
  c.moved = 0;
  c.threads[0].waited = 1;
  c.expect(CauseKind::Input, Chain::Read, "keeps up");
}

TEST(Cause, LoopsEnd) {
  Chain c;
  c.ops[Chain::Sink].to = {0};
  c.ports[0] = {.op = Chain::Work, .isQueue = true, .blocked = 0.5};
  c.ports[1] = {.op = Chain::Sink, .isQueue = true, .blocked = 0.4};
  EXPECT_NE(causeOf(c).kind, CauseKind::Stuck);
}

TEST(Cause, AnEmptyIntervalSaysNothing) { EXPECT_EQ(causeOf({}).kind, CauseKind::None); }

TEST(CauseWatch, ShowsWhatThreeOfFourIntervalsSay) {
  CauseWatch watch;
  Cause slow{CauseKind::Operator, 1, "slow"}, input{CauseKind::Input, 0, "input"};
  EXPECT_EQ(watch.add(slow).kind, CauseKind::None);
  watch.add(input);
  watch.add(slow);
  EXPECT_EQ(watch.add(slow).text, "slow");
  EXPECT_EQ(watch.add(input).text, "slow");
  watch.add(input);
  EXPECT_EQ(watch.add(input).text, "input");
}
