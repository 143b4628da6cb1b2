//===- ArenaTest.cpp - what an emptied arena keeps ------------------------===//
#include "memory/Arena.h"
#include <gtest/gtest.h>

namespace sluice {
namespace {

/// Bytes of all blocks.
uint64_t capacity(const Arena &arena) {
  uint64_t bytes = 0;
  for (Block *block = arena.block ? arena.block->first : nullptr; block; block = block->next)
    bytes += uint64_t(block->end - block->begin());
  return bytes;
}

TEST(Arena, ResetKeepsBlocks) {
  Arena arena = {};
  for (int i = 0; i < 4; ++i)
    arenaAlloc(&arena, 100'000, 8);
  uint64_t bytes = capacity(arena);
  EXPECT_GE(bytes, 400'000u);
  arenaReset(&arena);
  for (int i = 0; i < 4; ++i)
    arenaAlloc(&arena, 100'000, 8);
  EXPECT_EQ(capacity(arena), bytes);
  arenaFree(&arena);
  EXPECT_EQ(capacity(arena), 0u);
}

TEST(Arena, TrimKeepsSoMuch) {
  Arena arena = {};
  arenaTrim(&arena, 1000); // of nothing
  for (int i = 0; i < 8; ++i)
    arenaAlloc(&arena, 100'000, 8);
  arenaTrim(&arena, 250'000);
  EXPECT_GE(capacity(arena), 200'000u);
  EXPECT_LE(capacity(arena), 250'000u);
  void *first = arena.ptr;
  EXPECT_EQ(arenaAlloc(&arena, 100, 8), first); // it is empty
  for (int i = 0; i < 8; ++i)
    arenaAlloc(&arena, 100'000, 8);
  EXPECT_GE(capacity(arena), 800'000u);
  arenaFree(&arena);
}

TEST(Arena, TrimMayKeepNothing) {
  Arena arena = {};
  arenaAlloc(&arena, 1'000'000, 8);
  arenaTrim(&arena, 250'000);
  EXPECT_EQ(capacity(arena), 0u);
  EXPECT_NE(arenaAlloc(&arena, 8, 8), nullptr);
  arenaFree(&arena);
}

/// Of every size of block; malloc promises 16 bytes.
TEST(Arena, BlocksBeginAtACacheLine) {
  Arena arena = {};
  for (uint64_t bytes = 1; bytes < 2'000'000; bytes *= 3) {
    arenaGrow(&arena, bytes, 1);
    EXPECT_EQ(reinterpret_cast<uint64_t>(arena.block->begin()) % 64, 0u) << bytes;
  }
  arenaFree(&arena);
}

} // namespace
} // namespace sluice
