//===- LastUsedTest.cpp - which compiled patterns are kept --*- C++ -*-===//
#include "stdlib/native/LastUsed.h"
#include <gtest/gtest.h>

using namespace sluice;

namespace {

/// Counts what it had to add.
struct Counted {
  LastUsed<int> cache;
  int added = 0;

  int get(int number) {
    std::string pattern = "^user" + std::to_string(number) + "$";
    if (int *known = cache.find(pattern))
      return *known;
    ++added;
    return *cache.add(pattern, number);
  }
};

constexpr int kKept = LastUsed<int>::kKept;

} // namespace

TEST(LastUsed, KeepsAllThatAreInUse) {
  static_assert(kKept >= 1024);
  Counted counted;
  for (int round = 0; round < 3; ++round)
    for (int i = 0; i < kKept; ++i)
      EXPECT_EQ(counted.get(i), i);
  EXPECT_EQ(counted.added, kKept);
}

TEST(LastUsed, DropsTheOneThatWasUsedFirst) {
  Counted counted;
  for (int i = 0; i <= kKept; ++i)
    counted.get(i);
  for (int i = kKept; i > 0; --i)
    EXPECT_EQ(counted.get(i), i);
  EXPECT_EQ(counted.added, kKept + 1);
  EXPECT_EQ(counted.get(0), 0);
  EXPECT_EQ(counted.added, kKept + 2);
}

TEST(LastUsed, KeepsWhatIsUsedBetweenManyOthers) {
  Counted counted;
  for (int i = 0; i < 5 * kKept; ++i) {
    EXPECT_EQ(counted.get(-1), -1);
    counted.get(i);
  }
  EXPECT_EQ(counted.added, 5 * kKept + 1);
}
