//===- MemoryTest.cpp - the limit of what may be taken ---------------------===//
#include "memory/Memory.h"
#include "Types.h"
#include "memory/Heap.h"
#include "runtime/exec/memory/StateBytes.h"
#include "value/Place.h"
#include "value/Table.h"
#include <gtest/gtest.h>
#include <unistd.h>

namespace sluice {
namespace {

constexpr uint64_t kMiB = 1 << 20;

struct Limit {
  explicit Limit(uint64_t bytes) { limitMemory(bytes); }
  ~Limit() { limitMemory(0); }
};

TEST(Memory, WhatWasGivenBackMayBeTakenAgain) {
  Limit limit(4 * kMiB);
  for (int i = 0; i < 10; ++i) {
    void *large = takeMemory(3 * kMiB), *aligned = takeMemory(1000, 64);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(aligned) % 64, 0u);
    giveMemory(large);
    giveMemory(aligned);
  }
}

TEST(Memory, PagesKeepTheirContentAndAreCounted) {
  Limit limit(16 * kMiB);
  for (int i = 0; i < 10; ++i) {
    auto *p = static_cast<char *>(takePages(kMiB));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % kLargePage, 0u);
    memset(p, 'x', kMiB);
    EXPECT_EQ(growPages(p, kMiB, 2 * kMiB), p); // it had them
    p = static_cast<char *>(growPages(p, 2 * kMiB, 12 * kMiB));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % kLargePage, 0u);
    EXPECT_EQ(std::string_view(p, kMiB), std::string(kMiB, 'x'));
    EXPECT_EQ(p[12 * kMiB - 1], 0);
    givePages(p, 12 * kMiB);
  }
}

/// A heap with many slabs takes large pages, and gives them back with the others.
TEST(Memory, ManySmallBuffersLieOnLargePages) {
  if (SLUICE_PLAIN_HEAP)
    GTEST_SKIP() << "under AddressSanitizer every buffer is malloc's";
  Limit limit(64 * kMiB);
  for (int round = 0; round < 3; ++round) {
    uint64_t before = heldMemory();
    Heap *heap = heapCreate();
    char *first = nullptr, *last = nullptr;
    for (uint64_t taken = 0; taken < 20 * kMiB; taken += 512) {
      last = static_cast<char *>(heapAlloc(heap, 512));
      memset(last, 'x', 512);
      first = first ? first : last;
    }
    EXPECT_EQ(first[511], 'x');
    EXPECT_LE(heldMemory() - before, 24 * kMiB);
    EXPECT_EQ((uintptr_t(last) & (kLargePage - 1)) % 512, 64u); // the slab begins at such a page
    heapDestroy(heap);
    EXPECT_EQ(heldMemory(), before);
  }
}

TEST(MemoryDeathTest, BeyondTheLimitTheProcessEnds) {
  auto exits = testing::ExitedWithCode(1);
  EXPECT_EXIT(
      {
        limitMemory(4 * kMiB);
        takeMemory(3 * kMiB);
        takeMemory(2 * kMiB);
      },
      exits, "error: out of memory: 2097152 bytes were asked for");
  EXPECT_EXIT(
      {
        limitMemory(6 * kMiB);
        growPages(takePages(4 * kMiB), 4 * kMiB, 8 * kMiB);
      },
      exits, "error: out of memory: 4194304 bytes were asked for");
  EXPECT_EXIT(
      {
        limitMemory(4 * kMiB);
        Arena arena = {};
        for (;;)
          arenaAlloc(&arena, 1000, 8);
      },
      exits, "error: out of memory: ");
  EXPECT_EXIT(
      {
        limitMemory(4 * kMiB);
        Heap *heap = heapCreate();
        for (;;)
          heapAlloc(heap, 1000);
      },
      exits, "error: out of memory: ");
  EXPECT_EXIT(
      {
        limitMemory(4 * kMiB);
        TextOut text;
        for (;;)
          text.put("some text");
      },
      exits, "error: out of memory: ");
}

TEST(MemoryDeathTest, WhoSetsItIsCalledFirst) {
  EXPECT_EXIT(
      {
        onOutOfMemory([](uint64_t bytes) {
          fprintf(stderr, "%d bytes\n", int(bytes));
          _exit(3);
        });
        outOfMemory(17);
      },
      testing::ExitedWithCode(3), "17 bytes");
}

TEST(Memory, BytesOfState) {
  const TypeDesc words = listOf(&test::rstring), byNumber = mapOf(&test::int64, &words);
  test::World world;
  struct {
    Seq map = {}, list = {};
    int64_t count = 7;
  } vars;
  const StateDesc states[] = {
      {0, &byNumber}, {sizeof(Seq), &words}, {2 * sizeof(Seq), &test::int64}};
  OperatorDesc op = {};
  op.states = states;
  op.stateCount = 3;
  auto bytes = [&] { return stateBytes(op, reinterpret_cast<const char *>(&vars)); };
  EXPECT_EQ(bytes(), 0u);
  std::string text(1000, 'x');
  const Str longWord = strView(text.data(), text.size()), shortWord = strView("x", 1);
  placePush(world.ctx.heap, &words, &vars.list, &shortWord);
  uint64_t buffer = bytes();
  EXPECT_EQ(buffer, vars.list.cap * sizeof(Str));
  placePush(world.ctx.heap, &words, &vars.list, &longWord);
  EXPECT_EQ(bytes(), buffer + 1000);
  for (int64_t key = 0; key < 100; ++key) { // enough for an index
    bool added;
    uint32_t slot = tableSlot(world.ctx.heap, &byNumber, &vars.map, &key, &added);
    auto *value =
        reinterpret_cast<Seq *>(elementAt(&byNumber, &vars.map, slot) + byNumber.valueOffset);
    placePush(world.ctx.heap, &words, value, &longWord);
  }
  uint64_t least = buffer + 1000 + 100 * (1000 + sizeof(Str)) +
                   bufferBytes(&byNumber, vars.map.cap) + 100 * sizeof(uint64_t);
  EXPECT_GE(bytes(), least);
  EXPECT_LE(bytes(), 2 * least);
  disown(world.ctx.heap, &byNumber, &vars.map);
  disown(world.ctx.heap, &words, &vars.list);
}

} // namespace
} // namespace sluice
