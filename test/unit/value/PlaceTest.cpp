//===- PlaceTest.cpp - owning, aliasing, growing ----------------*- C++ -*-===//
#include "value/Place.h"
#include "Types.h"
#include "value/Copy.h"
#include "value/Table.h"
#include <gtest/gtest.h>
#include <string>

using namespace sluice;
using namespace sluice::test;

namespace {

struct Places : testing::Test {
  World w;
  TypeDesc strings = listOf(&rstring), nested = listOf(&strings), ints = listOf(&int32);
};

TEST_F(Places, StringsOfEveryLengthReplaceEachOther) {
  Str place = {};
  for (uint32_t a = 0; a < 40; ++a)
    for (uint32_t b = 0; b < 40; ++b) {
      std::string x(a, 'x'), y(b, 'y');
      Str v = str(x);
      sl_assign(w, &rstring, &place, &v);
      EXPECT_EQ(viewOf(place), x);
      v = str(y);
      sl_assign(w, &rstring, &place, &v);
      EXPECT_EQ(viewOf(place), y);
    }
  sl_destroy(w, &rstring, &place);
  EXPECT_EQ(place.len, 0u);
}

TEST_F(Places, AppendGrows) {
  Str place = {};
  std::string expected;
  for (int i = 0; i < 500; ++i) {
    std::string part(size_t(i % 17), char('a' + i % 26));
    Str v = str(part);
    sl_str_append(w, &place, &v);
    expected += part;
    ASSERT_EQ(viewOf(place), expected);
  }
  sl_str_append(w, &place, &place);
  EXPECT_EQ(viewOf(place), expected + expected);
  sl_destroy(w, &rstring, &place);
}

TEST_F(Places, AStringMayBeAssignedAPartOfItself) {
  Str place = {}, v = str("0123456789abcdefghijklmnopqrstuvwxyz"), part;
  sl_assign(w, &rstring, &place, &v);
  ASSERT_EQ(sl_str_slice(w, &part, &place, 3, 0, 1, 0), 0);
  sl_assign(w, &rstring, &place, &part);
  EXPECT_EQ(viewOf(place), "3456789abcdefghijklmnopqrstuvwxyz");
  ASSERT_EQ(sl_str_slice(w, &part, &place, 0, 4, 1, 1), 0);
  sl_assign(w, &rstring, &place, &part);
  EXPECT_EQ(viewOf(place), "3456");
  sl_destroy(w, &rstring, &place);
}

TEST_F(Places, AListMayBeAssignedItsOwnElements) {
  Seq place = {}, part;
  void *v =
      w.value(&strings, R"(["one, which is long enough","two, which is long enough","three"])");
  sl_assign(w, &strings, &place, v);
  ASSERT_EQ(sl_list_slice(w, &strings, &part, &place, 1, 3, 1, 1), 0);
  sl_assign(w, &strings, &place, &part);
  EXPECT_EQ(text(&strings, &place), R"(["two, which is long enough","three"])");
  Str turned[] = {static_cast<Str *>(place.data)[1], static_cast<Str *>(place.data)[0]};
  sl_make_list(w, &strings, &part, turned, 2);
  sl_assign(w, &strings, &place, &part);
  EXPECT_EQ(text(&strings, &place), R"(["three","two, which is long enough"])");
  sl_assign(w, &strings, &place, &place);
  EXPECT_EQ(place.len, 2u);
  sl_destroy(w, &strings, &place);
}

TEST_F(Places, AttributesMayBeExchanged) {
  TupleType pair({{"a", &rstring}, {"b", &rstring}});
  struct Pair {
    Str a, b;
  } place = {}, v = {str("first, long enough"), str("second, long too")};
  sl_assign(w, pair, &place, &v);
  v = {place.b, place.a};
  sl_assign(w, pair, &place, &v);
  EXPECT_EQ(viewOf(place.a), "second, long too");
  EXPECT_EQ(viewOf(place.b), "first, long enough");
  sl_destroy(w, pair, &place);
}

TEST_F(Places, TheFirstBufferSuitsTheElements) {
  TypeDesc longs = listOf(&int64), names = listOf(&rstring);
  TupleType wide({{"a", &timestamp}, {"b", &timestamp}, {"c", &timestamp}});
  TypeDesc tuples = listOf(wide);
  std::pair<const TypeDesc *, uint32_t> cases[] = {{&longs, 16}, {&names, 8}, {&tuples, 4}};
  char zero[48] = {};
  for (auto [type, capacity] : cases) {
    Seq place = {};
    placePush(w.ctx.heap, type, &place, zero);
    EXPECT_EQ(place.cap, capacity) << type->stride;
    sl_destroy(w, type, &place);
  }
}

TEST_F(Places, PushAndInsertOfOwnElements) {
  Seq place = {};
  void *v = w.value(&strings, R"(["zero, which is long enough","one"])");
  sl_assign(w, &strings, &place, v);
  for (int i = 0; i < 20; ++i)
    placePush(w.ctx.heap, &strings, &place, place.data);
  placeInsert(w.ctx.heap, &strings, &place, 0, elementAt(&strings, &place, 1), 2);
  EXPECT_EQ(place.len, 24u);
  EXPECT_EQ(viewOf(static_cast<Str *>(place.data)[0]), "one");
  EXPECT_EQ(viewOf(static_cast<Str *>(place.data)[1]), "zero, which is long enough");
  placeErase(w.ctx.heap, &strings, &place, 1, 23);
  EXPECT_EQ(text(&strings, &place), R"(["one","zero, which is long enough"])");
  sl_destroy(w, &strings, &place);
}

/// Through all ways to grow: free lists, malloc, pages of their own.
TEST_F(Places, ALargeListKeepsItsElements) {
  TypeDesc longs = listOf(&int64);
  Seq place = {};
  static constexpr uint64_t kElements = 700'000; // 5.6 MB
  for (uint64_t i = 0; i < kElements; ++i) {
    if (i % 3 == 2) // one of its own
      placePush(w.ctx.heap, &longs, &place, elementAt(&longs, &place, uint32_t(i / 2)));
    else
      placePush(w.ctx.heap, &longs, &place, &i);
  }
  ASSERT_EQ(place.len, kElements);
  auto *values = static_cast<uint64_t *>(place.data);
  for (uint64_t i = 0; i < kElements; ++i)
    ASSERT_EQ(values[i], i % 3 == 2 ? values[i / 2] : i);
  sl_destroy(w, &longs, &place);
}

TEST_F(Places, ALargeMapKeepsItsEntries) {
  TypeDesc map = mapOf(&int32, &rstring);
  Seq place = {};
  auto slot = [&](int32_t key) {
    void *value = nullptr;
    sl_map_slot(w, &map, &value, &place, &key);
    return static_cast<Str *>(value);
  };
  static constexpr int32_t kEntries = 100'000;
  for (int32_t k = 0; k < kEntries; ++k) {
    std::string name = "value number " + std::to_string(k);
    Str v = str(name);
    sl_assign(w, &rstring, slot(k), &v);
  }
  for (int32_t k = 0; k < kEntries; ++k)
    ASSERT_EQ(viewOf(*slot(k)), "value number " + std::to_string(k));
  EXPECT_EQ(place.len, uint32_t(kEntries));
  sl_destroy(w, &map, &place);
}

TEST_F(Places, NestedCollectionsAreDeep) {
  TypeDesc map = mapOf(&rstring, &nested);
  Seq place = {};
  void *v = w.value(&map, R"({"a key of some length":[["x","another long element"],[]],"k":[]})");
  sl_assign(w, &map, &place, v);
  std::string before = text(&map, &place);
  Seq copy = {};
  sl_assign(w, &map, &copy, &place);
  sl_destroy(w, &map, &place);
  EXPECT_EQ(text(&map, &copy), before);
  sl_destroy(w, &map, &copy);
}

TEST_F(Places, CopiesInScratchAreIndependent) {
  Seq place = {}, copy;
  sl_assign(w, &nested, &place, w.value(&nested, R"([["x","another long element"],["y"]])"));
  std::string before = text(&nested, &place);
  sl_copy(w, &nested, &copy, &place);
  sl_destroy(w, &nested, &place);
  EXPECT_EQ(text(&nested, &copy), before);
}

TEST_F(Places, ScratchIsUsedAgain) {
  ArenaCheckpoint checkpoint;
  sl_arena_checkpoint(w, &checkpoint); // taken on the empty arena
  sl_scratch(w, 100, 8);
  Block *first = w.arena.block;
  for (int i = 0; i < 10000; ++i) {
    sl_scratch(w, uint64_t(i % 3000), 16);
    if (i % 100 == 99) {
      sl_arena_release(w, &checkpoint);
      EXPECT_EQ(w.arena.block, first);
      EXPECT_EQ(w.arena.ptr, first->begin());
    }
  }
  int blocks = 0;
  for (Block *b = first; b; b = b->next)
    ++blocks;
  EXPECT_LE(blocks, 8);
}

TEST_F(Places, ConcatOfAllLengths) {
  const std::string all = "0123456789abcdefghijklmnopqrstuvwxyz";
  for (size_t one = 0; one < 30; ++one)
    for (size_t other = 0; other < 30; ++other) {
      const std::string wanted = all.substr(0, one) + all.substr(3, other);
      Str a = strView(all.data(), one), b = strView(all.data() + 3, other), made;
      if (one % 2) // there is just so much room, or less
        while (w.arena.end - w.arena.ptr > int64_t(other))
          arenaAlloc(&w.arena, 1, 1);
      sl_str_concat(w, &made, &a, &b);
      ASSERT_EQ(viewOf(made), wanted);
      Str whole = strView(made.data(), wanted.size()); // what is behind the end is zero
      ASSERT_EQ(memcmp(&made, &whole, sizeof made), 0) << wanted;
    }
}

TEST_F(Places, ConcatExtendsTheNewestText) {
  Str a = str("a text that does not stand inline, "), b = str("b"), c;
  sl_str_concat(w, &c, &a, &b);
  char *end = w.arena.ptr;
  Str d;
  sl_str_concat(w, &d, &c, &b);
  EXPECT_EQ(w.arena.ptr, end + 1);
  EXPECT_EQ(viewOf(d), "a text that does not stand inline, bb");
  EXPECT_EQ(viewOf(c), "a text that does not stand inline, b");
  Str e;
  sl_str_concat(w, &e, &c, &a); // c is not the newest: copied
  EXPECT_EQ(viewOf(d), "a text that does not stand inline, bb");
  EXPECT_EQ(viewOf(e), "a text that does not stand inline, ba text that does not stand inline, ");
}

} // namespace
