// The patterns of messages, as ICU's MessageFormat has them.
#include "stdlib/native/messages/Pattern.h"
#include "stdlib/native/unicode/Icu.h"
#include <gtest/gtest.h>

using namespace sluice;
using messages::Argument;

static std::string put(std::string_view pattern, std::vector<Argument> arguments = {},
                       const std::string &locale = "en_US") {
  std::string text;
  std::string problem = messages::putMessage(text, pattern, arguments, locale);
  return problem.empty() ? text : "problem: " + problem;
}

TEST(MessagePattern, Apostrophes) {
  EXPECT_EQ(put("isn't"), "isn't");
  EXPECT_EQ(put("''{0}''", {"a"}), "'a'");
  EXPECT_EQ(put("'{0}' {0}", {"a"}), "{0} a");
  EXPECT_EQ(put("'{it''s}' {0}", {"a"}), "{it's} a");
  EXPECT_EQ(put("'}'{0}", {"a"}), "}a");
  EXPECT_EQ(put("'{0} is never closed", {"a"}), "{0} is never closed");
  EXPECT_EQ(put("at the end '"), "at the end '");
  EXPECT_EQ(put(""), "");
}

TEST(MessagePattern, Places) {
  EXPECT_EQ(put("{1}{0}{1}", {"a", "b"}), "bab");
  EXPECT_EQ(put("{ 0 }", {"a"}), "a");
  EXPECT_EQ(put("{0} {3} {17,number}", {"a"}), "a {3} {17}");
  EXPECT_EQ(put("a } alone {0}", {"{0}"}), "a } alone {0}");
}

TEST(MessagePattern, Problems) {
  EXPECT_EQ(put("{0", {"a"}), "problem: a `{` is not closed");
  EXPECT_EQ(put("{0,number,0.{0}", {"a"}), "problem: a `{` is not closed");
  EXPECT_EQ(put("{", {"a"}), "problem: a `{` is not closed");
  EXPECT_EQ(put("{}", {"a"}), "problem: `{}` is not the number of an argument");
  EXPECT_EQ(put("{name}", {"a"}), "problem: `{name}` is not the number of an argument");
  EXPECT_EQ(put("{-1}", {"a"}), "problem: `{-1}` is not the number of an argument");
  EXPECT_EQ(put("{0,number}", {"a"}), "problem: argument 0 is no number");
  EXPECT_EQ(put("{0,choice,0#none|1#one}", {int64_t(1)}),
            "problem: the format `choice` of an argument is not supported yet");
  EXPECT_EQ(put("{0,number,::percent}", {int64_t(1)}),
            "problem: the format `::percent` of a number is not supported yet");
}

TEST(MessagePattern, Numbers) {
  if (!icu())
    GTEST_SKIP() << kNoIcu;
  EXPECT_EQ(put("{0}", {int64_t(-1234567)}), "-1,234,567");
  EXPECT_EQ(put("{0}", {INT64_MIN}), "-9,223,372,036,854,775,808");
  EXPECT_EQ(put("{0}", {UINT64_MAX}, "de_DE"), "18.446.744.073.709.551.615");
  EXPECT_EQ(put("{0} {0,number}", {1234.5678}), "1,234.568 1,234.568");
  EXPECT_EQ(put("{0,number,integer} {1, number, integer }", {2.5, 3.5}), "2 4");
  EXPECT_EQ(put("{0,number,percent}", {0.5}), "50%");
  EXPECT_EQ(put("{0,number,currency}", {1234.5}), "$1,234.50");
  EXPECT_EQ(put("{0,number,0000.0}", {int64_t(7)}), "0007.0");
  EXPECT_EQ(put("{0,number,'}'0}", {int64_t(7)}), "}7");
  EXPECT_EQ(put("{0}", {int64_t(1234)}, "en_US_POSIX"), "1234");
  EXPECT_EQ(put("{0}", {1e300}, "en_US_POSIX"), "1" + std::string(300, '0'));
  EXPECT_EQ(put("{0,number,#.#.#}", {int64_t(7)}).find("problem: `#.#.#` is no format of numbers"),
            0u);
}
