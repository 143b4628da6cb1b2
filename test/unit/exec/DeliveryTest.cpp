//===- DeliveryTest.cpp - receipts, retained frames, acknowledgements -----===//
#include "runtime/exec/delivery/Receipts.h"
#include "runtime/exec/delivery/Retained.h"
#include "runtime/exec/state/Receipt.h"
#include "runtime/remote/peer/Acknowledgements.h"
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <thread>

using namespace sluice;
using remote::Acknowledgements;

namespace {

/// Releases what begin() has given to the caller.
void drop(Receipt *receipt) { receipt->release(); }

std::string bytesOf(const Retained &retained, uint64_t number) {
  auto bytes = retained.frame(number).bytes;
  return {bytes.begin(), bytes.end()};
}

void add(Retained &to, const std::string &text, Receipt *receipt = nullptr) {
  size_t half = text.size() / 2;
  remote::Piece pieces[] = {{text.data(), half}, {text.data() + half, text.size() - half}};
  to.add(pieces, uint32_t(text.size()), receipt);
}

} // namespace

TEST(Receipts, AreDoneInOrder) {
  Receipts receipts(4);
  Receipt *a = receipts.begin(), *b = receipts.begin(), *c = receipts.begin();
  drop(b);
  EXPECT_EQ(receipts.done(), 0u);
  drop(a);
  EXPECT_EQ(receipts.done(), 2u);
  EXPECT_EQ(receipts.open(), 1u);
  drop(c);
  EXPECT_EQ(receipts.done(), 3u);
}

TEST(Receipts, AreNoMoreThanTheWindow) {
  Receipts receipts(2);
  Receipt *a = receipts.begin();
  ASSERT_TRUE(receipts.begin());
  EXPECT_EQ(receipts.begin(), nullptr);
  drop(a);
  EXPECT_EQ(receipts.begin(), nullptr); // nobody has looked yet
  EXPECT_EQ(receipts.done(), 1u);
  EXPECT_EQ(receipts.begin(), a);
}

TEST(Receipts, SayThePositionOfTheLastThatIsDone) {
  Receipts receipts(4);
  uint64_t position = 7;
  Receipt *a = receipts.begin(10), *b = receipts.begin(20);
  receipts.done(&position);
  EXPECT_EQ(position, 7u);
  drop(b), drop(a);
  receipts.done(&position);
  EXPECT_EQ(position, 20u);
  EXPECT_EQ(receipts.fresh(), 0u);
}

TEST(Receipts, ABatchHoldsOne) {
  Receipts receipts(2);
  Receipt *a = receipts.begin(), *b = receipts.begin();
  Batch one = {}, other = {};
  setReceipt(&one, a);
  setReceipt(&other, a);
  drop(a);
  setReceipt(&one, b);
  EXPECT_EQ(receipts.done(), 0u);
  setReceipt(&other, nullptr);
  EXPECT_EQ(receipts.done(), 1u);
  drop(b);
  EXPECT_EQ(receipts.done(), 1u);
  setReceipt(&one, nullptr);
  EXPECT_EQ(receipts.done(), 2u);
}

/// Other threads hold and release; one is done when the last of them has.
TEST(Receipts, SeveralThreads) {
  Receipts receipts(8);
  for (int round = 0; round < 200; ++round) {
    Receipt *r = receipts.begin();
    std::atomic<int> left{3};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      r->hold();
      threads.emplace_back([&] {
        r->hold();
        r->release();
        --left;
        r->release();
      });
    }
    drop(r);
    while (receipts.done() != uint64_t(round) + 1)
      std::this_thread::yield();
    EXPECT_EQ(left, 0);
    for (std::thread &t : threads)
      t.join();
  }
}

TEST(Retained, KeepsFramesUntilTheyAreAcknowledged) {
  Receipts receipts(4);
  Receipt *r = receipts.begin();
  Retained retained(3, 1000);
  add(retained, "first", r);
  add(retained, "second");
  add(retained, "third");
  drop(r);
  EXPECT_FALSE(retained.hasRoom());
  EXPECT_EQ(receipts.done(), 0u);
  EXPECT_TRUE(retained.acknowledge(1));
  EXPECT_EQ(receipts.done(), 1u);
  EXPECT_TRUE(retained.hasRoom());
  add(retained, "fourth");
  EXPECT_FALSE(retained.acknowledge(5)); // it has sent four
  EXPECT_FALSE(retained.acknowledge(0)); // one is acknowledged already
  EXPECT_FALSE(retained.isEmpty());
  EXPECT_TRUE(retained.acknowledge(4));
  EXPECT_TRUE(retained.isEmpty());
}

