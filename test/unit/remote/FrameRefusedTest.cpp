//===- FrameRefusedTest.cpp - frames that are not what was expected ---------===//
#include "Frames.h"
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::remote;
using namespace sluice::remote::test;

namespace {

/// A frame of rows with values of all kinds.
struct FrameRefused : testing::Test {
  AllTypes types;
  Schema schema{types.row, 64};
  TestBatch to{schema, 1 << 20};
  Expected expected = {11, 0, 22, true};

  std::string frameOf(uint32_t rows, bool checksum = true, uint32_t most = 24) {
    World world;
    TestBatch from(schema);
    std::mt19937 random(5);
    for (uint32_t r = 0; r < rows; ++r) {
      append(from, schema, world, randomRow(schema, random, most));
      addPunct(from.b, {r, PunctuationKind::Watermark, int64_t(r)});
    }
    FrameWriter writer(schema, 11, 22, checksum);
    return bytesOf(piecesOf(writer, from));
  }
  /// What is wrong; "" if nothing is. A frame that is refused leaves an empty batch.
  std::string problem(std::string_view frame) {
    to.reset();
    Problem problem = receive(to, schema, expected, frame);
    EXPECT_EQ(to.b->least, 7u);
    EXPECT_EQ(to.b->capacity, schema.capacity);
    if (problem) {
      EXPECT_EQ(to.b->rows, 0u);
      EXPECT_EQ(to.b->punctCount, 0u);
    }
    return problem.value_or("");
  }
};

/// A frame lies where the timer may lower the limit of a batch.
TEST_F(FrameRefused, ALoweredLimitIsNoChange) {
  for (uint32_t rows : {0u, 3u}) {
    std::string frame = frameOf(rows);
    uint32_t lowered = 1;
    memcpy(frame.data() + offsetof(Batch, limit), &lowered, sizeof lowered);
    EXPECT_EQ(problem(frame), "");
  }
}

TEST_F(FrameRefused, WordsNameWhatCameAndWhatWasExpected) {
  std::string frame = frameOf(3);
  EXPECT_EQ(problem(frame), "");
  expected = {12, 0, 22, true};
  EXPECT_EQ(problem(frame), "a frame of job 11 (0xb); expected job 12 (0xc)");
  expected = {11, 0, 23, true};
  EXPECT_EQ(problem(frame), "a frame of link 22 (0x16); expected link 23 (0x17)");
  expected = {11, 9, 22, true};
  EXPECT_EQ(problem(frame), "a frame of sequence number 0 (0x0); expected sequence number 9 (0x9)");
  expected = {11, 0, 22, true};
  EXPECT_EQ(problem(sealed(with(frame, &FrameHeader::version, 7u))),
            "a frame of version 7 (0x7); expected version 2 (0x2)");
  std::string other = problem(sealed(with(frame, &FrameHeader::schema, uint64_t(5))));
  EXPECT_EQ(other, "a frame of schema 5 (0x5); expected schema " + std::to_string(schema.hash) +
                       other.substr(other.rfind(' ')));
  EXPECT_EQ(problem(with(frame, &FrameHeader::magic, 0x20544547u)),
            "bytes that are no frame: they begin with 20544547");
  EXPECT_EQ(problem(with(frame, &FrameHeader::magic, __builtin_bswap32(kFrameMagic))),
            "a frame of a machine with the other byte order");
  EXPECT_EQ(problem(frameOf(3, false)), "a frame without a checksum");
  expected.checksum = false;
  EXPECT_EQ(problem(frameOf(3, false)), "");
  EXPECT_EQ(problem(frame), "");
}

TEST_F(FrameRefused, TruncatedAtEachLength) {
  for (uint32_t rows : {1u, 33u}) {
    std::string frame = frameOf(rows, true, rows == 1 ? 24 : 1);
    for (bool checksum : {true, false}) {
      expected.checksum = checksum;
      for (size_t length = 0; length < frame.size(); ++length) {
        ASSERT_NE(problem(std::string_view(frame).substr(0, length)), "") << length;
        // Also if it says of itself that it is complete.
        if (length >= kBatchHeader && length % 7 == 0)
          ASSERT_NE(problem(with(frame.substr(0, length), &FrameHeader::bytes, uint64_t(length))),
                    "")
              << length;
      }
    }
  }
  std::string frame = frameOf(1);
  EXPECT_EQ(problem(frame.substr(0, 200)),
            "a frame of " + std::to_string(frame.size()) + " bytes, of which 200 were received");
  EXPECT_EQ(problem(frame.substr(0, 100)), "100 bytes, which are no frame");
}

TEST_F(FrameRefused, LongerThanItSays) {
  expected.checksum = false;
  std::string frame = frameOf(2);
  EXPECT_NE(problem(frame + "x"), "");
  frame += std::string(16, 'x');
  EXPECT_NE(problem(with(frame, &FrameHeader::bytes, uint64_t(frame.size()))), "");
}

TEST_F(FrameRefused, FlippedBitsAreSeen) {
  std::mt19937 random(1);
  for (uint32_t rows : {1u, 64u}) {
    std::string frame = frameOf(rows);
    for (int i = 0; i < 5000; ++i) {
      std::string flipped = frame;
      size_t bit = i < 1024 ? size_t(i) : random() % (8 * frame.size());
      flipped[bit / 8] ^= char(1 << bit % 8);
      ASSERT_NE(problem(flipped), "") << "bit " << bit;
    }
  }
}

/// Without a checksum a flipped bit may give another value, but nothing that cannot be used.
TEST_F(FrameRefused, FlippedBitsDoNoHarm) {
  std::mt19937 random(2);
  expected.checksum = false;
  uint32_t taken = 0, refused = 0;
  for (uint32_t rows : {1u, 33u}) {
    std::string frame = frameOf(rows, false, rows == 1 ? 24 : 4);
    for (int i = 0; i < 5000; ++i) {
      std::string flipped = frame;
      size_t bit = i < 1024 ? size_t(i) : random() % (8 * frame.size());
      flipped[bit / 8] ^= char(1 << bit % 8);
      if (problem(flipped) != "") {
        ++refused;
        continue;
      }
      ++taken;
      rowsOf(to, schema);
      punctsOf(to.b);
    }
  }
  EXPECT_GT(taken, 1000u);
  EXPECT_GT(refused, 1000u);
}

TEST_F(FrameRefused, MoreThanABatchHolds) {
  expected.checksum = false;
  std::string frame = frameOf(3);
  EXPECT_EQ(problem(with(frame, &FrameHeader::rows, 65u)),
            "a frame of form 1 with 65 rows; a batch has 64");
  EXPECT_NE(problem(with(frame, &FrameHeader::rows, 64u)), "");
  EXPECT_NE(problem(with(frame, &FrameHeader::rows, ~0u)), "");
  EXPECT_NE(problem(with(frame, &FrameHeader::puncts, ~0u)), "");
  EXPECT_NE(problem(with(frame, &FrameHeader::puncts, 4u)), "");
  EXPECT_NE(problem(with(frame, &FrameHeader::form, Form(2))), "");
  EXPECT_NE(problem(with(frame, &FrameHeader::form, Form::Image)), "");
  TestBatch small(schema, schema.bytes + frame.size() / 2);
  std::string words = receive(small, schema, expected, frame).value_or("");
  EXPECT_TRUE(words.starts_with("a frame that needs ")) << words;
}

/// Frames of one column, some bytes of which are replaced.
struct Replaced {
  TupleType type;
  Schema schema;
  TestBatch to;
  std::string frame;

