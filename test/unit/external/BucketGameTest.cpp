//===- BucketGameTest.cpp - which buckets are emptied -----------------------===//
#include "runtime/external/BucketGame.h"
#include <gtest/gtest.h>

namespace sluice::external {
namespace {

std::vector<uint32_t> listOf(std::span<const uint32_t> buckets) {
  return {buckets.begin(), buckets.end()};
}

TEST(BucketGame, TheFullestAreEmptied) {
  BucketGame game(5, 100, 2);
  for (auto [bucket, bytes] : {std::pair{0u, 10u}, {1u, 40u}, {2u, 5u}, {3u, 30u}, {4u, 15u}})
    game.add(bucket, bytes);
  EXPECT_FALSE(game.fits(1));
  EXPECT_EQ(listOf(game.fullest()), (std::vector<uint32_t>{1, 3}));
  EXPECT_EQ(game.empty(1), 40u);
  EXPECT_EQ(game.empty(3), 30u);
  EXPECT_EQ(game.held(), 30u);
  EXPECT_TRUE(game.fits(70));
  EXPECT_EQ(listOf(game.fullest()), (std::vector<uint32_t>{4, 0}));
}

TEST(BucketGame, TheNumberDecidesBetweenEqualOnes) {
  BucketGame game(4, 100, 2);
  for (uint32_t bucket : {3u, 1u, 2u, 0u})
    game.add(bucket, 7);
  EXPECT_EQ(listOf(game.fullest()), (std::vector<uint32_t>{0, 1}));
}

TEST(BucketGame, EmptyOnesAreNotEmptied) {
  BucketGame game(4, 100, 3);
  EXPECT_TRUE(game.fullest().empty());
  game.add(2, 1);
  EXPECT_EQ(listOf(game.fullest()), (std::vector<uint32_t>{2}));
}

TEST(BucketGame, MoreAtOnceThanThereAre) {
  BucketGame game(2, 100, 9);
  game.add(0, 1);
  game.add(1, 2);
  EXPECT_EQ(listOf(game.fullest()), (std::vector<uint32_t>{1, 0}));
}

} // namespace
} // namespace sluice::external
