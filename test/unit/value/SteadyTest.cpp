//===- SteadyTest.cpp - no malloc once things have settled ------*- C++ -*-===//
#include "Types.h"
#include "value/Place.h"
#include "value/Table.h"
#include <gtest/gtest.h>
#include <malloc.h>

using namespace sluice;
using namespace sluice::test;

namespace {

/// One round of what a stateful operator does with each tuple.
void round(World &w, const TypeDesc *strings, const TypeDesc *map, Seq &list, Seq &counts, int i) {
  ArenaCheckpoint checkpoint;
  sl_arena_checkpoint(w, &checkpoint);
  Str prefix = str("a key of some length "), number, key;
  int32_t n = i % 200;
  sl_to_string(w, &int32, &number, &n);
  sl_str_concat(w, &key, &prefix, &number);
  void *slot;
  sl_map_slot(w, map, &slot, &counts, &key);
  sl_assign(w, strings, slot, &list);
  placePush(w.ctx.heap, strings, &list, &key);
  if (list.len > 20)
    placeErase(w.ctx.heap, strings, &list, 0, 15);
  if (i % 3 == 0)
    tableRemove(w.ctx.heap, map, &counts, tableFind(map, &counts, &key));
  sl_arena_release(w, &checkpoint);
}

TEST(Steady, NoMalloc) {
  if (SLUICE_PLAIN_HEAP)
    GTEST_SKIP() << "under AddressSanitizer every buffer is malloc's";
  World w;
  TypeDesc strings = listOf(&rstring), map = mapOf(&rstring, &strings);
  Seq list = {}, counts = {};
  for (int i = 0; i < 60000; ++i)
    round(w, &strings, &map, list, counts, i);
  Slab *slabs = w.ctx.heap->slabs;
  Block *newest = w.arena.block;
  char *fresh = w.ctx.heap->ptr;
  size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 60000; ++i)
    round(w, &strings, &map, list, counts, i);
  // Nothing may come or go.
  EXPECT_EQ(mallinfo2().uordblks, before);
  EXPECT_EQ(w.ctx.heap->slabs, slabs);
  EXPECT_EQ(w.ctx.heap->ptr, fresh);
  EXPECT_EQ(w.arena.block, newest);
  EXPECT_EQ(newest->next, nullptr);
  sl_destroy(w, &strings, &list);
  sl_destroy(w, &map, &counts);
}

TEST(Steady, HeapClassesCoverAllSizes) {
  for (uint64_t bytes = 1; bytes <= Heap::kMaxPooled; ++bytes) {
    uint32_t cls = heapClass(bytes);
    ASSERT_LT(cls, Heap::kClasses);
    ASSERT_GE(heapClassBytes(cls), bytes);
    ASSERT_TRUE(cls == 0 || heapClassBytes(cls - 1) < bytes);
  }
}

} // namespace
