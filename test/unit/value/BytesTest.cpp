//===- BytesTest.cpp - blobs, ustrings, xml and bounds ----------*- C++ -*-===//
#include "Types.h"
#include "value/Utf8.h"
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::test;
using namespace std::string_view_literals;

namespace {

TypeDesc bounded(TypeDesc type, uint32_t bound) {
  type.bound = bound;
  return type;
}

/// What a cast from a string gives, as text; "fails" if it does.
std::string parsed(const TypeDesc *type, std::string_view from, bool quote = true) {
  World w;
  alignas(16) char value[64] = {};
  return parseAll(from.data(), from.data() + from.size(), type, value, w.arena)
             ? "fails"
             : text(type, value, quote);
}

std::string cast(const TypeDesc *to, const TypeDesc *from, const void *value) {
  World w;
  alignas(16) char result[64] = {};
  return sl_cast(w, to, result, from, value) ? "fails" : text(to, result, false);
}

//===--- blobs --------------------------------------------------------------===//

TEST(Blob, ItsTextIsTwoDigitsAByte) {
  EXPECT_EQ(parsed(&blob, "00fF0a"), "00ff0a");
  EXPECT_EQ(parsed(&blob, " 0aFF "), "0aff");
  EXPECT_EQ(parsed(&blob, ""), "");
  EXPECT_EQ(parsed(&blob, "0"), "fails");
  EXPECT_EQ(parsed(&blob, "0g"), "fails");
  EXPECT_EQ(parsed(&blob, "0102030405060708090a0b0c0d0e0f"), "0102030405060708090a0b0c0d0e0f");
  TypeDesc list = listOf(&blob);
  EXPECT_EQ(parsed(&list, "[01,,0203 , ]"), "[01,,0203,]");
}

/// A byte may have been written behind the prefix's back.
TEST(Blob, ThePrefixDoesNotCount) {
  std::string bytes = "0123456789abcdef", other = "X123456789abcdef";
  Str a = str(bytes), b = str(other);
  EXPECT_FALSE(sl_equal(&blob, &a, &b));
  World w;
  void *byte;
  ASSERT_EQ(sl_blob_at(w, &byte, &b, 0), 0);
  *static_cast<char *>(byte) = '0';
  EXPECT_TRUE(sl_equal(&blob, &a, &b));
  EXPECT_EQ(sl_compare(&blob, &a, &b), 0);
  EXPECT_EQ(sl_hash(&blob, &a), sl_hash(&blob, &b));
  EXPECT_EQ(cast(&rstring, &blob, &b), "30313233343536373839616263646566");
}

TEST(Blob, OrderIsThatOfTheBytes) {
  Str a = str("\x01"), b = str("\x01\0"sv), c = str("\xff");
  EXPECT_LT(sl_compare(&blob, &a, &b), 0);
  EXPECT_LT(sl_compare(&blob, &b, &c), 0);
}

TEST(Blob, BytesAndTheirLists) {
  TypeDesc list = listOf(&uint8), three = bounded(list, 3);
  std::string bytes = "abcdefghijklmnop";
  for (std::string_view part : {""sv, "ab"sv, std::string_view(bytes)}) {
    Str b = str(part);
    Seq l = {uint32_t(part.size()), 0, const_cast<char *>(part.data())};
    EXPECT_EQ(cast(&list, &blob, &b), text(&list, &l));
    EXPECT_EQ(cast(&blob, &list, &l), text(&blob, &b));
  }
  Str b = str(bytes);
  EXPECT_EQ(cast(&three, &blob, &b), "[97,98,99]");
}

TEST(Blob, PartsOutsideFail) {
  World w;
  Str b = str("abc"), part;
  void *byte;
  EXPECT_NE(sl_blob_at(w, &byte, &b, 3), 0);
  EXPECT_NE(sl_blob_at(w, &byte, &b, -1), 0);
  EXPECT_NE(sl_blob_slice(w, &part, &b, 4, 5, 1, 1), 0);
  ASSERT_EQ(sl_blob_slice(w, &part, &b, 1, 9, 1, 1), 0);
  EXPECT_EQ(text(&blob, &part), "6263");
}

//===--- ustrings -----------------------------------------------------------===//

TEST(UString, PositionsAreCodePoints) {
  World w;
  Str s = str("a\xf0\x9f\x98\x80\xc3\xa9z"), part;
  const char *points[] = {"a", "\xf0\x9f\x98\x80", "\xc3\xa9", "z"};
  for (int i = 0; i < 4; ++i) {
    ASSERT_EQ(sl_ustr_at(w, &part, &s, i), 0);
    EXPECT_EQ(viewOf(part), points[i]);
  }
  EXPECT_NE(sl_ustr_at(w, &part, &s, 4), 0);
  EXPECT_NE(sl_ustr_at(w, &part, &s, -1), 0);
  ASSERT_EQ(sl_ustr_slice(w, &part, &s, 1, 3, 1, 1), 0);
  EXPECT_EQ(viewOf(part), "\xf0\x9f\x98\x80\xc3\xa9");
  ASSERT_EQ(sl_ustr_slice(w, &part, &s, 4, 0, 1, 0), 0);
  EXPECT_EQ(viewOf(part), "");
  EXPECT_NE(sl_ustr_slice(w, &part, &s, 5, 0, 1, 0), 0);
}

TEST(UString, BytesThatAreNoUtf8AreReplaced) {
  for (auto [from, to] :
       {std::pair("a\xff"sv, "a\xef\xbf\xbd"sv),
        {"\xc3"sv, "\xef\xbf\xbd"sv},
        {"\xed\xa0\x80"sv, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"sv}, // surrogate
        {"\xc0\xaf"sv, "\xef\xbf\xbd\xef\xbf\xbd"sv},                 // too long
        {"\xf4\x90\x80\x80"sv, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"sv},
        {"h\xc3\xa9"sv, "h\xc3\xa9"sv}}) {
    Str s = str(from);
    EXPECT_EQ(cast(&ustring, &rstring, &s), to);
    EXPECT_EQ(parsed(&ustring, from, false), to);
  }
  EXPECT_EQ(parsed(&ustring, R"("\ud83d")"), R"("\"\\ud83d\"")"); // the text itself
  TypeDesc list = listOf(&ustring);
  EXPECT_EQ(parsed(&list, R"(["\ud83d\ude00", "\ud83d"])"),
            "[\"\xf0\x9f\x98\x80\",\"\xef\xbf\xbd\"]");
}

TEST(UString, OrderIsThatOfTheCodePoints) {
  Str bmp = str("\xef\xbf\xae"), astral = str("\xf0\x9f\x98\x80");
  EXPECT_LT(sl_compare(&ustring, &bmp, &astral), 0);
}

//===--- xml ----------------------------------------------------------------===//

TEST(Xml, OnlyWellFormedDocuments) {
  EXPECT_EQ(parsed(&xml, ""), "\"\"x");
  if (!checksXml())
    GTEST_SKIP() << "there is no libexpat here";
  EXPECT_EQ(parsed(&xml, "<a b='1'>&lt;</a>", false), "<a b='1'>&lt;</a>");
  EXPECT_EQ(parsed(&xml, "<a b='1'/>"), "\"<a b='1'/>\"x");
  for (const char *bad : {"text", "<a>", "<a></b>", "<a/><b/>", "<a b=1/>", "<a>&nope;</a>"})
    EXPECT_EQ(parsed(&xml, bad), "fails") << bad;
  TypeDesc list = listOf(&xml);
  EXPECT_EQ(parsed(&list, R"(["<a/>"x, ""x])"), R"(["<a/>"x,""x])");
  EXPECT_EQ(parsed(&list, R"(["<a/>"])"), "fails");
  EXPECT_EQ(parsed(&list, R"(["<a>"x])"), "fails");
}

//===--- bounds -------------------------------------------------------------===//

TEST(Bound, CutsWhatIsParsedAndCast) {
  TypeDesc three = bounded(rstring, 3), list = listOf(&int32), two = bounded(list, 2),
           set = bounded(setOf(&int32), 2), map = bounded(mapOf(&int32, &int32), 1),
           texts = listOf(&three);
  EXPECT_EQ(parsed(&three, "abcd", false), "abc");
  EXPECT_EQ(parsed(&texts, R"(["abcd", "x"])"), R"(["abc","x"])");
  EXPECT_EQ(parsed(&two, "[1,2,3]"), "[1,2]");
  EXPECT_EQ(parsed(&set, "{1,1,2,3}"), "{1,2}");
  EXPECT_EQ(parsed(&map, "{1:5,1:6,2:7}"), "{1:5}");
  int32_t numbers[] = {7, 8, 9};
  Seq seq = {3, 0, numbers};
  EXPECT_EQ(cast(&two, &list, &seq), "[7,8]");
  Str s = str("abcdefghijklmnopqrst");
  EXPECT_EQ(cast(&three, &rstring, &s), "abc");
  int64_t number = 12345;
  EXPECT_EQ(cast(&three, &int64, &number), "123");
}

TEST(Bound, CutsWhatIsMade) {
  World w;
  TypeDesc set = bounded(setOf(&int32), 2), map = bounded(mapOf(&int32, &int32), 2);
  int32_t numbers[] = {7, 7, 8, 9}, entries[] = {1, 10, 2, 20, 3, 30, 1, 11};
  Seq made;
  sl_make_set(w, &set, &made, numbers, 4);
  EXPECT_EQ(text(&set, &made), "{7,8}");
  sl_make_map(w, &map, &made, entries, 4);
  EXPECT_EQ(text(&map, &made), "{1:11,2:20}");
}

TEST(Bound, CutsPlaces) {
  World w;
  TypeDesc strings = bounded(listOf(&rstring), 2), set = bounded(setOf(&rstring), 3),
           text20 = bounded(rstring, 20), text4 = bounded(rstring, 4);
  std::string longText = "more than twelve bytes";
  Str parts[] = {str(longText), str("b"), str(longText)};
  Seq list = {3, 0, parts}, place = {}, table = {};
  sl_assign(w, &strings, &place, &list);
  sl_cut(w, &strings, &place);
  EXPECT_EQ(text(&strings, &place), R"(["more than twelve bytes","b"])");
  sl_cut(w, &strings, &place);
  EXPECT_EQ(place.len, 2u);
  sl_destroy(w, &strings, &place);
  TypeDesc free = setOf(&rstring);
  auto *many = static_cast<Seq *>(w.value(&free, R"({"k","l","m","more than twelve bytes"})"));
  ASSERT_TRUE(many);
  sl_assign(w, &free, &table, many);
  sl_cut(w, &set, &table);
  EXPECT_EQ(text(&set, &table), R"({"k","l","m"})");
  sl_destroy(w, &set, &table);
  Str s = {}, value = str(longText);
  sl_assign(w, &text20, &s, &value);
  sl_cut(w, &text20, &s);
  EXPECT_EQ(viewOf(s), longText.substr(0, 20));
  sl_cut(w, &text4, &s); // inline now
  EXPECT_EQ(viewOf(s), "more");
  sl_destroy(w, &text4, &s);
}

} // namespace
