// Rows that are taken, with their values, and rows that are refused.
#include "stdlib/native/csv/CsvReader.h"
#include "../value/Types.h"
#include <cmath>
#include <gtest/gtest.h>
#include <optional>

using namespace sluice;
using namespace sluice::test;

namespace {
const char *const colours[] = {"red", "green"};
const TypeDesc colour = enumOf(colours, 2);
const TypeDesc ints = listOf(&int32);
TupleType row({{"i", &int8},
               {"f", &float64},
               {"b", &boolean},
               {"s", &rstring},
               {"u", &rstring},
               {"t", &timestamp},
               {"e", &colour},
               {"l", &ints}});

struct Csv : testing::Test {
  CsvReader reader;
  World world;
  Csv() {
    for (const Field &f : row.fields)
      reader.columns.push_back({f.type, f.offset, nullptr, f.name});
  }
  /// The tuple's text, or the error.
  std::string parse(std::string_view line) {
    std::vector<uint64_t> tuple(row.desc.size / 8 + 1, ~uint64_t(0));
    // A copy of exact size, so that a sanitizer sees what is read behind it.
    std::vector<char> exact(line.begin(), line.end());
    if (!reader.parse({exact.data(), exact.size()}, tuple.data(), world.arena))
      return std::to_string(reader.column) + ": " + reader.error;
    return text(row, tuple.data());
  }
  void takes(std::string_view line, const char *expected) {
    EXPECT_EQ(parse(line), expected) << line;
  }
  void refuses(std::string_view line, int column) {
    std::string result = parse(line);
    EXPECT_EQ(result.substr(0, result.find(':')), std::to_string(column))
        << line << " gave " << result;
  }
};
} // namespace

#define TAIL ",t={1,2,3},e=red,l=[]}"

TEST_F(Csv, TakesWhatIsWellFormed) {
  takes("1,1.5,true,text,utext,(1,2,3),red,[1,2]",
        R"({i=1,f=1.5,b=true,s="text",u="utext",t=(1,2,3),e=red,l=[1,2]})");
  takes("010,.5,true,a,b,(1,2,3),red,[]",
        R"({i=10,f=0.5,b=true,s="a",u="b",t=(1,2,3),e=red,l=[]})");
  takes("+5,5.,false,a,b,(1,2),green,[]",
        R"({i=5,f=5,b=false,s="a",u="b",t=(1,2,0),e=green,l=[]})");
  takes("-0,1E+3,true,a,b,(1,1999999999,0),red,[]",
        R"({i=0,f=1000,b=true,s="a",u="b",t=(1,1999999999,0),e=red,l=[]})");
  takes("1,NaN,true,a,b,(1,2,3),red,[]", R"({i=1,f=nan,b=true,s="a",u="b",t=(1,2,3),e=red,l=[]})");
  takes("1,-inf,true,a,b,(1,2,3),red,[]\r",
        R"({i=1,f=-inf,b=true,s="a",u="b",t=(1,2,3),e=red,l=[]})");
}

TEST_F(Csv, TakesStrings) {
  takes("1,1,true,\"abc\" ,\"b\"  ,(1,2,3),red,[]",
        R"({i=1,f=1,b=true,s="abc",u="b",t=(1,2,3),e=red,l=[]})");
  takes("1,1,true,ab\"c\"d,'it\"s',(1,2,3),red,[]",
        R"({i=1,f=1,b=true,s="ab\"c\"d",u="it\"s",t=(1,2,3),e=red,l=[]})");
  takes(R"(1,1,true,"a\tb\\c\"d\'e","\u00e9\n",(1,2,3),red,[])",
        "{i=1,f=1,b=true,s=\"a\\tb\\\\c\\\"d'e\",u=\"\u00e9\\n\",t=(1,2,3),e=red,l=[]}");
  takes(R"(1,1,true,"a\qb","\x41",(1,2,3),red,[])",
        R"({i=1,f=1,b=true,s="aqb",u="x41",t=(1,2,3),e=red,l=[]})");
  takes(R"(1,1,true,a\tb,\u00e9,(1,2,3),red,[])",
        R"({i=1,f=1,b=true,s="a\\tb",u="\\u00e9",t=(1,2,3),e=red,l=[]})");
  takes("1,1,true,  tail  ,#b,(1,2,3),red,[]",
        R"({i=1,f=1,b=true,s="tail  ",u="#b",t=(1,2,3),e=red,l=[]})");
  takes("1,1,true,\"with, comma and more than twelve\",'',(1,2,3),red,[]",
        R"({i=1,f=1,b=true,s="with, comma and more than twelve",u="",t=(1,2,3),e=red,l=[]})");
}

