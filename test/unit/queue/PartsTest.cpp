//===- PartsTest.cpp - token, ring, ready queue, event count ---------------===//
#include "Net.h"
#include "runtime/queue/Team.h"
#include <gtest/gtest.h>

namespace sluice::queue {
namespace {

using W = OwnershipToken<RealSys>;
using R = Ring<RealSys>;
constexpr uint32_t kMe = 7, kOther = 8;
auto nothing = [] { return false; };

Item number(uintptr_t i) { return reinterpret_cast<Item>(i); }
uintptr_t numberOf(R::Entry entry) { return reinterpret_cast<uintptr_t>(entry.item); }

//===--- token -----------------------------------------------------------------===//

TEST(QueueToken, OneOwner) {
  W token;
  EXPECT_FALSE(token.isOwned());
  EXPECT_TRUE(token.win(kMe));
  EXPECT_TRUE(token.isOwnedBy(kMe));
  EXPECT_FALSE(token.win(kOther));
  EXPECT_FALSE(token.release(kMe, false, nothing));
  EXPECT_TRUE(token.win(kOther));
}

TEST(QueueToken, OneEntry) {
  W token;
  EXPECT_TRUE(token.notify()) << "the first adds an entry";
  EXPECT_FALSE(token.notify()) << "it is still there";
  EXPECT_TRUE(token.win(kMe));
  EXPECT_TRUE(token.isQueued()) << "winning leaves the entry";
  EXPECT_FALSE(token.release(kMe, true, nothing)) << "the entry is still there";
  EXPECT_TRUE(token.take(kOther));
  EXPECT_FALSE(token.isQueued());
  EXPECT_TRUE(token.release(kOther, true, nothing)) << "more to do: a new entry";
}

TEST(QueueToken, WhoIsToldLooksAgain) {
  W token;
  ASSERT_TRUE(token.win(kMe));
  EXPECT_FALSE(token.notify()) << "the owner will see it";
  int looks = 0;
  EXPECT_TRUE(token.release(kMe, false, [&] { return ++looks == 1; }));
  EXPECT_EQ(looks, 1);
  EXPECT_FALSE(token.isOwned());

  ASSERT_TRUE(token.win(kMe));
  EXPECT_FALSE(token.take(kOther)) << "owned: its worker tells the owner";
  EXPECT_FALSE(token.isQueued());
  EXPECT_FALSE(token.release(kMe, false, [&] {
    ++looks;
    return false;
  }));
  EXPECT_EQ(looks, 2);
}

TEST(QueueToken, NobodyToldNobodyLooks) {
  W token;
  ASSERT_TRUE(token.win(kMe));
  EXPECT_FALSE(token.release(kMe, false, [] {
    ADD_FAILURE();
    return false;
  }));
}

//===--- ring -----------------------------------------------------------------===//

TEST(QueueRing, InOrderAndBounded) {
  R ring({4, 1000});
  EXPECT_FALSE(ring.pub()) << "nothing is allocated yet";
  for (uintptr_t round = 0; round < 5; ++round) {
    for (uintptr_t i = 0; i < 4; ++i)
      EXPECT_TRUE(ring.tryPush(number(i), 1, true));
    EXPECT_TRUE(ring.full(1, true));
    EXPECT_FALSE(ring.tryPush(number(9), 1, true));
    for (uintptr_t i = 0; i < 4; ++i) {
      ASSERT_TRUE(ring.pub());
      EXPECT_EQ(numberOf(ring.pop()), i);
    }
    EXPECT_FALSE(ring.pub());
  }
}

TEST(QueueRing, AnEmptyOneTakesAnySize) {
  R ring({4, 100});
  EXPECT_TRUE(ring.tryPush(number(0), 5000, false)) << "whatever the budget says";
  EXPECT_FALSE(ring.tryPush(number(1), 1, true)) << "too many bytes";
  EXPECT_EQ(ring.pop().bytes, 5000u);
  EXPECT_TRUE(ring.tryPush(number(1), 60, true));
  EXPECT_TRUE(ring.tryPush(number(1), 40, true));
  EXPECT_FALSE(ring.tryPush(number(1), 1, true));
  EXPECT_EQ(ring.heldBytes(), 100u);
}

TEST(QueueRing, BudgetLeavesOneEach) {
  R ring({4, 100});
  EXPECT_TRUE(ring.tryPush(number(0), 1, false));
  EXPECT_FALSE(ring.tryPush(number(1), 1, false));
  EXPECT_TRUE(ring.full(1, false));
  EXPECT_FALSE(ring.full(1, true));
}

TEST(QueueRing, PastTheBoundInOrder) {
  R ring({4, 1000});
  for (uintptr_t i = 0; i < 100; ++i) {
    EXPECT_EQ(ring.pushAlways(number(i), 1), i >= 4);
    EXPECT_EQ(ring.pastBound(), i >= 4);
  }
  for (uintptr_t i = 0; i < 50; ++i) {
    ASSERT_TRUE(ring.pub());
    EXPECT_EQ(numberOf(ring.pop()), i);
  }
  for (uintptr_t i = 100; i < 120; ++i)
    ring.pushAlways(number(i), 1);
  for (uintptr_t i = 50; i < 120; ++i) {
    ASSERT_TRUE(ring.pub());
    EXPECT_EQ(numberOf(ring.pop()), i);
  }
  EXPECT_FALSE(ring.pub());
  EXPECT_TRUE(ring.tryPush(number(1), 1, true)) << "the ring itself again";
  EXPECT_FALSE(ring.pop().overflow);
}

//===--- the rest -------------------------------------------------------------===//

TEST(QueueReady, FirstInFirstOut) {
  ReadyQueue<RealSys, int *> queue(3);
  int values[8];
  EXPECT_EQ(queue.take(), nullptr);
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 4; ++i)
      EXPECT_TRUE(queue.add(&values[i]));
    EXPECT_FALSE(queue.add(&values[4])) << "four slots";
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(queue.take(), &values[i]);
    EXPECT_TRUE(queue.empty());
  }
}

