// Rows of `quoting : rfc4180` against the rule: a field is in quotes if it would not be one without
// them, or if strings always are.
#include "stdlib/native/csv/CsvWriter.h"
#include "test/unit/value/Types.h"
#include <gtest/gtest.h>
#include <random>

using namespace sluice;
using namespace sluice::test;

namespace {
const TypeDesc ints = listOf(&int32);
const TupleType row({{"s", &rstring},
                     {"i", &int64},
                     {"u", &uint8},
                     {"f", &float64},
                     {"b", &boolean},
                     {"l", &ints}});
const TupleType only({{"s", &rstring}});

std::string byRule(const TypeDesc *type, const void *value, const CsvStyle &style, bool isOnly) {
  TextOut out;
  printValue(out, type, value, false);
  std::string text(out.view());
  bool quotes = type->kind == Kind::RString && (style.quoteStrings || (text.empty() && isOnly));
  for (char c : text)
    quotes |= c == style.separator || c == '"' || c == '\n' || c == '\r';
  quotes |= !text.empty() && (text[0] == ' ' || text[text.size() - 1] == ' ');
  if (!quotes)
    return text;
  std::string result = "\"";
  for (char c : text)
    result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

std::string word(std::mt19937_64 &random) {
  std::string text;
  for (uint64_t n = random() % 24; n; --n)
    text += "abcdefgh,;.- \"\n\r1e"[random() % 18];
  return text;
}

void compare(const TupleType &type, const void *tuple, const CsvStyle &style) {
  std::string expected;
  for (const Field &f : type.fields)
    expected +=
        (&f == &type.fields[0] ? "" : std::string(1, style.separator)) +
        byRule(f.type, static_cast<const char *>(tuple) + f.offset, style, type.fields.size() == 1);
  TextOut out;
  CsvWriter(type.fields, style).write(out, tuple);
  ASSERT_EQ(out.view(), expected);
}
} // namespace

TEST(CsvWriter, Rfc4180) {
  std::mt19937_64 random(3);
  World world;
  for (int i = 0; i < 20'000 && !testing::Test::HasFatalFailure(); ++i) {
    std::string text = word(random);
    std::vector<uint64_t> tuple(row.desc.size / 8 + 1);
    auto put = [&](size_t field, const TypeDesc *type, const std::string &from) {
      memcpy(reinterpret_cast<char *>(tuple.data()) + row.fields[field].offset,
             world.value(type, from), type->size);
    };
    Str s = str(text);
    memcpy(reinterpret_cast<char *>(tuple.data()) + row.fields[0].offset, &s, sizeof s);
    put(1, &int64, std::to_string(int64_t(random()) >> random() % 64));
    put(2, &uint8, std::to_string(random() % 256));
    put(3, &float64, std::to_string(double(int64_t(random()) >> random() % 64) / 64));
    put(4, &boolean, random() % 2 ? "true" : "false");
    put(5, &ints, random() % 2 ? "[]" : "[1,2]");
    CsvStyle style{",;.-1e\t"[random() % 7], random() % 2 == 0, true};
    compare(row, tuple.data(), style);
    compare(only, &s, style);
  }
}