TEST_F(Csv, TakesBlanksAndEmptyFields) {
  takes("\t1 ,\t2 ,\ttrue ,\ta,b,\t(1,2,3) ,\tred , [ 4 , 5 ] ",
        R"({i=1,f=2,b=true,s="a",u="b",t=(1,2,3),e=red,l=[4,5]})");
  takes(",,,,,,,", R"({i=0,f=0,b=false,s="",u="",t=(0,0,0),e=red,l=[]})");
  int8_t minus = -1;
  reader.columns[0].otherwise = &minus;
  takes(",,,,,,,", R"({i=-1,f=0,b=false,s="",u="",t=(0,0,0),e=red,l=[]})");
}

TEST_F(Csv, RefusesNumbers) {
  refuses("0x7f,1,true,a,b,(1,2,3),red,[]", 1);
  refuses("128,1,true,a,b,(1,2,3),red,[]", 1);
  refuses("-129,1,true,a,b,(1,2,3),red,[]", 1);
  refuses("1.0,1,true,a,b,(1,2,3),red,[]", 1);
  refuses("abc,1,true,a,b,(1,2,3),red,[]", 1);
  refuses("1,Infinity,true,a,b,(1,2,3),red,[]", 3);
  refuses("1,1x,true,a,b,(1,2,3),red,[]", 3);
  refuses("1,1e999,true,a,b,(1,2,3),red,[]", 3);
}

TEST_F(Csv, RefusesOthers) {
  refuses("1,1,1,a,b,(1,2,3),red,[]", 5);
  refuses("1,1,TRUE,a,b,(1,2,3),red,[]", 5);
  refuses("1,1,true,a,b,(1),red,[]", 14);
  refuses("1,1,true,a,b,1.5,red,[]", 14);
  refuses("1,1,true,a,b,(1,2,3),purple,[]", 22);
  refuses("1,1,true,a,b,(1,2,3),1,[]", 22);
  refuses("1,1,true,a,b,(1,2,3),\"red\",[]", 22);
  refuses("1,1,true,a,b,(1,2,3),red,[1,]", 26);
  refuses("1,1,true,a,b,(1,2,3),red,{}", 26);
}

TEST_F(Csv, RefusesStrings) {
  refuses("1,1,true,\"abc,b,(1,2,3),red,[]", 10);
  refuses("1,1,true,\"abc\"x,b,(1,2,3),red,[]", 10);
  refuses("1,1,true,\"a\"\"b\",b,(1,2,3),red,[]", 10);
  refuses("1,1,true,\"abc\"r,\"x\"u,(1,2,3),red,[]", 10);
  refuses("1,1,true,a,\"ends with escape\\", 12);
}

TEST_F(Csv, CountsValues) {
  EXPECT_EQ(parse("1,1,true,a,b"), "13: the row has too few values: 5 instead of 8");
  EXPECT_EQ(parse("1,1,true,a,b,(1,2,3),red,[],extra"), "28: the row has more than 8 values");
  refuses("1,1,true,a,b,(1,2,3),red,[],", 28);
  reader.extraAllowed = true;
  takes("1,1,true,a,b,(1,2,3),red,[],extra,\"more",
        R"({i=1,f=1,b=true,s="a",u="b",t=(1,2,3),e=red,l=[]})");
  takes("1,1,true,a,b,(1,2,3),red,[],", R"({i=1,f=1,b=true,s="a",u="b",t=(1,2,3),e=red,l=[]})");
}

