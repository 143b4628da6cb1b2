// The files of message sets, and the locales that they are for.
#include "stdlib/native/messages/MessageSet.h"
#include "stdlib/native/messages/Locale.h"
#include "stdlib/native/xml/Reader.h"
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::messages;
using Names = std::vector<std::string>;

TEST(MessageLocale, FallsBack) {
  EXPECT_EQ(fallbacksOf("de_AT.UTF-8"), Names({"de_AT", "de"}));
  EXPECT_EQ(fallbacksOf("de_DE@euro"), Names({"de_DE", "de"}));
  EXPECT_EQ(fallbacksOf("zh-Hans-CN"), Names({"zh_Hans_CN", "zh_Hans", "zh"}));
  EXPECT_EQ(fallbacksOf("fr"), Names({"fr"}));
  for (const char *none : {"", "C", "POSIX", "C.UTF-8", ".UTF-8"})
    EXPECT_EQ(fallbacksOf(none), Names({"en_US_POSIX", "en_US", "en"})) << none;
}

TEST(MessageLocale, IsThatOfTheProcess) {
  for (const char *variable : {"LC_ALL", "LC_MESSAGES", "LANG"})
    unsetenv(variable);
  EXPECT_EQ(ownLocale(), "C");
  setenv("LANG", "de_DE", 1);
  EXPECT_EQ(ownLocale(), "de_DE");
  setenv("LC_MESSAGES", "fr_FR", 1);
  EXPECT_EQ(ownLocale(), "fr_FR");
  setenv("LC_ALL", "", 1);
  EXPECT_EQ(ownLocale(), "fr_FR");
  setenv("LC_ALL", "it_IT", 1);
  EXPECT_EQ(ownLocale(), "it_IT");
  setenv("LC_ALL", "C.UTF-8", 1);
}

#define NEEDS_EXPAT                                                                                \
  if (!xml::Reader::isThere())                                                                     \
  GTEST_SKIP() << "no libexpat.so.1"

TEST(MessageSet, TextsOfXliff) {
  NEEDS_EXPAT;
  std::string problem;
  Texts texts =
      textsOf("<xliff><file><body><group><trans-unit id='1' resname='A'>"
              "<source>one <g>&lt;two&gt;</g></source><note>no</note></trans-unit></group>"
              "<trans-unit id='B'><target>target</target><source>source</source>"
              "<alt-trans><target>no</target></alt-trans></trans-unit>"
              "<trans-unit id='C'><note>no text</note></trans-unit>"
              "<trans-unit id='D'><source/></trans-unit></body></file></xliff><!-- -->",
              problem);
  EXPECT_EQ(problem, "");
  EXPECT_EQ(texts, (Texts{{"A", "one <two>"}, {"B", "target"}, {"D", ""}}));
}

TEST(MessageSet, DocumentsThatAreNone) {
  NEEDS_EXPAT;
  for (const char *text : {"", "<xliff>", "<xliff><body></xliff>", "no XML"}) {
    std::string problem;
    textsOf(text, problem);
    EXPECT_NE(problem, "") << text;
  }
}

TEST(MessageSet, LanguagesOfInfo) {
  NEEDS_EXPAT;
  std::string problem;
  std::vector<Language> found =
      languagesOf("<t:toolkitInfoModel xmlns:t='urn:t'><t:resources>"
                  "<t:messageSet name='Other'><t:lang>no.xlf</t:lang></t:messageSet>"
                  "<t:messageSet name='Texts'><t:lang default='true'> en/en_US/a.xlf\n</t:lang>"
                  "<t:lang>de_DE/a.xlf</t:lang><t:lang>a.xlf</t:lang></t:messageSet>"
                  "</t:resources></t:toolkitInfoModel>",
                  "Texts", problem);
  EXPECT_EQ(problem, "");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].file, "en/en_US/a.xlf");
  EXPECT_EQ(found[0].locale, "en_US");
  EXPECT_TRUE(found[0].isDefault);
  EXPECT_EQ(found[1].locale, "de_DE");
  EXPECT_FALSE(found[1].isDefault);
  EXPECT_EQ(found[2].locale, "");
}
