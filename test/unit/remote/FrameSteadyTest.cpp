//===- FrameSteadyTest.cpp - no allocation for a frame ---------------------===//
#include "Frames.h"
#include "test/unit/remote/Allocations.h"
#include <gtest/gtest.h>

#if SLUICE_COUNTS_ALLOCATIONS

using namespace sluice;
using namespace sluice::remote;
using namespace sluice::remote::test;

namespace {

TEST(FrameSteady, NothingIsAllocatedForAFrame) {
  AllTypes types;
  Schema schema(types.row, 64);
  World world;
  std::mt19937 random(4);
  TestBatch full(schema), small(schema), to(schema, 1 << 20);
  for (int i = 0; i < 32; ++i) { // more would be a frame that is larger than usual
    addPunct(full.b, {uint32_t(i), PunctuationKind::Window});
    append(full, schema, world, randomRow(schema, random));
  }
  append(small, schema, world, randomRow(schema, random));
  FrameWriter writer(schema, 1, 2, true);
  std::string frame(1 << 20, 0);
  uint64_t sequence = 0;
  auto pass = [&](TestBatch &from) {
    size_t bytes = 0;
    for (const Piece &piece : piecesOf(writer, from)) {
      memcpy(frame.data() + bytes, piece.data, piece.bytes);
      bytes += piece.bytes;
    }
    to.reset();
    return !receive(to, schema, {1, sequence++, 2, true}, {frame.data(), bytes});
  };
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(pass(full) && pass(small));
  uint64_t before = allocations();
  bool passed = true;
  for (int i = 0; i < 1000; ++i)
    passed &= pass(full) && pass(small);
  EXPECT_EQ(allocations(), before);
  EXPECT_TRUE(passed);
  void *volatile counted = malloc(1);
  EXPECT_EQ(allocations(), before + 1);
  free(counted);
}

} // namespace
#endif
