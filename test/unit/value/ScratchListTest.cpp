//===- ScratchListTest.cpp - lists built to be returned ---------*- C++ -*-===//
#include "Types.h"
#include <gtest/gtest.h>
#include <numeric>

using namespace sluice;
using namespace sluice::test;

namespace {

struct ScratchLists : testing::Test {
  World w;
  TypeDesc ints = listOf(&int32);
  Seq list = {};

  void append(int32_t x) { ASSERT_EQ(sl_scratch_append(w, &int32, &list, &x), 0); }
  void expect(const Seq &seq, uint32_t count) {
    ASSERT_EQ(seq.len, count);
    for (uint32_t i = 0; i < count; ++i)
      ASSERT_EQ(static_cast<int32_t *>(seq.data)[i], int32_t(i)) << count;
  }
};

TEST_F(ScratchLists, GrowWithOthersInBetween) {
  for (int32_t i = 0; i < 100000; ++i) {
    append(i);
    if (i % 1000 == 0)
      *static_cast<int32_t *>(sl_scratch(w, 4, 4)) = -1;
  }
  expect(list, 100000);
}

TEST_F(ScratchLists, TheNewestGrowsWhereItIs) {
  append(0);
  void *data = list.data;
  for (int32_t i = 1; i < 1000; ++i)
    append(i);
  EXPECT_EQ(list.data, data);
  expect(list, 1000);
}

TEST_F(ScratchLists, AnEarlierValueStaysAsItWas) {
  for (int32_t i = 0; i < 32; ++i)
    append(i);
  Seq before = list;
  sl_scratch(w, 16, 16);
  for (int32_t i = 32; i < 40; ++i)
    append(i);
  EXPECT_NE(list.data, before.data);
  static_cast<int32_t *>(list.data)[0] = 7;
  expect(before, 32);
}

TEST_F(ScratchLists, ReservedRoomIsNotMovedFrom) {
  ASSERT_EQ(sl_scratch_reserve(w, &int32, &list, 100), 0);
  EXPECT_EQ(list.cap, 100u);
  EXPECT_EQ(list.len, 0u);
  void *data = list.data;
  sl_scratch(w, 16, 16);
  for (int32_t i = 0; i < 100; ++i)
    ASSERT_EQ(sl_scratch_push(w, &int32, &list, &i), 0);
  EXPECT_EQ(list.data, data);
  // Beyond what there is: the elements come along.
  ASSERT_EQ(sl_scratch_reserve(w, &int32, &list, 1), 0);
  EXPECT_GE(list.cap, 101u);
  expect(list, 100);
}

TEST_F(ScratchLists, NothingIsReservedForNone) {
  for (int64_t more : {INT64_MIN, int64_t(-1), int64_t(0)}) {
    ASSERT_EQ(sl_scratch_reserve(w, &int32, &list, more), 0);
    EXPECT_EQ(list.cap, 0u) << more;
  }
}

TEST_F(ScratchLists, AssignmentCopiesAndKeepsTheBuffer) {
  std::vector<int32_t> numbers(50);
  std::iota(numbers.begin(), numbers.end(), 0);
  Seq value = {50, 0, numbers.data()};
  sl_scratch_assign(w, &ints, &list, &value);
  numbers[0] = 7;
  expect(list, 50);
  void *data = list.data;
  value = {};
  sl_scratch_assign(w, &ints, &list, &value);
  EXPECT_EQ(list.len, 0u);
  append(0);
  EXPECT_EQ(list.data, data);
}

TEST_F(ScratchLists, AListMayBeAssignedAPartOfItself) {
  for (int32_t i = -3; i < 20; ++i)
    append(i);
  Seq part;
  ASSERT_EQ(sl_list_slice(w, &ints, &part, &list, 3, 0, 1, 0), 0);
  sl_scratch_assign(w, &ints, &list, &part);
  expect(list, 20);
}

} // namespace