TEST(Retained, CountsAnewForAnotherLink) {
  Retained retained(4, 1000);
  for (const char *text : {"a", "b", "c"})
    add(retained, text);
  EXPECT_TRUE(retained.acknowledge(1));
  retained.lose();
  EXPECT_TRUE(retained.isLost());
  retained.restart();
  EXPECT_FALSE(retained.isLost());
  ASSERT_EQ(retained.count(), 2u);
  EXPECT_EQ(bytesOf(retained, 0), "b");
  EXPECT_EQ(bytesOf(retained, 1), "c");
  EXPECT_FALSE(retained.acknowledge(3));
  EXPECT_TRUE(retained.acknowledge(2));
  EXPECT_TRUE(retained.isEmpty());
}

TEST(Retained, IsBoundedByBytesButForOneFrame) {
  Retained retained(100, 1000);
  add(retained, std::string(5000, 'x'));
  EXPECT_FALSE(retained.hasRoom());
  EXPECT_TRUE(retained.acknowledge(1));
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(retained.hasRoom());
    add(retained, std::string(100, 'y'));
  }
  EXPECT_FALSE(retained.hasRoom());
}

TEST(Retained, WakesWhoWaits) {
  Retained retained(1, 100);
  add(retained, "one");
  retained.acknowledge(0);
  EXPECT_FALSE(retained.moved.raised()); // nobody waits
  retained.beginWait();
  retained.acknowledge(1);
  EXPECT_TRUE(retained.moved.raised());
  retained.beginWait();
  EXPECT_FALSE(retained.moved.raised());
  retained.lose();
  EXPECT_TRUE(retained.moved.raised());
}

/// Frames of any size, acknowledged at any time, are what they were when they are sent again.
TEST(Retained, KeepsBytes) {
  std::mt19937 random(7);
  Retained retained(20, 4096);
  std::vector<std::string> texts; // since restart()
  uint64_t acknowledged = 0;
  for (int step = 0; step < 20000; ++step) {
    if (retained.hasRoom() && random() % 3) {
      size_t bytes = random() % 8 ? random() % 600 : random() % 6000;
      texts.push_back(std::string(bytes, char('a' + random() % 26)));
      add(retained, texts.back());
    } else if (random() % 8 && acknowledged < texts.size()) {
      acknowledged += 1 + random() % (texts.size() - acknowledged);
      ASSERT_TRUE(retained.acknowledge(acknowledged));
    } else {
      retained.restart();
      texts.erase(texts.begin(), texts.begin() + ptrdiff_t(acknowledged));
      acknowledged = 0;
      ASSERT_EQ(retained.count(), texts.size());
      for (size_t i = 0; i < texts.size(); ++i)
        ASSERT_EQ(bytesOf(retained, i), texts[i]);
    }
  }
}

namespace {
struct Ends {
  Ends() { remote::socketPair(a, b); }
  remote::Socket a, b;
};
} // namespace

TEST(Acknowledgements, TheLastNumberCounts) {
  Ends ends;
  Acknowledgements says(std::move(ends.a)), hears(std::move(ends.b));
  uint64_t frames = 0;
  EXPECT_EQ(hears.hear(frames), Acknowledgements::Heard::Nothing);
  EXPECT_TRUE(says.say(3));
  EXPECT_TRUE(says.say(8));
  EXPECT_EQ(hears.hear(frames), Acknowledgements::Heard::Some);
  EXPECT_EQ(frames, 8u);
}

TEST(Acknowledgements, WhatWasSaidBeforeTheEndIsHeard) {
  Ends ends;
  uint64_t frames = 0;
  {
    Acknowledgements says(std::move(ends.a));
    EXPECT_TRUE(says.say(5));
  }
  Acknowledgements hears(std::move(ends.b));
  EXPECT_EQ(hears.hear(frames), Acknowledgements::Heard::Gone);
  EXPECT_EQ(frames, 5u);
}

TEST(Acknowledgements, GarbageIsTheEnd) {
  Ends ends;
  Acknowledgements hears(std::move(ends.a));
  std::string garbage = "GET / HTTP/1.1\r\n";
  uint64_t frames = 0;
  remote::writeAll(ends.b, std::as_bytes(std::span(garbage)), 0);
  EXPECT_EQ(hears.hear(frames), Acknowledgements::Heard::Gone);
  EXPECT_EQ(frames, 0u);
}

/// Who does not listen holds nobody up, and gets what comes later whole.
TEST(Acknowledgements, AFullSocketIsNoEnd) {
  Ends ends;
  Acknowledgements says(std::move(ends.a)), hears(std::move(ends.b));
  uint64_t said = 0, frames = 0;
  while (says.say(said + 1))
    ASSERT_LT(++said, 10'000'000u);
  EXPECT_EQ(hears.hear(frames), Acknowledgements::Heard::Some);
  EXPECT_GE(frames, said);
  EXPECT_TRUE(says.say(said + 2));
  EXPECT_EQ(hears.hear(frames), Acknowledgements::Heard::Some);
  EXPECT_EQ(frames, said + 2);
}
