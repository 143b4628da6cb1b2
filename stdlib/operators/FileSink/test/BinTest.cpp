// Format bin, byte by byte.
#include "stdlib/native/csv/BinReader.h"
#include "stdlib/native/csv/BinWriter.h"
#include "test/unit/adapters/Files.h"

using namespace sluice;
using namespace sluice::test;

namespace {
TypeDesc bounded(TypeDesc type, uint32_t bound) {
  type.bound = bound;
  return type;
}
std::string hex(std::string_view bytes) {
  std::string result;
  for (char c : bytes)
    for (int digit : {uint8_t(c) >> 4, c & 15})
      result += "0123456789abcdef"[digit];
  return result;
}
/// The bytes of the value with that text.
std::string bin(const TypeDesc &type, std::string_view value) {
  World world;
  TextOut out;
  const void *given = world.value(&type, value);
  writeBin(out, &type, given);
  // Read again it is the same; without its last byte it is not whole.
  std::vector<uint64_t> back(type.size / 8 + 1);
  const char *p = out.data, *end = out.data + out.size;
  EXPECT_EQ(readBin(p, end, &type, back.data(), world.arena), BinResult::Done);
  EXPECT_EQ(p, end);
  EXPECT_EQ(text(&type, back.data()), text(&type, given));
  p = out.data;
  EXPECT_EQ(readBin(p, end - 1, &type, back.data(), world.arena), BinResult::More);
  EXPECT_EQ(p, out.data);
  return hex(out.view());
}
BinResult read(const TypeDesc &type, std::string_view bytes) {
  World world;
  std::vector<uint64_t> back(type.size / 8 + 1);
  const char *p = bytes.data();
  return readBin(p, p + bytes.size(), &type, back.data(), world.arena);
}
TupleType pair({{"n", &int32}, {"s", &rstring}});
} // namespace

TEST(Bin, NumbersAreBigEndian) {
  EXPECT_EQ(bin(boolean, "true"), "01");
  EXPECT_EQ(bin(int8, "-1"), "ff");
  EXPECT_EQ(bin(int16, "258"), "0102");
  EXPECT_EQ(bin(int32, "-2"), "fffffffe");
  EXPECT_EQ(bin(int64, "81985529216486895"), "0123456789abcdef");
  EXPECT_EQ(bin(float32, "1.5"), "3fc00000");
  EXPECT_EQ(bin(float64, "-2.25"), "c002000000000000");
  EXPECT_EQ(bin(scalar(Kind::Complex32), "(1,-1)"), "3f800000bf800000");
  EXPECT_EQ(bin(timestamp, "(12,500,7)"), "000000000000000c000001f400000007");
  const char *members[] = {"red", "green"};
  EXPECT_EQ(bin(enumOf(members, 2), "green"), "00000001");
}

TEST(Bin, DecimalsAreNot) {
  EXPECT_EQ(bin(scalar(Kind::Decimal32), "1.100000"), "0000f225");
  EXPECT_EQ(bin(scalar(Kind::Decimal32), "0"), "00005022");
  EXPECT_EQ(bin(scalar(Kind::Decimal64), "-9.990000000000000"), "00000000009efced");
  EXPECT_EQ(bin(scalar(Kind::Decimal128), "0"), "00000000000000000000000000000822");
}

TEST(Bin, LengthsStandBeforeTexts) {
  EXPECT_EQ(bin(rstring, R"("abc")"), "03616263");
  EXPECT_EQ(bin(rstring, "\"" + std::string(200, 'x') + "\"").substr(0, 14), "80000000c87878");
  EXPECT_EQ(bin(ustring, R"("h\u00e9\ud83d\ude00")"), "04006800e9d83dde00");
  EXPECT_EQ(bin(blob, "0102ff"), "00000000000000030102ff");
}

TEST(Bin, CollectionsAndTuples) {
  EXPECT_EQ(bin(listOf(&int16), "[1,2]"), "0200010002");
  EXPECT_EQ(bin(*pair, R"({n=3,s="z"})"), "00000003017a");
  EXPECT_EQ(bin(*OptionalType(&int32), "77"), "010000004d");
  EXPECT_EQ(bin(*OptionalType(&int32), "null"), "00");
}

TEST(Bin, BoundsAreFilledUp) {
  EXPECT_EQ(bin(bounded(listOf(&int8), 3), "[1,2]"), "02010200");
  EXPECT_EQ(bin(bounded(rstring, 4), R"("ab")"), "026162000000");
}

TEST(Bin, RefusesWhatNoTypeHas) {
  const char *members[] = {"red", "green"};
  EXPECT_EQ(read(boolean, "\x02"), BinResult::Bad);
  EXPECT_EQ(read(enumOf(members, 2), std::string("\0\0\0\2", 4)), BinResult::Bad);
  EXPECT_EQ(read(rstring, "\x81xxxx"), BinResult::Bad);
  EXPECT_EQ(read(bounded(rstring, 4), "\x05xxxxxxxx"), BinResult::Bad);
  EXPECT_EQ(read(listOf(&int8), "\x80\xff\xff\xff\xff"), BinResult::More);
}

struct BinSource : Files {
  BinSource() {
    set("file", "in");
    set("format", "bin");
  }
  void writeBytes(std::string_view bytes) { write("in", bytes); }
};

TEST_F(BinSource, Rows) {
  writeBytes({"\0\0\0\1\1a\0\0\0\2\0", 11});
  EXPECT_EQ(source(pair), 0) << err;
  EXPECT_EQ(events, strings({R"({n=1,s="a"})", R"({n=2,s=""})", "Window", "Final"}));
}

TEST_F(BinSource, Punctuation) {
  on("readPunctuations");
  writeBytes({"\1\0\0\0\0\1\1a\1\2", 10});
  EXPECT_EQ(source(pair), 0) << err;
  EXPECT_EQ(events, strings({"Window", R"({n=1,s="a"})", "Window", "Final"}));
}

TEST_F(BinSource, ManyRowsOverManyBlocks) {
  std::string bytes, row("\0\0\0\1\3abc", 8);
  for (int i = 0; i < 100000; ++i)
    bytes += row;
  writeBytes(bytes);
  EXPECT_EQ(source(pair), 0) << err;
  EXPECT_EQ(events.size(), 100002u);
  EXPECT_EQ(events[99999], R"({n=1,s="abc"})");
}

TEST_F(BinSource, CutOff) {
  writeBytes({"\0\0\0\1\1a\0\0\0\2\5b", 12});
  EXPECT_EQ(source(pair), 1);
  EXPECT_NE(err.find("in: no tuple of the stream's type begins at byte 6"), err.npos) << err;
  set("parsing", "permissive");
  EXPECT_EQ(source(pair), 0);
  EXPECT_EQ(events, strings({R"({n=1,s="a"})", "Window", "Final"}));
  EXPECT_NE(err.find("1 bad row left out"), err.npos) << err;
}

struct BinSink : Files {
  BinSink() {
    set("file", "out");
    set("format", "bin");
    inputRows = {R"({n=1,s="a"})", "W", R"({n=2,s=""})"};
  }
};

TEST_F(BinSink, Rows) {
  EXPECT_EQ(sink(pair), 0) << err;
  EXPECT_EQ(hex(read("out")), "000000010161"
                              "0000000200");
}

TEST_F(BinSink, Punctuation) {
  on("writePunctuations");
  EXPECT_EQ(sink(pair), 0) << err;
  EXPECT_EQ(hex(read("out")), "00000000010161"
                              "01"
                              "000000000200"
                              "02");
}
