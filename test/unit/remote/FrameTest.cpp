//===- FrameTest.cpp - what is written is what is read ----------------------===//
#include "Frames.h"
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::remote;
using namespace sluice::remote::test;

namespace {

/// Writes the batch, reads the frame at two addresses, and compares. Returns the frame.
std::string roundTrip(FrameWriter &writer, const Schema &schema, TestBatch &from, bool checksum,
                      uint64_t sequence) {
  std::string frame = bytesOf(piecesOf(writer, from));
  EXPECT_EQ(headerOf(frame).bytes, frame.size());
  EXPECT_EQ(headerOf(frame).sequence, sequence);
  for (size_t room : {size_t(schema.room) + frame.size(), schema.bytes + frame.size()}) {
    TestBatch to(schema, room);
    Problem problem = receive(to, schema, {1, sequence, 2, checksum}, frame);
    EXPECT_EQ(problem.value_or(""), "");
    EXPECT_EQ(rowsOf(to, schema), rowsOf(from, schema));
    EXPECT_EQ(punctsOf(to.b), punctsOf(from.b));
    EXPECT_EQ(to.b->birth, from.b->birth);
    EXPECT_EQ(to.b->least, 7u);
    EXPECT_EQ(to.b->pool, 3u);
    EXPECT_EQ(to.b->limit, schema.capacity);
  }
  return frame;
}

TEST(Frame, AllKindsInBothForms) {
  AllTypes types;
  Schema schema(types.row, 64);
  for (bool checksum : {true, false}) {
    FrameWriter writer(schema, 1, 2, checksum);
    std::mt19937 random(7);
    uint64_t sequence = 0;
    for (uint32_t rows : {0u, 1u, 2u, 5u, 31u, 33u, 63u, 64u}) {
      World world;
      TestBatch from(schema);
      from.b->birth = 1000 + rows;
      for (uint32_t r = 0; r < rows; ++r) {
        if (r % 3 == 0)
          addPunct(from.b, {r, PunctuationKind(r % 2 * 2), int64_t(r) * 1000 - 5});
        append(from, schema, world, randomRow(schema, random), r % 2);
      }
      addPunct(from.b, {rows, PunctuationKind::Window});
      addPunct(from.b, {rows, PunctuationKind::Final});
      std::string frame = roundTrip(writer, schema, from, checksum, sequence++);
      Form form = headerOf(frame).form;
      if (rows == 0 || rows == 1)
        EXPECT_EQ(form, Form::Compact);
      if (rows > 32)
        EXPECT_EQ(form, Form::Image);
    }
  }
}

TEST(Frame, GetsAnotherNumber) {
  TupleType type({{"a", &int64}});
  Schema schema(type, 64);
  World world;
  for (bool checksum : {true, false}) {
    FrameWriter writer(schema, 1, 2, checksum);
    TestBatch from(schema), to(schema);
    append(from, schema, world, {"7"});
    std::string frame = bytesOf(piecesOf(writer, from));
    renumber(frame, 41);
    EXPECT_EQ(receive(to, schema, {1, 41, 2, checksum}, frame).value_or(""), "");
    EXPECT_EQ(rowsOf(to, schema), rowsOf(from, schema));
    writer.continueAt(42);
    EXPECT_EQ(headerOf(bytesOf(piecesOf(writer, from))).sequence, 42u);
  }
}

TEST(Frame, PlainColumnsOfAnImageAreSentFromTheBatch) {
  TupleType type({{"a", &int64}, {"b", &int8}, {"c", &float64}});
  Schema schema(type, 128);
  World world;
  TestBatch from(schema);
  for (int i = 0; i < 128; ++i)
    append(from, schema, world, {std::to_string(i), std::to_string(i - 64), "0.5"});
  FrameWriter writer(schema, 1, 2, true);
  auto pieces = piecesOf(writer, from);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[1].data, reinterpret_cast<char *>(from.b) + kBatchHeader);
  roundTrip(writer, schema, from, true, 1);
}

