//===- DropQueueTest.cpp ----------------------------------------------------===//
#include "runtime/exec/state/DropQueue.h"
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace sluice;

namespace {
struct Batches {
  explicit Batches(uint32_t count) : list(count) {
    for (Batch &b : list)
      b.rows = 1;
  }
  Batch *operator[](size_t i) { return &list[i]; }
  std::vector<Batch> list;
};
} // namespace

TEST(DropQueue, DropsTheNewestIfToldSo) {
  Batches b(4);
  DropQueue queue(QueuePolicy::DropLast, 2);
  EXPECT_TRUE(queue.offer(b[0], 0).isFirst);
  EXPECT_FALSE(queue.offer(b[1], 0).isFirst);
  DropQueue::Offered third = queue.offer(b[2], 0);
  EXPECT_FALSE(third.kept);
  EXPECT_EQ(third.dropped, nullptr);
  EXPECT_EQ(queue.take().batch, b[0]);
  EXPECT_TRUE(queue.offer(b[3], 0).kept);
  EXPECT_EQ(queue.take().batch, b[1]);
  EXPECT_EQ(queue.take().batch, b[3]);
  EXPECT_EQ(queue.take().batch, nullptr);
  EXPECT_TRUE(queue.offer(b[2], 0).isFirst);
}

TEST(DropQueue, DropsTheOldestTupleIfToldSoAndNeverPunctuation) {
  Batches b(6);
  b[0]->rows = b[2]->rows = 0; // punctuation
  DropQueue queue(QueuePolicy::DropFirst, 2);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(queue.offer(b[i], 0).dropped, nullptr);
  EXPECT_EQ(queue.offer(b[4], 0).dropped, b[1]);
  EXPECT_EQ(queue.offer(b[5], 0).dropped, b[3]);
  EXPECT_EQ(queue.depth(), 4u);
  EXPECT_EQ(queue.dropped(), 2u);
  for (int i : {0, 2, 4, 5})
    EXPECT_EQ(queue.take().batch, b[i]);
  EXPECT_EQ(queue.take().batch, nullptr);
}

TEST(DropQueue, KeepsAllAndRemembersWhenItCameIfNothingIsToBeDropped) {
  Batches b(3);
  DropQueue queue(QueuePolicy::Wait, 0);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(queue.offer(b[i], 10 * i).dropped, nullptr);
  for (int i = 0; i < 3; ++i) {
    DropQueue::Entry entry = queue.take();
    EXPECT_EQ(entry.batch, b[i]);
    EXPECT_EQ(entry.arrival, 10 * i);
  }
  EXPECT_EQ(queue.dropped(), 0u);
}

/// The placeholder is in the ring exactly while there is something to take.
TEST(DropQueue, LosesNothingBetweenThreads) {
  constexpr uint32_t kEach = 20000;
  Batches b(2 * kEach);
  DropQueue queue(QueuePolicy::DropLast, 2 * kEach);
  std::atomic<uint32_t> placeholders{0}, taken{0};
  auto produce = [&](uint32_t from) {
    for (uint32_t i = from; i < from + kEach; ++i)
      if (queue.offer(b[i], 0).isFirst)
        placeholders.fetch_add(1);
  };
  std::thread one(produce, 0), two(produce, kEach);
  while (taken < 2 * kEach) {
    if (!placeholders.load()) {
      std::this_thread::yield();
      continue;
    }
    EXPECT_EQ(placeholders.fetch_sub(1), 1u);
    while (queue.take().batch)
      ++taken;
  }
  one.join();
  two.join();
  EXPECT_EQ(taken, 2 * kEach);
}

TEST(DropQueue, IsParkedUntilTheOldestIsDue) {
  Batches b(2);
  DropQueue queue(QueuePolicy::Wait, 0);
  queue.delay = 10;
  EXPECT_EQ(queue.due(), INT64_MAX);
  EXPECT_TRUE(queue.offer(b[0], 5).isFirst);
  EXPECT_EQ(queue.due(), 15);
  EXPECT_EQ(queue.parkedUntil(), INT64_MAX);
  EXPECT_FALSE(queue.release(20)) << "it is not parked";
  queue.park();
  EXPECT_FALSE(queue.offer(b[1], 7).isFirst) << "it is pending while it is parked";
  EXPECT_EQ(queue.parkedUntil(), 15);
  EXPECT_FALSE(queue.release(14));
  EXPECT_TRUE(queue.release(15));
  EXPECT_FALSE(queue.release(15)) << "it is in the ring";
  ASSERT_EQ(queue.entries().size(), 2u);
  EXPECT_EQ(queue.entries()[1].arrival, 7);
}
