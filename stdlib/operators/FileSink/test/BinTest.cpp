// Format bin, byte by byte.
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
  writeBin(out, &type, world.value(&type, value));
  return hex(out.view());
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
