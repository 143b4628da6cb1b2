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

/// What a destroyed place owned is there for the next one, wherever in the value it was.
TEST(Steady, DestroyFreesEachPart) {
  if (SLUICE_PLAIN_HEAP)
    GTEST_SKIP() << "under AddressSanitizer every buffer is malloc's";
  TypeDesc ints = listOf(&int32);
  TupleType one({{"a", &ints}}), both({{"a", &int32}, {"b", &rstring}}),
      first({{"a", &rstring}, {"b", &int32}}), deep({{"a", one}, {"b", &int32}}),
      many({{"a", &int32}, {"b", &int32}, {"c", &ints}});
  const char *text = "\"longer than twelve bytes\"";
  std::pair<const TypeDesc *, std::string> values[] = {{one, "{a=[1,2]}"},
                                                       {both, std::string("{a=1,b=") + text + "}"},
                                                       {first, std::string("{a=") + text + ",b=1}"},
                                                       {deep, "{a={a=[1]},b=2}"},
                                                       {many, "{a=1,b=2,c=[3]}"},
                                                       {&rstring, text},
                                                       {&ints, "[1,2,3]"}};
  for (const auto &[type, value] : values) {
    World w;
    void *from = w.value(type, value.c_str());
    ASSERT_TRUE(from) << value;
    alignas(16) char place[64] = {}, zero[64] = {};
    char *fresh = nullptr;
    for (int i = 0; i < 3; ++i) {
      sl_assign(w, type, place, from);
      EXPECT_TRUE(!fresh || w.ctx.heap->ptr == fresh) << value;
      fresh = w.ctx.heap->ptr;
      sl_destroy(w, type, place);
      EXPECT_EQ(memcmp(place, zero, type->size), 0) << value;
    }
  }
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
