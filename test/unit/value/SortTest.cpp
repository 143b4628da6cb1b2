//===- SortTest.cpp - rows in the order of their keys -----------------------===//
//
// Random rows, with few and with many equal keys, against std::sort by sl_compare and number.
//
//===----------------------------------------------------------------------===//
#include "Types.h"
#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>

using namespace sluice;
using namespace sluice::test;

namespace {

const char *const members[] = {"low", "mid", "high"};
const TypeDesc level = enumOf(members, 3);
const TypeDesc *const kinds[] = {&boolean, &int8,      &int16,   &int32,  &int64,
                                 &uint8,   &uint16,    &uint32,  &uint64, &float32,
                                 &float64, &timestamp, &rstring, &level};

class Sorting : public testing::Test {
protected:
  /// A number of a type; `spread` is how many different ones there are, 0: any bits.
  template <typename T> void number(char *to, uint64_t spread) {
    uint64_t bits = spread ? random() % spread : random();
    T value;
    if constexpr (std::is_floating_point_v<T>)
      value = spread ? special<T>(bits) : std::bit_cast<T>(typename Bits<T>::type(bits));
    else
      value = T(spread ? bits - spread / 2 : bits);
    memcpy(to, &value, sizeof value);
  }
  template <typename T> struct Bits {
    using type = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  };
  template <typename T> static T special(uint64_t n) {
    using Limits = std::numeric_limits<T>;
    const T values[] = {0,
                        -T(0),
                        1,
                        -1,
                        Limits::infinity(),
                        -Limits::infinity(),
                        Limits::quiet_NaN(),
                        Limits::denorm_min(),
                        Limits::lowest()};
    return n < std::size(values) ? values[n] : T(n) / 4;
  }

  /// Bytes that occur at the ends of words, in lengths around those of words.
  Str string(uint64_t spread) {
    static constexpr char bytes[] = {'a', 'b', '\0', char(0xff)};
    uint64_t length = random() % (spread ? 4 : 40);
    char *data = static_cast<char *>(arenaAlloc(&w.arena, length + 1, 1));
    for (uint64_t i = 0; i < length; ++i)
      data[i] = i < 20 && length > 20 ? 'a' : bytes[random() % 4];
    return strView(data, length);
  }

  void value(const TypeDesc *type, char *to, uint64_t spread) {
    if (withNumber(type->kind,
                   [&](auto *p) { number<std::remove_pointer_t<decltype(p)>>(to, spread); }))
      return;
    if (type->kind == Kind::Boolean)
      *to = char(random() % 2);
    else if (type->kind == Kind::Enum)
      store<uint32_t>(to, random() % 3);
    else if (type->kind == Kind::RString)
      store(to, string(spread));
    else
      store(to, Timestamp{int64_t(spread ? random() % spread : random()), uint32_t(random() % 3),
                          int32_t(random())});
  }

  /// `count` rows of a tuple type, in scratch.
  Seq rowsOf(const TypeDesc &list, uint32_t count, uint64_t spread) {
    void *data = arenaAlloc(&w.arena, (uint64_t(count) + 1) * list.stride, 16);
    memset(data, 0, uint64_t(count) * list.stride);
    Seq rows = {count, 0, data};
    for (uint32_t i = 0; i < count; ++i)
      for (uint32_t f = 0; f < list.elem->count; ++f) {
        const Field &field = list.elem->fields[f];
        value(field.type, elementAt(&list, &rows, i) + field.offset, spread);
      }
    return rows;
  }

