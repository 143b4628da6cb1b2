//===- ConnectTest.cpp - what connectors share ----------------------------===//
#include "stdlib/native/connect/Foreign.h"
#include "stdlib/native/connect/Retry.h"
#include <gtest/gtest.h>

using namespace sluice;

TEST(ConnectTest, PausesGrowUpToTheLimit) {
  Backoff backoff(1, 7);
  for (double most : {0.1, 0.2, 0.4, 0.8, 1.0, 1.0}) {
    double pause = backoff.next();
    EXPECT_LE(pause, most);
    EXPECT_GE(pause, most * 0.75);
  }
  backoff.reset();
  EXPECT_LE(backoff.next(), 0.1);
}

TEST(ConnectTest, AShortLimitHoldsFromTheStart) {
  Backoff backoff(0.01);
  EXPECT_LE(backoff.next(), 0.01);
  EXPECT_LE(backoff.next(), 0.01);
}

TEST(ConnectTest, ClientsPauseForDifferentTimes) {
  EXPECT_NE(Backoff(10, 1).next(), Backoff(10, 2).next());
}

TEST(ConnectTest, LibrariesGiveTheirFunctions) {
  double (*cosine)(double) = nullptr;
  EXPECT_EQ(loadForeign({"libno.so.9", "libm.so.6"}, "libc6", {{"cos", &cosine}}), "");
  ASSERT_TRUE(cosine);
  EXPECT_EQ(cosine(0), 1.0);
}

TEST(ConnectTest, AMissingLibraryNamesItsPackage) {
  EXPECT_EQ(loadForeign({"libno.so.9"}, "libno9", {}), "libno.so.9 is missing: apt install libno9");
  void *place = nullptr;
  EXPECT_EQ(loadForeign({"libm.so.6"}, "libc6", {{"no_such_function", &place}}),
            "libm.so.6 is too old, it has no no_such_function: apt install libc6");
}
