//===- JsonWriterTest.cpp - values to JSON --------------------------*- C++ -*-===//
#include "test/unit/value/Types.h"
#include "toolkits/json/native/Syntax.h"
#include "toolkits/json/native/Writer.h"
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::json;
using namespace sluice::test;

namespace {

const TypeDesc decimal64 = scalar(Kind::Decimal64);

std::string write(const TypeDesc *type, std::string_view text, Times times = Times::Seconds,
                  std::string_view prefix = {}) {
  World world;
  void *value = world.value(type, text);
  if (!value)
    return "no value";
  TextOut out(&world.arena);
  Writer(world, out, times, prefix).value(type, value);
  EXPECT_EQ(findFault(out.view()).status, ParseStatus::Parsed) << out.view();
  return std::string(out.view());
}

TEST(JsonWriter, WritesNumbers) {
  EXPECT_EQ(write(&uint64, "18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(write(&int8, "-5"), "-5");
  EXPECT_EQ(write(&float64, "0.1"), "0.1");
  EXPECT_EQ(write(&float64, "1"), "1.0");
  EXPECT_EQ(write(&float64, "1e300"), "1e+300");
  EXPECT_EQ(write(&float64, "nan"), "null");
  EXPECT_EQ(write(&float64, "0.30000000000000004"), "0.30000000000000004");
  EXPECT_EQ(write(&decimal64, "1.50"), "1.50");
  EXPECT_EQ(write(&decimal64, "inf"), "null");
}

TEST(JsonWriter, WritesTimes) {
  EXPECT_EQ(write(&timestamp, "(5,0,0)"), "5");
  EXPECT_EQ(write(&timestamp, "(5,1000,0)"), "5.000001000");
  EXPECT_EQ(write(&timestamp, "(-1,750000000,0)"), "-0.250000000");
}

TEST(JsonWriter, EscapesStrings) {
  EXPECT_EQ(write(&rstring, R"("a\"\\\n\t/")"), R"("a\"\\\n\t/")");
  World world;
  auto put = [&](std::string_view text) {
    TextOut out(&world.arena);
    Writer(world, out, Times::Seconds, {}).string(text);
    return std::string(out.view());
  };
  EXPECT_EQ(put({"\0\x1f", 2}), R"("\u0000\u001f")");
  EXPECT_EQ(put("\xc3\xa4\xff"), "\"\xc3\xa4\xef\xbf\xbd\"");
}

TEST(JsonWriter, WritesComposites) {
  static const TypeDesc ints = listOf(&int32), counts = mapOf(&int32, &boolean);
  static const OptionalType maybe(&int32);
  static const TupleType row({{"__l", &ints}, {"m", &counts}, {"o", maybe}, {"b", &blob}});
  EXPECT_EQ(write(row, "{__l=[1,2],m={3:true},o=null,b=00}", Times::Seconds, "__"),
            R"({"l":[1,2],"m":{"3":true},"o":null,"b":null})");
}

} // namespace