TEST(QueueReady, NothingTwiceBetweenThreads) {
  constexpr int kCount = 20000;
  ReadyQueue<RealSys, std::atomic<int> *> queue(16);
  std::vector<std::atomic<int>> seen(2 * kCount);
  std::atomic<int> left{2 * kCount};
  std::vector<os::Thread> threads;
  for (int half = 0; half < 2; ++half) {
    threads.emplace_back(
        [&, half] {
          for (int i = 0; i < kCount; ++i)
            while (!queue.add(&seen[half * kCount + i]))
              os::yieldThread();
        },
        1 << 16);
    threads.emplace_back(
        [&] {
          while (left > 0)
            if (auto *entry = queue.take()) {
              ++*entry;
              --left;
            } else {
              os::yieldThread();
            }
        },
        1 << 16);
  }
  threads.clear();
  for (auto &count : seen)
    ASSERT_EQ(count, 1);
}

TEST(QueueEventCount, ABumpBeforeTheWaitKeepsAwake) {
  EventCount<RealSys> event;
  uint32_t key = event.announce();
  event.wakeOne();
  event.wait(key); // would sleep for ever
  key = event.key();
  event.wakeAll(); // nobody is announced: no bump
  EXPECT_EQ(event.key(), key);
}

TEST(QueueBudget, ThreadsKeepASlack) {
  Budget<RealSys> budget(1 << 20); // slack 1024
  int64_t mine = 0, yours = 0;
  budget.charge(mine, 1000);
  EXPECT_EQ(budget.held(), 0);
  budget.charge(mine, 1000);
  EXPECT_EQ(budget.held(), 2000);
  budget.charge(mine, 1 << 20);
  EXPECT_TRUE(budget.over());
  budget.charge(yours, -(1 << 20));
  EXPECT_FALSE(budget.over());
}

TEST(QueueOs, CpusAndThreads) {
  EXPECT_GE(os::usableCpus(), 1u);
  uint32_t other = 0;
  os::Thread([&] { other = os::threadId(); }, 1 << 16).join();
  EXPECT_NE(other, os::threadId());
  std::atomic<uint32_t> token{1};
  os::park(token, 0); // not what is there: comes back
}

} // namespace
} // namespace sluice::queue
