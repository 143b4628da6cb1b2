//===- FrameSteadyTest.cpp - no allocation for a frame ---------------------===//
#include "Frames.h"
#include <gtest/gtest.h>

// The sanitizers have an allocator of their own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLUICE_COUNTED 0
#elif __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLUICE_COUNTED 0
#else
#define SLUICE_COUNTED 1
#include "../../tools/countmalloc.cpp" // count: the calls of malloc of this process
#endif

#if SLUICE_COUNTED

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
  for (int i = 0; i < 64; ++i) {
    addPunct(full.b, {uint32_t(i), PunctuationKind::Window});
    append(full, schema, world, randomRow(schema, random));
  }
  append(small, schema, world, randomRow(schema, random));
  FrameWriter writer(schema, 1, 2, true);
  std::string frame(1 << 20, 0);
  uint64_t sequence = 0;
  auto pass = [&](TestBatch &from) {
    size_t bytes = 0;
    for (const Piece &piece : writer.write(*from.b)) {
      memcpy(frame.data() + bytes, piece.data, piece.bytes);
      bytes += piece.bytes;
    }
    to.reset();
    return !receive(to, schema, {1, sequence++, 2, true}, {frame.data(), bytes});
  };
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(pass(full) && pass(small));
  unsigned long before = count;
  bool passed = true;
  for (int i = 0; i < 1000; ++i)
    passed &= pass(full) && pass(small);
  EXPECT_EQ(count, before);
  EXPECT_TRUE(passed);
  void *volatile counted = malloc(1);
  EXPECT_EQ(count, before + 1);
  free(counted);
}

} // namespace
#endif