TEST(Frame, PunctuationWithoutRowsIsSmall) {
  AllTypes types;
  Schema schema(types.row, 64);
  FrameWriter writer(schema, 1, 2, true);
  TestBatch from(schema);
  addPunct(from.b, {0, PunctuationKind::Watermark, -12345});
  addPunct(from.b, {0, PunctuationKind::Final});
  std::string frame = roundTrip(writer, schema, from, true, 0);
  EXPECT_EQ(frame.size(), kBatchHeader + schema.tableBytes() + 2 * sizeof(Punctuation));
}

TEST(Frame, EmptyTuplesAndNoColumns) {
  TupleType nothing({});
  TypeDesc list = listOf(nothing), set = setOf(nothing);
  TupleType row({{"n", nothing}, {"l", &list}, {"s", &set}});
  Schema none(nothing, 1024), schema(row, 64);
  ASSERT_EQ(none.bytes, kBatchHeader);
  ASSERT_EQ(schema.columns.size(), 2u);
  TestBatch rows(none), lists(schema);
  rows.b->rows = 1000;
  struct {
    SeqHeader header = {};
    char data[1] = {};
  } buffer;
  store(lists.at(schema.columns[0], 0), Seq{3, 0, buffer.data});
  store(lists.at(schema.columns[1], 0), Seq{1, 0, buffer.data});
  lists.b->rows = 1;
  FrameWriter first(none, 1, 2, true), second(schema, 1, 2, true);
  EXPECT_EQ(roundTrip(first, none, rows, true, 0).size(), kBatchHeader);
  roundTrip(second, schema, lists, true, 0);
}

TEST(Frame, LiteralsOutsideOfAnyArenaAreSentOnce) {
  TupleType type({{"s", &rstring}});
  Schema schema(type, 512);
  TestBatch from(schema);
  for (; from.b->rows < 512; ++from.b->rows)
    *reinterpret_cast<Str *>(from.at(schema.columns[0], from.b->rows)) =
        from.b->rows % 64 == 0 ? str("and another text") : str("a literal of the program");
  FrameWriter writer(schema, 1, 2, true);
  std::string frame = roundTrip(writer, schema, from, true, 0);
  EXPECT_LT(frame.size(), schema.bytes + 2 * 8 * 24 + schema.tableBytes());
}

TEST(Frame, ABatchThatWasReadIsOneLikeOthers) {
  AllTypes types;
  Schema schema(types.row, 64);
  FrameWriter writer(schema, 1, 2, true), next(schema, 1, 2, true);
  std::mt19937 random(3);
  World world;
  TestBatch from(schema), to(schema, 1 << 20);
  for (int i = 0; i < 20; ++i)
    append(from, schema, world, randomRow(schema, random));
  addPunct(from.b, {3, PunctuationKind::Window});
  ASSERT_FALSE(receive(to, schema, {1, 0, 2, true}, bytesOf(piecesOf(writer, from))));
  // Changed in place, appended to, and sent on.
  memcpy(to.at(schema.columns[0], 0), to.at(schema.columns[0], 1), 1);
  memcpy(from.at(schema.columns[0], 0), from.at(schema.columns[0], 1), 1);
  for (int i = 0; i < 30; ++i) {
    Row row = randomRow(schema, random);
    append(from, schema, world, row);
    append(to, schema, world, row);
  }
  addPunct(to.b, {50, PunctuationKind::Final});
  addPunct(from.b, {50, PunctuationKind::Final});
  roundTrip(next, schema, to, true, 0);
  EXPECT_EQ(rowsOf(to, schema), rowsOf(from, schema));
  EXPECT_EQ(punctsOf(to.b), punctsOf(from.b));
  // Received over, again.
  to.reset();
  ASSERT_FALSE(receive(to, schema, {1, 1, 2, true}, bytesOf(piecesOf(writer, from))));
  EXPECT_EQ(rowsOf(to, schema), rowsOf(from, schema));
  EXPECT_EQ(punctsOf(to.b), punctsOf(from.b));
}

