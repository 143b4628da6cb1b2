//===- LinkOptionsTest.cpp - the options of links -------------------------===//
#include "runtime/remote/link/LinkOptions.h"
#include <gtest/gtest.h>

using namespace sluice::remote;

TEST(LinkOptions, AreSet) {
  LinkOptions o;
  EXPECT_EQ(setReceive(o, "sleep=2ms"), "");
  EXPECT_EQ(o.wait, Wait::Sleep);
  EXPECT_EQ(o.sleepNanos, 2'000'000);
  EXPECT_EQ(setReceive(o, "interrupt"), "");
  EXPECT_EQ(o.wait, Wait::Interrupt);
  EXPECT_EQ(setTransport(o, "socket"), "");
  EXPECT_EQ(o.transport, Transport::Socket);
  for (const char *each : {"ring=7", "grant=6", "window=5", "low=4", "checksum=off", "pool=off",
                           "in-place=off", "lazy=off"})
    EXPECT_EQ(setTransportOption(o, each), "") << each;
  EXPECT_EQ(o.credits.ring, 7u);
  EXPECT_EQ(o.credits.grant, 6u);
  EXPECT_EQ(o.credits.window, 5u);
  EXPECT_EQ(o.credits.low, 4u);
  EXPECT_FALSE(o.checksum);
  EXPECT_FALSE(o.pool);
  EXPECT_FALSE(o.inPlace);
  EXPECT_EQ(setTransportOption(o, "pool=on"), "");
  EXPECT_TRUE(o.pool);
  EXPECT_EQ(setTransportOption(o, "unacknowledged=3"), "");
  EXPECT_EQ(o.unacknowledged, 3u);
  EXPECT_EQ(setDelivery(o, "at-least-once"), "");
  EXPECT_TRUE(o.acknowledges);
  EXPECT_EQ(setDelivery(o, "at-most-once"), "");
  EXPECT_FALSE(o.acknowledges);
  EXPECT_EQ(contradiction(o), "");
}

TEST(LinkOptions, HaveToAgreeWhereBothEndsUseThem) {
  const std::string before = LinkOptions().agreement();
  for (const char *each : {"ring=7", "grant=6", "window=5", "low=4", "checksum=off"}) {
    LinkOptions o;
    setTransportOption(o, each);
    EXPECT_NE(o.agreement(), before) << each;
  }
  LinkOptions o, fewer;
  EXPECT_EQ(setDelivery(o, "at-least-once"), "");
  EXPECT_NE(o.agreement(), before);
  EXPECT_EQ(setDelivery(fewer, "at-least-once"), "");
  setTransportOption(fewer, "unacknowledged=3");
  EXPECT_NE(fewer.agreement(), o.agreement());
  o = LinkOptions();
  setReceive(o, "poll");
  setTransportOption(o, "pool=off");
  setTransportOption(o, "in-place=off");
  EXPECT_EQ(o.agreement(), before);
  setTransport(o, "shm");
  EXPECT_NE(o.agreement(), before);
}

TEST(LinkOptions, ThatAreWrongChangeNothing) {
  LinkOptions o;
  for (const char *each : {"", "ring", "ring=", "ring=0", "ring=99999", "ring=1x", "low=-1",
                           "unacknowledged=0", "unacknowledged=10001", "checksum=", "checksum=1",
                           "pool=", "in-place=no", "inplace=off", "=1", "Ring=1"})
    EXPECT_NE(setTransportOption(o, each), "") << each;
  for (const char *each : {"", "sleep=", "sleep=10", "sleep=0ms", "sleep=11s", "Poll", "auto=1ms"})
    EXPECT_NE(setReceive(o, each), "") << each;
  for (const char *each : {"", "exactly-once", "at-least-once,"})
    EXPECT_NE(setDelivery(o, each), "") << each;
  for (const char *each : {"", "rdma", "shm,tcp"})
    EXPECT_NE(setTransport(o, each), "") << each;
  EXPECT_EQ(o.agreement(), LinkOptions().agreement());
  EXPECT_EQ(o.wait, Wait::Auto);
}
