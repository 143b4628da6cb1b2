//===- JsonReaderTest.cpp - JSON to values --------------------------*- C++ -*-===//
#include "test/unit/value/Types.h"
#include "toolkits/json/native/Reader.h"
#include <gtest/gtest.h>
#include <map>
#include <memory>

using namespace sluice;
using namespace sluice::json;
using namespace sluice::test;

namespace {

const char *const colours[] = {"red", "green"};
const TypeDesc colour = enumOf(colours, 2), ints = listOf(&int32), words = setOf(&rstring),
               counts = mapOf(&rstring, &int32), decimal64 = scalar(Kind::Decimal64);
const OptionalType maybe(&int32);
const TupleType point({{"x", &int32}, {"y", &rstring}});
const TypeDesc points = listOf(point);
const TupleType row({{"b", &boolean},
                     {"i", &int8},
                     {"u", &uint64},
                     {"d", &float64},
                     {"f", &float32},
                     {"m", &decimal64},
                     {"e", &colour},
                     {"t", &timestamp},
                     {"s", &rstring},
                     {"w", &ustring},
                     {"l", &ints},
                     {"k", &words},
                     {"c", &counts},
                     {"o", maybe},
                     {"p", point},
                     {"q", &points},
                     {"z", &blob}});

/// What becomes of a value, whose text is `before`; or why the text was not taken.
std::string readInto(const TypeDesc *type, std::string_view before, std::string_view json,
                     Reading how = Reading::Convert, std::string_view prefix = {}) {
  World world;
  void *value =
      before.empty() ? arenaAlloc(&world.arena, type->size, 16) : world.value(type, before);
  if (before.empty())
    memset(value, 0, type->size);
  // At the end of its memory, so that reading beyond it is found.
  std::vector<char> exact(json.begin(), json.end());
  std::string_view given(exact.data(), exact.size());
  Problem problem;
  if (read(given, planFor(type, how, prefix), how, world.arena, value, problem))
    return text(type, value);
  return problem.message("");
}

/// The text of one attribute of `row` that was read.
std::string attribute(std::string_view name, std::string_view json,
                      Reading how = Reading::Convert) {
  for (const Field &field : row.fields)
    if (field.name == name) {
      // A static type for each: plans stay.
      static std::map<std::string, std::unique_ptr<TupleType>> types;
      std::unique_ptr<TupleType> &one = types[std::string(name)];
      if (!one)
        one.reset(new TupleType({{field.name, field.type}}));
      std::string result =
          readInto(*one, "", "{\"" + std::string(name) + "\":" + std::string(json) + "}", how);
      return result.starts_with("{")
                 ? result.substr(name.size() + 2, result.size() - name.size() - 3)
                 : result;
    }
  return "no such attribute";
}

TEST(JsonReader, ReadsEachType) {
  EXPECT_EQ(attribute("b", "true"), "true");
  EXPECT_EQ(attribute("i", "-128"), "-128");
  EXPECT_EQ(attribute("u", "18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(attribute("d", "1e-3"), "0.001");
  EXPECT_EQ(attribute("f", "2.5"), "2.5");
  EXPECT_EQ(attribute("m", "12345678901.25"), "12345678901.25");
  EXPECT_EQ(attribute("e", "\"green\""), "green");
  EXPECT_EQ(attribute("t", "1.5"), "(1,500000000,0)");
  EXPECT_EQ(attribute("t", "-0.25"), "(-1,750000000,0)");
  EXPECT_EQ(attribute("t", "1e3"), "(1000,0,0)");
  EXPECT_EQ(attribute("s", "\"\""), "\"\"");
  EXPECT_EQ(attribute("s", "\"more than a dozen bytes\" "), "\"more than a dozen bytes\"");
  EXPECT_EQ(attribute("l", "[1, 2,3]"), "[1,2,3]");
  EXPECT_EQ(attribute("k", "[\"a\",\"b\",\"a\"]"), "{\"a\",\"b\"}");
  EXPECT_EQ(attribute("p", "{\"y\":\"b\",\"x\":1}"), "{x=1,y=\"b\"}");
  EXPECT_EQ(attribute("q", "[{\"x\":1},{\"y\":\"c\"}]"), "[{x=1,y=\"\"},{x=0,y=\"c\"}]");
}

TEST(JsonReader, KnowsNull) {
  EXPECT_EQ(attribute("i", "null"), "0");
  EXPECT_EQ(attribute("s", "null"), "\"\"");
  EXPECT_EQ(attribute("p", "null"), "{x=0,y=\"\"}");
  EXPECT_EQ(attribute("l", "[1,null,2]"), "[1,2]");
  EXPECT_EQ(attribute("q", "[null,{\"x\":null}]"), "[{x=0,y=\"\"}]");
  EXPECT_EQ(attribute("o", "null"), "null");
  EXPECT_EQ(attribute("o", "7"), "7");
}

TEST(JsonReader, ConvertsByText) {
  EXPECT_EQ(attribute("i", "\"12\""), "12");
  EXPECT_EQ(attribute("i", "3.9"), "3");
  EXPECT_EQ(attribute("i", "1e2"), "100");
  EXPECT_EQ(attribute("b", "\"TRUE\""), "true");
  EXPECT_EQ(attribute("s", "1.50"), "\"1.50\"");
  EXPECT_EQ(attribute("s", "false"), "\"false\"");
  EXPECT_EQ(attribute("s", "{ \"a\" : [1, 2] }"), "\"{ \\\"a\\\" : [1, 2] }\"");
  EXPECT_EQ(attribute("i", "\"12\"", Reading::Match), "0");
  EXPECT_EQ(attribute("s", "1.50", Reading::Match), "\"\"");
  EXPECT_EQ(attribute("l", "[1,\"2\",3]", Reading::Match), "[1,3]");
}

TEST(JsonReader, LeavesOutTypes) {
  EXPECT_EQ(attribute("z", "\"ab\""), "");
  EXPECT_EQ(attribute("c", "{\"a\":1}"), "{}");
  EXPECT_EQ(attribute("c", "{\"a\":1,\"b\":2}", Reading::Match), "{\"a\":1,\"b\":2}");
}

TEST(JsonReader, Unescapes) {
  EXPECT_EQ(attribute("s", R"("a\n\"\\\/A")"), R"("a\n\"\\/A")");
  EXPECT_EQ(attribute("w", R"("\u00e4 \ud83d\ude00 and a longer tail")"),
            "\"\xc3\xa4 \xf0\x9f\x98\x80 and a longer tail\"");
  EXPECT_EQ(readInto(point, "", R"({"\u0078":5})"), "{x=5,y=\"\"}");
}

TEST(JsonReader, SaysWhatIsWrong) {
  EXPECT_EQ(readInto(point, "", ""), "byte 0: the text is empty, in: ");
  EXPECT_EQ(readInto(point, "", "5"), "byte 0: neither an object nor an array, in: ");
  EXPECT_EQ(readInto(point, "", "[1]"), "byte 0: an object is expected, in: ");
  EXPECT_EQ(readInto(point, "", "{\"x\":1"), "byte 6: a comma or } is expected, in: ");
  EXPECT_EQ(readInto(point, "", "{\"x\":1} x"), "byte 8: something follows the value, in: ");
  EXPECT_EQ(readInto(point, "", "{\"x\":\"a\"}"), "byte 5: a number is expected for `x`, in: ");
  EXPECT_EQ(readInto(point, "", "{\"x\":[1]}"), "byte 5: a number is expected for `x`, in: ");
  EXPECT_EQ(readInto(point, "", "{\"x\":2147483648}"),
            "byte 5: the number is out of range of int32 for `x`, in: ");
  EXPECT_EQ(readInto(point, "", "{\"x\":1e400}"),
            "byte 5: the number is out of range of int32 for `x`, in: ");
  EXPECT_EQ(attribute("d", "1e400").substr(0, 33), "byte 5: the number is out of rang");
  EXPECT_EQ(attribute("u", "-1").substr(0, 42), "byte 5: the number is out of range of uint");
  EXPECT_EQ(attribute("e", "\"blue\"").substr(0, 45),
            "byte 5: a member of the enumeration is expect");
}

TEST(JsonReader, ChecksWhatNobodyTakes) {
  EXPECT_EQ(readInto(point, "", R"({"n":{"a":[1,{"b":null}],"c":"\t"},"x":1})"), "{x=1,y=\"\"}");
  EXPECT_EQ(readInto(point, "", "{\"n\":[1}}"), "byte 7: a comma or ] is expected, in: ");
  EXPECT_EQ(readInto(point, "", "{\"n\":tru}"), "byte 5: a value is expected, in: ");
  EXPECT_EQ(readInto(point, "", "{\"n\":01}"), "byte 5: a value is expected, in: ");
  EXPECT_EQ(readInto(point, "", R"({"n":"\q"})"), "byte 6: an unknown escape, in: ");
  EXPECT_EQ(readInto(point, "", R"({"n":"\udc00"})"), "byte 6: half of a surrogate pair, in: ");
  EXPECT_EQ(readInto(point, "", "{\"n\":\"\xff\"}"),
            "byte 6: a byte that is no UTF-8, or a control character, in: ");
  auto nested = [](size_t depth) {
    return "{\"n\":" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
  };
  EXPECT_EQ(readInto(point, "", nested(64)), "{x=0,y=\"\"}");
  EXPECT_EQ(readInto(point, "", nested(65)),
            "byte 68: objects and arrays are nested deeper than 64, in: ");
}

/// What stands behind a text is not part of it, also if it was of the text before.
TEST(JsonReader, RefusesEachBeginningOfAText) {
  std::string whole = R"({"x":1,"n":{"k":["a",{"b":"\u00e4"}],"l":{}},"y":"b","z":[[],-1e5,true]})";
  EXPECT_EQ(readInto(point, "", whole), "{x=1,y=\"b\"}");
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_EQ(readInto(point, "", whole.substr(0, size)).substr(0, 5), "byte ") << size;
  EXPECT_EQ(readInto(point, "", whole), "{x=1,y=\"b\"}");
}

/// What simdjson would take for a key, if it were passed over.
TEST(JsonReader, ChecksWhatFollowsAString) {
  EXPECT_EQ(readInto(point, "", R"({"n":"":[1],"x":1})"), "byte 7: a comma or } is expected, in: ");
  EXPECT_EQ(readInto(point, "", R"({"y":"":[1],"x":1})"), "byte 7: a comma or } is expected, in: ");
}

TEST(JsonReader, KeepsWhatTheTextDoesNotSay) {
  EXPECT_EQ(readInto(point, "{x=1,y=\"a\"}", "{\"x\":2}"), "{x=2,y=\"a\"}");
  EXPECT_EQ(readInto(point, "{x=1,y=\"a\"}", "{\"x\":null}"), "{x=1,y=\"a\"}");
  static const TupleType outer({{"p", point}});
  EXPECT_EQ(readInto(outer, "{p={x=1,y=\"a\"}}", "{\"p\":{\"x\":2}}"), "{p={x=2,y=\"\"}}");
  EXPECT_EQ(readInto(outer, "{p={x=1,y=\"a\"}}", "{\"p\":{\"x\":2}}", Reading::Match),
            "{p={x=2,y=\"a\"}}");
}

TEST(JsonReader, ReadsMembersInAnyOrderAndTheLastOfEqualOnes) {
  EXPECT_EQ(readInto(point, "", "{\"y\":\"a\",\"n\":0,\"x\":1,\"y\":\"b\"}"), "{x=1,y=\"b\"}");
}

TEST(JsonReader, IgnoresAPrefix) {
  static const TupleType type({{"__graph", &int32}, {"x", &int32}});
  EXPECT_EQ(readInto(type, "", "{\"graph\":1,\"x\":2}", Reading::Convert, "__"), "{__graph=1,x=2}");
  EXPECT_EQ(readInto(type, "", "{\"graph\":1,\"x\":2}"), "{__graph=0,x=2}");
}

TEST(JsonReader, ReadsArrays) {
  EXPECT_EQ(readInto(&ints, "", " [3,4] "), "[3,4]");
  EXPECT_EQ(readInto(&ints, "", "{}"), "byte 0: an array is expected, in: ");
}

} // namespace