TEST(Frame, TablesCanBeLookedUp) {
  TypeDesc counts = mapOf(&rstring, &int32);
  TupleType type({{"m", &counts}});
  Schema schema(type, 64);
  World world;
  TestBatch from(schema), to(schema, 1 << 20);
  for (uint32_t entries : {1u, 15u, 16u, 17u, 3000u}) {
    std::string map = "{";
    for (uint32_t i = 0; i < entries; ++i)
      map += (i ? ",\"the key of number " : "\"the key of number ") + std::to_string(i) +
             "\":" + std::to_string(i);
    append(from, schema, world, {map + "}"});
  }
  FrameWriter writer(schema, 1, 2, true);
  ASSERT_FALSE(receive(to, schema, {1, 0, 2, true}, bytesOf(piecesOf(writer, from))));
  for (uint32_t row = 0; row < to.b->rows; ++row) {
    Seq place = {};
    auto *map = reinterpret_cast<Seq *>(to.at(schema.columns[0], row));
    EXPECT_EQ(tableHeader(map)->index != nullptr, map->len >= kIndexFrom);
    sl_assign(world, &counts, &place, map); // which copies the index
    for (uint32_t i = 0; i < map->len; ++i) {
      std::string text = "the key of number " + std::to_string(i);
      Str key = str(text);
      EXPECT_EQ(tableFind(&counts, map, &key), i);
      tableRemove(world.ctx.heap, &counts, &place, tableFind(&counts, &place, &key));
    }
    EXPECT_EQ(place.len, 0u);
    sl_destroy(world, &counts, &place);
  }
}

TEST(Frame, ALargeRowIsAnImageThatNeedsNoMoreThanItsBytes) {
  TupleType type({{"i", &int32}, {"s", &rstring}});
  Schema schema(type, 1024);
  World world;
  TestBatch from(schema);
  append(from, schema, world, {"7", "\"" + std::string(10'000'000, 'x') + "\""});
  FrameWriter writer(schema, 1, 2, true);
  std::string frame = bytesOf(piecesOf(writer, from));
  EXPECT_EQ(headerOf(frame).form, Form::Image);
  TestBatch to(schema, frame.size());
  EXPECT_EQ(receive(to, schema, {1, 0, 2, true}, frame).value_or(""), "");
  EXPECT_EQ(rowsOf(to, schema), rowsOf(from, schema));
  from.reset();
  append(from, schema, world, {"8", "\"a text that is far\""});
  EXPECT_LT(roundTrip(writer, schema, from, true, 1).size(), 300u);
}

TEST(Frame, AFrameThatIsNoLargerThanTheRoomFitsIntoIt) {
  AllTypes types;
  Schema schema(types.row, 64);
  FrameWriter writer(schema, 1, 2, false);
  std::mt19937 random(9);
  uint32_t fitting = 0;
  for (uint32_t i = 0; i < 100; ++i) {
    World world;
    TestBatch from(schema), to(schema);
    for (uint32_t r = random() % 64; r; --r)
      append(from, schema, world, randomRow(schema, random, 1 + i / 2));
    std::string frame = bytesOf(piecesOf(writer, from));
    if (frame.size() > schema.room)
      continue;
    ++fitting;
    ASSERT_EQ(receive(to, schema, {1, i, 2, false}, frame).value_or(""), "");
  }
  EXPECT_GT(fitting, 10u);
  EXPECT_LT(fitting, 100u);
}

TEST(Schema, HashTellsTypesAndLayoutsApart) {
  AllTypes types;
  TupleType a({{"x", &int32}, {"y", &rstring}}), b({{"q", &int32}, {"r", &rstring}}),
      c({{"x", &uint32}, {"y", &rstring}}), d({{"y", &rstring}, {"x", &int32}}),
      e({{"x", &int32}, {"y", &types.words}}), f({{"x", &int32}, {"y", &types.ints}}),
      g({{"x", &int32}, {"y", &types.lists}}), h({{"x", &int32}, {"y", &types.colour}});
  uint64_t hash = Schema(a, 64).hash;
  EXPECT_EQ(hash, Schema(b, 64).hash);
  EXPECT_NE(hash, Schema(a, 128).hash);
  std::vector<const TypeDesc *> others = {c, d, e, f, g, h};
  for (size_t i = 0; i < others.size(); ++i) {
    EXPECT_NE(hash, Schema(others[i], 64).hash);
    for (size_t j = 0; j < i; ++j)
      EXPECT_NE(Schema(others[i], 64).hash, Schema(others[j], 64).hash);
  }
}

} // namespace