TEST(CsvNumbers, AreRoundedLikeStrtod) {
  World world;
  CsvReader reader;
  reader.columns = {{&float64, 0, nullptr, "f"}};
  uint64_t random = 1;
  for (int i = 0; i < 200000; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    char text[64];
    snprintf(text, sizeof text, "%s%lu.%0*lu", random >> 63 ? "-" : "",
             (unsigned long)(random >> 8) % 10000000, int(random >> 60),
             (unsigned long)(random >> 20 & 0xfffff));
    double v;
    ASSERT_TRUE(reader.parse(text, &v, world.arena)) << text;
    ASSERT_EQ(v, strtod(text, nullptr)) << text;
  }
  for (const char *text :
       {"0", "-0", ".5", "5.", "123456789012345", "1234567890123456", "0.000000000000001",
        "1234567.12345678", "99999999999999999999", "1e22", "-1.5e-7"}) {
    double v;
    ASSERT_TRUE(reader.parse(text, &v, world.arena)) << text;
    EXPECT_EQ(v, strtod(text, nullptr)) << text;
    EXPECT_EQ(std::signbit(v), text[0] == '-') << text;
  }
  for (const char *text : {".", "-", "-.", "1.2.3", "1-", "--1"}) {
    double v;
    EXPECT_FALSE(reader.parse(text, &v, world.arena)) << text;
  }
}

