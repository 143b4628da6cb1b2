//===- TableTest.cpp - sets and maps against the standard library *- C++ -*-===//
#include "value/Table.h"
#include "Types.h"
#include "value/Copy.h"
#include "value/Place.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace sluice;
using namespace sluice::test;

namespace {

/// Inserts and removes at random; then everything must be found, nothing else.
template <typename Key, typename Make>
void againstStd(const TypeDesc *keyType, uint32_t range, Make make) {
  World w;
  TypeDesc type = mapOf(keyType, &rstring);
  std::map<Key, std::string> expected;
  Seq place = {};
  std::mt19937 random(range);
  for (int i = 0; i < 20000; ++i) {
    auto [key, native] = make(random() % range);
    if (random() % 3) {
      std::string value(random() % 30, 'v');
      void *slot;
      sl_map_slot(w, &type, &slot, &place, &native);
      Str v = str(value);
      sl_assign(w, &rstring, slot, &v);
      expected[key] = value;
    } else if (uint32_t slot = tableFind(&type, &place, &native); slot != kNoSlot) {
      tableRemove(w.ctx.heap, &type, &place, slot);
      expected.erase(key);
    }
    ASSERT_EQ(place.len, expected.size());
    if (i % 5000 == 4999) { // through a copy in scratch and one in a place
      Seq copy, owned = {};
      sl_copy(w, &type, &copy, &place);
      sl_assign(w, &type, &owned, &copy);
      EXPECT_TRUE(sl_equal(&type, &owned, &place));
      EXPECT_EQ(sl_hash(&type, &owned), sl_hash(&type, &place));
      sl_destroy(w, &type, &place);
      place = owned;
    }
  }
  for (uint32_t i = 0; i < range; ++i) {
    auto [key, native] = make(i);
    void *found;
    auto it = expected.find(key);
    ASSERT_EQ(sl_contains(&type, &place, &native), it != expected.end());
    if (it != expected.end()) {
      ASSERT_EQ(sl_map_at(w, &type, &found, &place, &native), 0);
      ASSERT_EQ(viewOf(*static_cast<Str *>(found)), it->second);
    }
  }
  sl_destroy(w, &type, &place);
}

TEST(Table, Int32Keys) {
  auto make = [](uint32_t i) { return std::pair(int32_t(i * 7), int32_t(i * 7)); };
  againstStd<int32_t>(&int32, 10, make);
  againstStd<int32_t>(&int32, 1000, make);
}
TEST(Table, Int64Keys) {
  againstStd<int64_t>(&int64, 300,
                      [](uint32_t i) { return std::pair(int64_t(i) << 32, int64_t(i) << 32); });
}
TEST(Table, Int8Keys) {
  againstStd<int8_t>(&int8, 200, [](uint32_t i) { return std::pair(int8_t(i), int8_t(i)); });
}
TEST(Table, StringKeys) {
  std::vector<std::string> keys;
  for (int i = 0; i < 600; ++i)
    keys.push_back(std::string(size_t(i % 41), 'k') + std::to_string(i));
  againstStd<std::string>(&rstring, 600,
                          [&](uint32_t i) { return std::pair(keys[i], str(keys[i])); });
}
TEST(Table, TupleKeys) {
  struct Native {
    int32_t a, pad;
    Str b;
  };
  TupleType type({{"a", &int32}, {"b", &rstring}});
  std::vector<std::string> keys;
  for (int i = 0; i < 100; ++i)
    keys.push_back("a key that is long enough " + std::to_string(i));
  againstStd<std::pair<int, std::string>>(type, 100, [&](uint32_t i) {
    return std::pair(std::pair(int(i), keys[i]), Native{int32_t(i), 0, str(keys[i])});
  });
}

TEST(Table, RemovalMovesTheLastEntry) {
  World w;
  TypeDesc set = setOf(&int32);
  Seq place = {};
  sl_assign(w, &set, &place, w.value(&set, "{5,6,7,8}"));
  int32_t six = 6;
  tableRemove(w.ctx.heap, &set, &place, tableFind(&set, &place, &six));
  EXPECT_EQ(text(&set, &place), "{5,8,7}");
  sl_destroy(w, &set, &place);
}

/// By position and by key: the same entries are left, in the same order. What is fetched before
/// changes nothing, at any position.
template <typename Key>
void erasesByPosition(const TypeDesc *keyType, uint32_t count, Key (*make)(uint32_t)) {
  World w;
  TypeDesc type = mapOf(keyType, &int64);
  Seq byKey = {}, byPosition = {};
  for (uint32_t i = 0; i < count; ++i)
    for (Seq *place : {&byKey, &byPosition}) {
      Key key = make(i);
      void *slot;
      sl_map_slot(w, &type, &slot, place, &key);
      store(slot, int64_t(i));
    }
  std::mt19937 random(count);
  while (byKey.len > count / 3) {
    uint32_t at = random() % byKey.len;
    for (uint64_t ahead : {0u, 1u, count, ~0u})
      sl_map_fetch_nth(&type, &byPosition, at + ahead);
    sl_map_erase_nth(w, &type, &byPosition, at);
    sl_map_erase(w, &type, &byKey, elementAt(&type, &byKey, at));
  }
  ASSERT_EQ(byPosition.len, byKey.len);
  for (uint32_t i = 0; i < byKey.len; ++i) {
    const char *a = elementAt(&type, &byKey, i), *b = elementAt(&type, &byPosition, i);
    ASSERT_TRUE(equalValue(keyType, a, b));
    ASSERT_EQ(load<int64_t>(a + type.valueOffset), load<int64_t>(b + type.valueOffset));
    ASSERT_EQ(tableFind(&type, &byPosition, a), i);
  }
  for (Seq *place : {&byKey, &byPosition})
    sl_destroy(w, &type, place);
}

TEST(Table, ErasesByPosition) {
  erasesByPosition<int64_t>(&int64, 12, [](uint32_t i) { return int64_t(i) << 20; });
  erasesByPosition<int32_t>(&int32, 9000, [](uint32_t i) { return int32_t(i * 3); });
  static std::string texts[9000];
  for (uint32_t i = 0; i < 9000; ++i)
    texts[i] = std::string(i % 3 * 10, 't') + std::to_string(i);
  erasesByPosition<Str>(&rstring, 9000, [](uint32_t i) { return str(texts[i]); });
}

/// Many keys with one home, and others between them: elements are farther from home than they say.
TEST(Table, RemovesFromLongRuns) {
  World w;
  TypeDesc type = mapOf(&int64, &int64);
  constexpr uint32_t kKeys = 60;
  std::vector<int64_t> keys;
  for (int64_t key = 0; keys.size() < kKeys; ++key) {
    uint64_t home = sl_hash(&int64, &key) >> 32 & 255;
    if (home == 250 || home == 3) // a run goes past the end of the index
      keys.push_back(key);
  }
  for (uint32_t seed = 0; seed < 20; ++seed) {
    Seq place = {};
    std::mt19937 random(seed);
    std::shuffle(keys.begin(), keys.end(), random);
    for (int64_t other = 1 << 20; other < (1 << 20) + 100; ++other)
      keys.push_back(other);
    void *slot;
    for (int64_t key : keys)
      sl_map_slot(w, &type, &slot, &place, &key);
    ASSERT_EQ(tableHeader(&place)->mask, 255u);
    while (place.len) {
      sl_map_erase_nth(w, &type, &place, random() % place.len);
      for (uint32_t i = 0; i < place.len; ++i) {
        tableHeader(&place)->guess = kNoSlot;
        ASSERT_EQ(tableFind(&type, &place, elementAt(&type, &place, i)), i);
      }
    }
    keys.resize(kKeys);
    sl_destroy(w, &type, &place);
  }
}

TEST(Table, LiteralsDropRepetitions) {
  World w;
  TypeDesc set = setOf(&int32), map = mapOf(&int32, &int32);
  int32_t elems[40], entries[40][2];
  for (int i = 0; i < 40; ++i) {
    elems[i] = entries[i][0] = i % 20;
    entries[i][1] = i;
  }
  Seq s, m;
  sl_make_set(w, &set, &s, elems, 40);
  sl_make_map(w, &map, &m, entries, 40);
  EXPECT_EQ(s.len, 20u);
  EXPECT_EQ(m.len, 20u);
  void *at;
  int32_t key = 3;
  ASSERT_EQ(sl_map_at(w, &map, &at, &m, &key), 0);
  EXPECT_EQ(*static_cast<int32_t *>(at), 23); // the last one
}

TEST(Table, EqualityIgnoresOrderAndFloatsAreIeee) {
  World w;
  TypeDesc set = setOf(&rstring), map = mapOf(&rstring, &int32), floats = setOf(&float64);
  auto equal = [&](const TypeDesc *t, const char *a, const char *b) {
    void *x = w.value(t, a), *y = w.value(t, b);
    if (sl_equal(t, x, y)) {
      EXPECT_EQ(sl_hash(t, x), sl_hash(t, y));
    }
    return sl_equal(t, x, y) != 0;
  };
  EXPECT_TRUE(equal(&set, R"({"a","b"})", R"({"b","a"})"));
  EXPECT_FALSE(equal(&set, R"({"a","b"})", R"({"b","c"})"));
  EXPECT_TRUE(equal(&map, R"({"a":1,"b":2})", R"({"b":2,"a":1})"));
  EXPECT_FALSE(equal(&map, R"({"a":1})", R"({"a":2})"));
  EXPECT_EQ(static_cast<Seq *>(w.value(&floats, "{nan,nan}"))->len, 2u);
  EXPECT_EQ(static_cast<Seq *>(w.value(&floats, "{0.0,-0.0}"))->len, 1u);
  Timestamp a = {1, 2, 3}, b = {1, 2, 4};
  EXPECT_TRUE(sl_equal(&timestamp, &a, &b));
  EXPECT_EQ(sl_hash(&timestamp, &a), sl_hash(&timestamp, &b));
}

TEST(Table, OrderOfScalarsAndStrings) {
  auto compare = [](const char *a, const char *b) {
    Str x = str(a), y = str(b);
    return sl_compare(&rstring, &x, &y);
  };
  EXPECT_EQ(compare("ab", "abc"), -1);
  EXPECT_EQ(compare("Z", "a"), -1);
  EXPECT_EQ(compare("\xff", "z"), 1);
  EXPECT_EQ(compare("same text of some length", "same text of some length"), 0);
  double nan = NAN, one = 1;
  EXPECT_EQ(sl_compare(&float64, &nan, &one), 1);
  EXPECT_EQ(sl_compare(&float64, &nan, &nan), 0);
}

TEST(Table, LooksAheadAtAnySize) {
  World w;
  TypeDesc type = mapOf(&rstring, &int32);
  Seq place = {};
  std::vector<std::string> texts;
  for (int32_t i = 0; i < 20032; ++i)
    texts.push_back(std::to_string(i) + (i % 2 ? "" : " is longer than a short string"));
  // A block of keys of which some are there and some are not.
  auto lookAhead = [&](int32_t first) {
    Str keys[kAheadRows];
    uint32_t slots[kAheadRows];
    for (uint32_t i = 0; i < kAheadRows; ++i)
      keys[i] = str(texts[size_t(first) + i]);
    sl_ahead(&type, &place, keys, kAheadRows, slots);
    sl_ahead_entries(&type, &place, kAheadRows, slots);
    for (uint32_t i = 0; i < kAheadRows; ++i) {
      uint32_t slot = tableFind(&type, &place, &keys[i]);
      bool isLarge = place.data && tableHeader(&place)->mask >= kLargeIndex;
      ASSERT_EQ(slots[i], isLarge ? slot : kNoSlot); // no two of these texts have one hash
    }
  };
  for (int32_t i = 0; i < 20000; ++i) {
    if (i % 97 == 0 && i)
      lookAhead(i - 10);
    Str key = str(texts[size_t(i)]);
    void *slot;
    sl_map_slot(w, &type, &slot, &place, &key);
    store(slot, i);
  }
  EXPECT_EQ(place.len, 20000u);
  sl_destroy(w, &type, &place);
  lookAhead(0);
}

/// A guess may be wrong, or of an entry that has left or moved.
TEST(Table, GuessesAreChecked) {
  World w;
  TypeDesc type = mapOf(&int64, &int64);
  Seq place = {};
  auto at = [&](int64_t key) {
    void *slot;
    sl_map_slot(w, &type, &slot, &place, &key);
    return static_cast<int64_t *>(slot);
  };
  auto found = [&](int64_t key) { return tableFind(&type, &place, &key); };
  sl_try_first(&place, 3); // no table yet
  for (int64_t key = 0; key < 100; ++key) {
    sl_try_first(&place, uint32_t(key)); // not there yet
    *at(key) = 10 * key;
  }
  for (uint32_t guess : {0u, 17u, 99u, 100u, kNoSlot})
    for (int64_t key : {0, 17, 99}) {
      sl_try_first(&place, guess);
      EXPECT_EQ(*at(key), 10 * key);
      sl_try_first(&place, guess);
      EXPECT_EQ(found(key), uint32_t(key));
      sl_try_first(&place, guess);
      EXPECT_EQ(found(1000 + key), kNoSlot);
    }
  int64_t key = 17;
  sl_try_first(&place, 99);
  sl_map_erase(w, &type, &place, &key); // 99 moves to slot 17
  sl_try_first(&place, 99);
  EXPECT_EQ(found(99), 17u);
  sl_try_first(&place, 17);
  EXPECT_EQ(found(17), kNoSlot);
  EXPECT_EQ(*at(17), 0);
  sl_destroy(w, &type, &place);
}

/// The table grows, shrinks or is emptied between a block's places and its entries.
TEST(Table, ChangesWhileItLooksAhead) {
  World w;
  TypeDesc type = mapOf(&int64, &int64);
  Seq place = {};
  auto grow = [&](int64_t from, int64_t to) {
    void *slot;
    for (int64_t key = from; key < to; ++key)
      sl_map_slot(w, &type, &slot, &place, &key);
  };
  int64_t keys[kAheadRows];
  uint32_t slots[kAheadRows];
  for (int64_t i = 0; i < kAheadRows; ++i)
    keys[i] = 50 * i;
  auto isRight = [&](uint32_t i) {
    sl_try_first(&place, slots[i]);
    return tableFind(&type, &place, &keys[i]) == (keys[i] < place.len ? keys[i] : kNoSlot);
  };
  for (auto [before, after] :
       {std::pair(0, 0), {0, 10}, {10, 9000}, {9000, 40000}, {40000, 0}, {9000, 9000}}) {
    grow(0, before);
    sl_ahead(&type, &place, keys, kAheadRows, slots);
    if (after < before)
      placeClear(w.ctx.heap, &type, &place);
    grow(before, after);
    sl_ahead_entries(&type, &place, kAheadRows, slots);
    for (uint32_t i = 0; i < kAheadRows; ++i)
      ASSERT_TRUE(isRight(i)) << before << " " << after << " " << i;
    sl_destroy(w, &type, &place);
  }
}

TEST(Table, LooksAheadIntoRings) {
  World w;
  struct Value {
    Seq slots;
    uint64_t head, count;
  };
  TypeDesc list = listOf(&int64);
  const Field fields[] = {
      {"slots", &list, 0, 0}, {"head", &uint64, 16, 0}, {"count", &uint64, 24, 0}};
  TypeDesc tuple = {Kind::Tuple, sizeof(Value), 8,      0, nullptr, nullptr, 0, 0, 3,
                    0,           fields,        nullptr};
  TypeDesc type = mapOf(&int64, &tuple);
  Seq place = {};
  for (int64_t key = 0; key < 10000; ++key) {
    void *slot;
    sl_map_slot(w, &type, &slot, &place, &key);
    auto *value = static_cast<Value *>(slot);
    if (key % 3) // the others have no slots yet
      ASSERT_EQ(sl_grow_ring(w, &list, &value->slots, &value->head), 0);
    value->head = uint64_t(key);
    value->count = uint64_t(key) % 5;
  }
  int64_t keys[kAheadRows];
  uint32_t slots[kAheadRows];
  for (int64_t i = 0; i < kAheadRows; ++i)
    keys[i] = 9990 + i;
  sl_ahead(&type, &place, keys, kAheadRows, slots);
  sl_ahead_entries(&type, &place, kAheadRows, slots);
  EXPECT_EQ(slots[0], 9990u);
  EXPECT_EQ(slots[10], kNoSlot);
  sl_ahead_ring(&type, &place, slots, kAheadRows, 0, 16, 24, list.stride);
  sl_destroy(w, &type, &place);
}

TEST(Table, CastsBetweenCollections) {
  World w;
  auto cast = [&](const TypeDesc *to, const TypeDesc *from, const char *from_text) -> std::string {
    void *v = w.value(from, from_text);
    alignas(16) char out[64];
    return v && !sl_cast(w, to, out, from, v) ? text(to, out) : "throws";
  };
  static const char *names[] = {"red", "green", "blue"};
  TypeDesc colour = enumOf(names, 3), int32s = listOf(&int32), int8s = listOf(&int8),
           doubles = listOf(&float64), strings = listOf(&rstring), colours = listOf(&colour),
           intSet = setOf(&int32), doubleSet = setOf(&float64), m1 = mapOf(&int32, &int32),
           m2 = mapOf(&int64, &rstring);
  TupleType wide({{"s", &rstring}, {"a", &int32}, {"f", &float64}}),
      narrow({{"f", &float64}, {"s", &rstring}});
  EXPECT_EQ(cast(&int8s, &int32s, "[300,-1]"), "[44,-1]");
  EXPECT_EQ(cast(&int32s, &doubles, "[1.9,-1.9,nan,1e30]"), "[1,-1,0,2147483647]");
  EXPECT_EQ(cast(&strings, &int32s, "[1,2]"), R"(["1","2"])");
  EXPECT_EQ(cast(&int32s, &strings, R"(["1"," 2"])"), "[1,2]");
  EXPECT_EQ(cast(&int32s, &strings, R"(["1","x"])"), "throws");
  EXPECT_EQ(cast(&colours, &strings, R"(["red","blue"])"), "[red,blue]");
  EXPECT_EQ(cast(&colour, &int32, "2"), "blue");
  EXPECT_EQ(cast(&colour, &int32, "3"), "throws");
  EXPECT_EQ(cast(&colour, &int32, "-1"), "throws");
  EXPECT_EQ(cast(&int32, &colour, "green"), "1");
  EXPECT_EQ(cast(&intSet, &doubleSet, "{1.1,1.9}"), "{1}");
  EXPECT_EQ(cast(&m2, &m1, "{1:2}"), R"({1:"2"})");
  EXPECT_EQ(cast(narrow, wide, R"({s="x",a=1,f=2})"), R"({f=2,s="x"})");
  EXPECT_EQ(cast(&timestamp, &float64, "-1.5"), "(-2,500000000,0)");
  EXPECT_EQ(cast(&float64, &timestamp, "(-10,250000000)"), "-9.75");
}

} // namespace