  static bool isBefore(const TypeDesc &list, const Seq &rows,
                       const std::vector<uint8_t> &descending, uint32_t a, uint32_t b) {
    for (uint32_t k = 0; k < descending.size(); ++k) {
      const Field &f = list.elem->fields[k];
      int32_t order = sl_compare(f.type, elementAt(&list, &rows, a) + f.offset,
                                 elementAt(&list, &rows, b) + f.offset);
      if (order)
        return (order < 0) != (descending[k] != 0);
    }
    return false;
  }
  static std::vector<uint32_t> expected(const TypeDesc &list, const Seq &rows,
                                        const std::vector<uint8_t> &descending) {
    std::vector<uint32_t> order(rows.len);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      bool before = isBefore(list, rows, descending, a, b);
      return before || (a < b && !isBefore(list, rows, descending, b, a));
    });
    return order;
  }

  std::vector<uint32_t> sorted(const TypeDesc &list, const Seq &rows,
                               const std::vector<uint8_t> &descending) {
    Seq order = {};
    sl_rows_in_order(w, &list, &order, &rows, rows.len, descending.data(), descending.size());
    auto *numbers = static_cast<uint32_t *>(order.data);
    return {numbers, numbers + order.len};
  }

  World w;
  std::mt19937_64 random{17};
};

TEST_F(Sorting, EveryKindOfKeyInBothDirections) {
  for (const TypeDesc *kind : kinds) {
    TupleType row({{"key", kind}, {"rest", &rstring}});
    TypeDesc list = listOf(row);
    for (uint32_t count : {0u, 1u, 2u, 3u, 40u, 511u, 512u, 3000u})
      for (uint64_t spread : {0, 12})
        for (uint8_t descending : {0, 1}) {
          Seq rows = rowsOf(list, count, spread);
          EXPECT_EQ(sorted(list, rows, {descending}), expected(list, rows, {descending}))
              << int(kind->kind) << " " << count << " " << spread << " " << int(descending);
        }
  }
}

TEST_F(Sorting, SeveralKeys) {
  for (int round = 0; round < 100; ++round) {
    std::vector<std::pair<const char *, const TypeDesc *>> attributes;
    std::vector<uint8_t> descending;
    for (uint64_t k = 2 + random() % 3; k > 0; --k) {
      attributes.push_back({"key", kinds[random() % std::size(kinds)]});
      descending.push_back(random() % 2);
    }
    TupleType row(attributes);
    TypeDesc list = listOf(row);
    Seq rows = rowsOf(list, random() % 2000, 1 + random() % 12);
    EXPECT_EQ(sorted(list, rows, descending), expected(list, rows, descending)) << round;
  }
}

TEST_F(Sorting, LongStringsThatAreEqualForLong) {
  TupleType row({{"key", &rstring}});
  TypeDesc list = listOf(row);
  std::string text(100'000, 'x');
  std::vector<Str> values;
  for (uint32_t i = 0; i < 50; ++i)
    values.push_back(strView(text.data(), text.size() - i % 5));
  Seq rows = {uint32_t(values.size()), 0, values.data()};
  EXPECT_EQ(sorted(list, rows, {0}), expected(list, rows, {0}));
}

struct HeapEntry {
  uint64_t word, row;
};

/// Rows come and go at random; what leaves is always the first in order of those that are there.
TEST_F(Sorting, AHeapGivesTheFirst) {
  for (const TypeDesc *kind : kinds) {
    uint64_t number = 0;
    TupleType row({{"key", kind}, {"arrival", &uint64}});
    TypeDesc list = listOf(row);
    constexpr uint32_t room = 60;
    Seq rows = rowsOf(list, room, 5);
    std::vector<uint8_t> descending = {uint8_t(random() % 2), 0};
    std::vector<HeapEntry> entries(room);
    for (uint32_t i = 0; i < room; ++i)
      entries[i].row = room - 1 - i;
    Seq heap = {room, 0, entries.data()};
    uint32_t size = 0;
    for (int step = 0; step < 2000; ++step) {
      bool comes = size == 0 || (size < room && random() % 2);
      if (comes) {
        char *at = elementAt(&list, &rows, entries[size].row);
        value(kind, at, random() % 2 ? 0 : 5);
        store(at + row.fields[1].offset, ++number);
        sl_heap_push(&list, &rows, descending.data(), 2, &heap, size++);
      } else {
        for (uint32_t i = 1; i < size; ++i)
          ASSERT_FALSE(isBefore(list, rows, descending, entries[i].row, entries[0].row));
        uint64_t first = entries[0].row;
        sl_heap_pop(&list, &rows, descending.data(), 2, &heap, size--);
        ASSERT_EQ(entries[size].row, first);
      }
    }
  }
}

} // namespace