TEST(CsvNumbers, IntegersKeepTheirRange) {
  World world;
  CsvReader reader;
  auto parse = [&](const TypeDesc &type, const char *text) {
    uint64_t v = 0;
    reader.columns = {{&type, 0, nullptr, "i"}};
    return reader.parse(text, &v, world.arena) ? test::text(&type, &v) : "refused";
  };
  for (const char *text : {"-128", "127", "0", "-1"})
    EXPECT_EQ(parse(int8, text), text);
  for (const char *text : {"-129", "128", "-", "", "1 2", "999999999999999999999"})
    EXPECT_EQ(parse(int8, text), *text ? "refused" : "0");
  for (const char *text : {"-9223372036854775808", "9223372036854775807", "999999999999999999"})
    EXPECT_EQ(parse(int64, text), text);
  EXPECT_EQ(parse(int64, "9223372036854775808"), "refused");
  EXPECT_EQ(parse(uint64, "18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(parse(uint64, "18446744073709551616"), "refused");
  EXPECT_EQ(parse(uint8, "256"), "refused");
  EXPECT_EQ(parse(uint8, "-1"), "refused");
}

TEST(CsvNumbers, IntegersOfAllLengths) {
  World world;
  CsvReader reader;
  reader.columns = {{&uint64, 0, nullptr, "i"}};
  auto parse = [&](std::string_view text) -> std::optional<uint64_t> {
    uint64_t v = 0;
    std::vector<char> exact(text.begin(), text.end());
    if (!reader.parse({exact.data(), exact.size()}, &v, world.arena))
      return std::nullopt;
    return v;
  };
  uint64_t random = 1;
  for (int i = 0; i < 100000; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    uint64_t v = random >> (i % 64);
    ASSERT_EQ(parse(std::to_string(v)), v);
  }
  for (uint64_t v : {10'000'000'000'000'000'000u, 9'999'999'999'999'999'999u, ~uint64_t(0)}) {
    EXPECT_EQ(parse(std::to_string(v)), v);
    EXPECT_EQ(parse("000" + std::to_string(v)), v) << "with zeros before it";
  }
  for (std::string_view text :
       {"18446744073709551616", "20000000000000000000", "28446744073709551615",
        "99999999999999999999", "184467440737095516150"})
    EXPECT_EQ(parse(text), std::nullopt) << text;
  // Any character that is no digit, at any place.
  for (size_t at = 0; at < 20; ++at)
    for (int c = 0; c < 256; ++c) {
      std::string text = "12345678901234567890";
      text[at] = char(c);
      bool isDigit = c >= '0' && c <= '9';
      bool isSign = at == 0 && (c == '+' || c == '-');
      bool isBlank = (at == 0 || at == 19) && (c == ' ' || (c >= '\t' && c <= '\r'));
      bool isNumber = (isDigit && text <= "18446744073709551615") || isSign || isBlank;
      EXPECT_EQ(parse(text).has_value(), isNumber) << at << ' ' << c;
    }
}

TEST_F(Csv, SaysWhatIsWrong) { EXPECT_EQ(parse("three,1"), "1: 'three' is no int8 (attribute i)"); }

TEST_F(Csv, SeparatorsAndDelays) {
  reader.separator = '|';
  reader.delayField = true;
  takes(" 0.25 ,1|2.5|true|a,b|\"c|d\"|(1,2,3)|red|[1,2]",
        R"({i=1,f=2.5,b=true,s="a,b",u="c|d",t=(1,2,3),e=red,l=[1,2]})");
  EXPECT_EQ(reader.delay, 0.25);
  refuses("x,1|2.5|true|a|b|(1,2,3)|red|[]", 1);
  refuses("0.25|1|2.5|true|a|b|(1,2,3)|red|[]", 1); // the delay ends at a comma
}

TEST_F(Csv, QuotedStringsMayGoOnInTheNextLine) {
  for (const char *line : {"1,\"a", "1, 'a,b", "1,\"a\\\"", "1,\"a\\", "1,\"a\",[\"b", "{a=[\"x"})
    EXPECT_TRUE(reader.isOpen(line)) << line;
  for (const char *line : {"1,a\"b", "1,\"a\"", "1,\"a\\\\\"", "1,[\"a\",'b'", "1,\"a\"b\"", ""})
    EXPECT_FALSE(reader.isOpen(line)) << line;
  EXPECT_TRUE(reader.isOpen("1,\"a\\"));
  EXPECT_TRUE(reader.staysOpen("1,\"a\\\"b")); // the backslash is of the quote
  EXPECT_TRUE(reader.staysOpen("1,\"a\\\"b\nc"));
  EXPECT_FALSE(reader.staysOpen("1,\"a\\\"b\nc\"d"));
  EXPECT_FALSE(reader.isOpen("1,\"a\" x"));
  EXPECT_TRUE(reader.textBehindQuote);
}

TEST_F(Csv, ErrorsShowQuotedFieldsWhole) {
  takes("1,\"12\",true,a,b,(1,2,3),red,[]", "3: '\"12\"' is no float64 (attribute f); numbers in "
                                            "quotes are read with `quoting : rfc4180`");
  takes("1,\"12,5\",true,a,b,(1,2,3),red,[]", "3: '\"12,5\"' is no float64 (attribute f)");
  takes("1,1.5,true,\"a,b\" x,b,(1,2,3),red,[]", "12: '\"a,b\" x' is no rstring (attribute s)");
}

TEST_F(Csv, QuotesOfRfc4180) {
  reader.rfc4180 = true;
  takes("\"1\",\" 1.5\",\"true\",\"say \"\"a,b\"\"\", b ,\"(1,2,3)\",\"red\",\"[1,2]\"",
        R"({i=1,f=1.5,b=true,s="say \"a,b\"",u=" b ",t=(1,2,3),e=red,l=[1,2]})");
  takes("#1,1.5,true,\\n,'b',(1,2,3),red,[1,2]",
        "1: '#1' is no int8 (attribute i)"); // no comment
  takes("1,1.5,true,\\n,'b',(1,2,3),red,[1,2]",
        R"({i=1,f=1.5,b=true,s="\\n",u="'b'",t=(1,2,3),e=red,l=[1,2]})");
  refuses("1,1.5,true,\"a\" ,b,(1,2,3),red,[]", 15);
  refuses("\"1,1.5,true,a,b,(1,2,3),red,[]", 1);
  takes("1,\"12,5\",true,a,b,(1,2,3),red,[]", "3: '\"12,5\"' is no float64 (attribute f)");
  EXPECT_TRUE(reader.isOpen("1,\"a\"\""));
  EXPECT_FALSE(reader.isOpen("1,\"a\"\"\""));
  EXPECT_FALSE(reader.isOpen("1,'a, \"b"));
  EXPECT_TRUE(CsvReader::isIgnored(" ", false));
  EXPECT_FALSE(CsvReader::isIgnored("#", false));
}

TEST(CsvLines, CommentsAndBlankLinesAreIgnored) {
  for (const char *line : {"", "   ", "\t", "\r", "#", "# text", "  # text", "#1,2"})
    EXPECT_TRUE(CsvReader::isIgnored(line)) << line;
  for (const char *line : {"a", " 1", "\"#quoted\"", ",#", "a#"})
    EXPECT_FALSE(CsvReader::isIgnored(line)) << line;
}
