//===- SemaTypesTest.cpp - what type an expression has --------------------===//

#include "SemaChecking.h"
#include "gtest/gtest.h"

using namespace sluice::test;

namespace {
struct Row {
  const char *expression, *type;
};
void expectTypes(std::initializer_list<Row> rows) {
  for (const Row &row : rows)
    EXPECT_EQ(typeOf(row.expression), row.type) << row.expression;
}
} // namespace

TEST(SemaLiterals, suffixesInBothOrders) {
  expectTypes({{"7", "int32 = 7"},
               {"7b", "int8 = 7"},
               {"7h", "int16 = 7"},
               {"7w", "int32 = 7"},
               {"7l", "int64 = 7"},
               {"7u", "uint32 = 7"},
               {"7ul", "uint64 = 7"},
               {"7lu", "uint64 = 7"},
               {"5bu", "uint8 = 5"},
               {"7f", "float64 = 7"},
               {"7.0w", "float32 = 7"},
               {"7.5", "float64 = 7.5"},
               {"1.1lf", "float64 = 1.1"},
               {"7e0", "float64 = 7"},
               {".5", "float64 = 0.5"},
               {"1.", "float64 = 1"}});
}

TEST(SemaLiterals, ranges) {
  expectTypes({{"-128b", "int8 = -128"},
               {"-2147483648", "int32 = -2147483648"},
               {"18446744073709551615ul", "uint64 = 18446744073709551615"},
               {"-9223372036854775808l", "int64 = -9223372036854775808"}});
  EXPECT_NE(typeOf("128b").find("`128b` is out of the range of `int8`"), std::string::npos);
  EXPECT_NE(typeOf("-(2147483648)").find("out of the range"), std::string::npos);
  EXPECT_NE(typeOf("256ub").find("out of the range of `uint8`"), std::string::npos);
  EXPECT_NE(typeOf("1e99w").find("out of the range of `float32`"), std::string::npos);
}

TEST(SemaLiterals, hexadecimalWidthComesFromTheDigits) {
  expectTypes({{"0xFF", "int8 = -1"},
               {"0x0FF", "int16 = 255"},
               {"0xFFu", "uint8 = 255"},
               {"0xFFFFFFFF", "int32 = -1"},
               {"0x123456789", "int64 = 4886718345"}});
}

TEST(SemaLiterals, strings) {
  expectTypes({{"\"a\\tb\"", "rstring = \"a\tb\""},
               {"'it\\'s'", "rstring = \"it's\""},
               {"\"\\u00e9\"", "rstring = \"\xc3\xa9\""},
               {"\"\\ud83d\\ude00\"", "rstring = \"\xf0\x9f\x98\x80\""},
               {"\"a\" + 'b'", "rstring = \"ab\""}});
}

TEST(SemaLiterals, collections) {
  expectTypes({{"[1, 2]", "list<int32>"},
               {"({1, 2})", "set<int32>"},
               {"({\"a\" : 1l})", "map<rstring, int64>"},
               {"({a = 1, b = \"x\"})", "tuple<int32 a, rstring b>"},
               {"[[], [1]]", "list<list<int32>>"},
               {"({(i32 + 1), i32})", "set<int32>"},
               {"({i32 + 1, i32})", "set<int32>"},
               {"(list<int32>)[]", "list<int32> = default"},
               {"li == []", "boolean"},
               {"b8 ? li : []", "list<int32>"}});
}

TEST(SemaOperators, sameTypes) {
  expectTypes({{"i32 + 1", "int32"},
               {"f64 * 2.0", "float64"},
               {"s + \"x\"", "rstring"},
               {"ts - ts", "timestamp"},
               {"i32 % 2", "int32"},
               {"b8 & true", "boolean"},
               {"b8 ^ b8", "boolean"},
               {"u8 << i32", "uint8"},
               {"c < red", "boolean"},
               {"t == t", "boolean"},
               {"b8 < true", "boolean"},
               {"!b8 || b8 && b8", "boolean"},
               {"i32 in li", "boolean"},
               {"s in mi", "boolean"},
               {"-f32", "float32"},
               {"~u32", "uint32"}});
}

TEST(SemaOperators, lifted) {
  expectTypes({{"li * 10", "list<int32>"},
               {"10 - li", "list<int32>"},
               {"li < 3", "list<boolean>"},
               {"ls + \"x\"", "list<rstring>"},
               {"mi + 1", "map<rstring, int32>"},
               {"mi == 1", "map<rstring, boolean>"},
               {"li .* li", "list<int32>"},
               {"li .< li", "list<boolean>"},
               {"mi .+ mi", "map<rstring, int32>"},
               {"li == li", "boolean"}});
}

TEST(SemaOperators, foldedConstants) {
  expectTypes({{"200ub + 100ub", "uint8 = 44"},
               {"-7 / 2", "int32 = -3"},
               {"-7 % 2", "int32 = -1"},
               {"1 << 3", "int32 = 8"},
               {"-8 >> 1", "int32 = -4"},
               {"1.0 / 4.0", "float64 = 0.25"},
               {"\"a\" < \"b\"", "boolean = 1"},
               {"true ? 1 : 2", "int32 = 1"},
               {"[1, 2][1]", "int32 = 2"},
               {"({a = 5}).a", "int32 = 5"},
               {"\"abc\"[1]", "rstring = \"b\""},
               {"18446744073709551615ul > 1ul", "boolean = 1"}});
}

TEST(SemaCasts, folded) {
  expectTypes({{"(int8) 300", "int8 = 44"},
               {"(int32) 2.9", "int32 = 2"},
               {"(int32) -2.9", "int32 = -2"},
               {"(uint8) 1e9", "uint8 = 255"},
               {"(float64) 3", "float64 = 3"},
               {"(int32) \" 42 \"", "int32 = 42"},
               {"(rstring) -5", "rstring = \"-5\""},
               {"(rstring) green", "rstring = \"green\""},
               {"(Colour) \"green\"", "enum{red, green} = 1"},
               {"(Colour) 1", "enum{red, green} = 1"},
               {"(int32) green", "int32 = 1"},
               {"(boolean) \"true\"", "boolean = 1"},
               {"(list<int64>) [1, 2]", "list<int64>"},
               {"(T) {b = \"x\", a = 1}", "tuple<int32 a, rstring b>"},
               {"(timestamp) 1.5", "timestamp"},
               {"(float64) ts", "float64"}});
}

TEST(SemaNames, members) {
  expectTypes({{"t.a", "int32"},
               {"t.b[0]", "rstring"},
               {"Colour.green", "enum{red, green} = 1"},
               {"red", "enum{red, green} = 0"},
               {"li[u64]", "int32"},
               {"mi[s]", "int32"},
               {"li[1:]", "list<int32>"},
               {"s[:i32]", "rstring"},
               {"getThisLine()", "int32 = 4"},
               {"getThisFileName()", "rstring = \"Test.spl\""}});
}

TEST(SemaCalls, genericsAndOverloads) {
  expectTypes({{"size(li)", "uint32"},
               {"max(i64, 2l)", "int64"},
               {"lookup(mi, s)", "int32"},
               {"upper(s)", "rstring"},
               {"sqrt(f32)", "float32"},
               {"i32++", "int32"},
               {"spl.utility::upper(s)", "rstring"},
               {"lookup(mi, s) + 1", "int32"}});
}