  Replaced(const TypeDesc *column, const char *value)
      : type({{"a", column}}), schema(type, 64), to(schema, 1 << 20) {
    World world;
    TestBatch from(schema);
    addPunct(from.b, {0, PunctuationKind::Window});
    addPunct(from.b, {1, PunctuationKind::Watermark, 77});
    for (int i = 0; i < 2; ++i)
      append(from, schema, world, {value});
    FrameWriter writer(schema, 1, 2, false);
    frame = bytesOf(piecesOf(writer, from));
  }
  /// Where parts are.
  size_t column() const { return kBatchHeader; }
  size_t table() const { return schema.compactBytes(2); }
  size_t puncts() const { return table() + schema.tableBytes(); }
  size_t payload() const { return puncts() + 2 * sizeof(Punctuation); }

  template <typename T> std::string problem(size_t at, T value) {
    std::string changed = frame;
    memcpy(changed.data() + at, &value, sizeof value);
    to.reset();
    return receive(to, schema, {1, 0, 2, false}, changed).value_or("");
  }
};

TEST(FrameReplaced, ScalarsOutOfRange) {
  const char *const names[] = {"red", "green"};
  TypeDesc colour = enumOf(names, 2), flags = listOf(&boolean), colours = setOf(&colour);
  EXPECT_EQ(Replaced(&boolean, "true").problem(kBatchHeader + 1, uint8_t(2)),
            "a frame with a number that is no value of its type, in column 0 of 1");
  EXPECT_NE(Replaced(&colour, "red").problem(kBatchHeader, 2u), "");
  EXPECT_EQ(Replaced(&colour, "red").problem(kBatchHeader, 1u), "");
  Replaced list(&flags, "[true,false]"), set(&colours, "{red}");
  EXPECT_NE(list.problem(list.payload() + 1, uint8_t(255)), "");
  EXPECT_EQ(list.problem(list.payload() + 1, uint8_t(1)), "");
  EXPECT_NE(set.problem(set.payload() + 16, 77u), "");
}

TEST(FrameReplaced, Punctuation) {
  Replaced row(&int32, "5");
  EXPECT_EQ(row.problem(row.puncts(), 1u), "");
  EXPECT_EQ(row.problem(row.puncts() + sizeof(Punctuation), 3u), "punctuation before row 3 of 2");
  EXPECT_EQ(row.problem(row.puncts(), 2u), "punctuation before row 1 of 2");
  EXPECT_EQ(row.problem(row.puncts() + 4, 3u), "punctuation of kind 3, which is none");
  EXPECT_EQ(row.problem(row.puncts() + 8, kMostEventTime + 1), ""); // not that of a watermark
  size_t time = row.puncts() + sizeof(Punctuation) + 8;
  EXPECT_EQ(row.problem(time, -kMostEventTime), "");
  EXPECT_EQ(row.problem(time, kMostEventTime), "");
  EXPECT_EQ(row.problem(time, kMostEventTime + 1),
            "a watermark of 4611686018427387905, which is no event time");
  EXPECT_NE(row.problem(time, INT64_MIN), "");
}

TEST(FrameReplaced, TextsAndTheTable) {
  Replaced row(&rstring, "\"a text that is far\"");
  size_t first = row.column(), second = first + 16;
  uint64_t payload = row.schema.bytes + row.schema.tableBytes() + 2 * sizeof(Punctuation);
  EXPECT_EQ(row.problem(first + 8, payload), "");
  EXPECT_EQ(row.problem(second + 8, payload), "a frame with payload that no value has, in "
                                              "column 0 of 1");
  for (uint64_t wrong : {uint64_t(0), payload - 1, payload + 1, ~uint64_t(0), uint64_t(1) << 63}) {
    EXPECT_NE(row.problem(first + 8, wrong), "");
    EXPECT_NE(row.problem(second + 8, wrong), "");
    EXPECT_NE(row.problem(row.table(), wrong), "");
    EXPECT_NE(row.problem(row.table() + 8, wrong), "");
  }
  for (uint32_t length : {12u, 17u, 19u, 100u, ~0u})
    EXPECT_NE(row.problem(second, length), "") << length;
  // What is behind the end of an inline text, and the prefix of a far one, are what they must be.
  EXPECT_EQ(row.problem(first + 4, 0x20202020), "");
  Str far = str("a text that is far");
  EXPECT_TRUE(strEqual(&far, reinterpret_cast<Str *>(row.to.at(row.schema.columns[0], 0))));
  Replaced inner(&rstring, "\"abc\"");
  EXPECT_EQ(inner.problem(inner.column() + 8, ~uint64_t(0)), "");
  Str abc = str("abc");
  EXPECT_TRUE(strEqual(&abc, reinterpret_cast<Str *>(inner.to.at(inner.schema.columns[0], 0))));
}

TEST(FrameReplaced, CollectionsDoNotOverlap) {
  TypeDesc ints = listOf(&int64), lists = listOf(&ints), words = setOf(&rstring);
  Replaced list(&ints, "[1,2,3,4]"), nested(&lists, "[[1,2],[3]]"), set(&words, "{\"a\",\"b\"}");
  // The second value at the place of the first, or between.
  uint64_t first = load<uint64_t>(list.frame.data() + list.column() + 8);
  for (uint64_t wrong : {first, first + 8, first + 16, uint64_t(0), ~uint64_t(0)})
    EXPECT_EQ(list.problem(list.column() + 24, wrong),
              "a frame with a collection that is not where its payload is, in column 0 of 1");
  for (uint32_t length : {0u, 2u, 5u, 6u, 1u << 29, ~0u})
    EXPECT_NE(list.problem(list.column(), length), "") << length;
  // Elements of a nested list at the elements of the list around it.
  uint64_t outer = load<uint64_t>(nested.frame.data() + nested.column() + 8);
  EXPECT_NE(nested.problem(nested.payload() + 8, outer), "");
  EXPECT_NE(set.problem(set.column(), 1u), "");
}

TEST(FrameReplaced, KeysOfTables) {
  TypeDesc numbers = setOf(&int64);
  Replaced set(&numbers, "{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16}");
  EXPECT_EQ(set.problem(set.payload() + 16 + 8 * 3, int64_t(99)), "");
  EXPECT_EQ(set.problem(set.payload() + 16 + 8 * 3, int64_t(4)),
            "a frame with a set or map that has a key twice, in column 0 of 1");
  // The header of a table is made by the reader.
  EXPECT_EQ(set.problem(set.payload(), ~uint64_t(0)), "");
  int64_t key = 16;
  auto *value = reinterpret_cast<Seq *>(set.to.at(set.schema.columns[0], 0));
  EXPECT_EQ(tableFind(&numbers, value, &key), 16u);
}

} // namespace
