// Tables of options: how words are found in them, and rules.
#include "runtime/base/text/Options.h"
#include "gtest/gtest.h"
#include <vector>

using namespace sluice;

namespace {
struct Wishes {
  std::string file;
  bool fast = false;
};
constexpr uint32_t kGo = 1, kStop = 2;

const std::vector<Option<Wishes>> kTable = {
    {"--file", "FILE", kGo, "a file",
     [](Wishes &w, std::string_view v) -> Setting {
       w.file = v;
       return v.empty() ? Setting(" needs a file") : true;
     }},
    {"--fast", nullptr, kGo | kStop, "no rest",
     [](Wishes &w, std::string_view) { return w.fast = true; }},
    {"-n", "N", kStop, "how many", [](Wishes &, std::string_view v) { return v == "1"; }},
};

struct Found {
  Match match;
  std::string value;
  int at;
  bool operator==(const Found &) const = default;
};

Found find(std::vector<const char *> words, uint32_t command = kGo) {
  int at = 0;
  auto [match, option, value] =
      matchOption(std::span<const Option<Wishes>>(kTable), command, splitOption(words[0]),
                  int(words.size()), const_cast<char **>(words.data()), at);
  EXPECT_EQ(option == nullptr, match == Match::Unknown);
  return {match, std::string(value), at};
}
} // namespace

TEST(Options, AValueIsInTheSameWordOrTheNext) {
  EXPECT_EQ(find({"--file=a=b"}), (Found{Match::Found, "a=b", 0}));
  EXPECT_EQ(find({"--file="}), (Found{Match::Found, "", 0}));
  EXPECT_EQ(find({"--file", "a"}), (Found{Match::Found, "a", 1}));
  EXPECT_EQ(find({"--file", "-"}), (Found{Match::Found, "-", 1}));
  EXPECT_EQ(find({"-n", "-1"}, kStop), (Found{Match::Found, "-1", 1}));
}

TEST(Options, TheNextOptionIsNoValue) {
  EXPECT_EQ(find({"--file", "--fast"}), (Found{Match::NeedsValue, "", 0}));
  EXPECT_EQ(find({"--file"}), (Found{Match::NeedsValue, "", 0}));
}

TEST(Options, FlagsHaveNone) {
  EXPECT_EQ(find({"--fast", "a"}), (Found{Match::Found, "", 0}));
  EXPECT_EQ(find({"--fast=yes"}), (Found{Match::TakesNone, "yes", 0}));
}

TEST(Options, NamesAreWhole) {
  EXPECT_EQ(find({"--fil=a"}).match, Match::Unknown);
  EXPECT_EQ(find({"--files=a"}).match, Match::Unknown);
  EXPECT_EQ(find({"-n=1"}, kStop).match, Match::Unknown); // only two dashes have a value behind `=`
  EXPECT_EQ(find({"--file=a"}, kStop).match, Match::OfOthers);
}

TEST(Options, ASetterSaysWhatIsWrong) {
  Wishes wishes;
  Setting setting = kTable[0].set(wishes, "");
  EXPECT_FALSE(setting.taken);
  EXPECT_EQ(setting.problem, " needs a file");
  setting = kTable[2].set(wishes, "2");
  EXPECT_FALSE(setting.taken);
  EXPECT_EQ(setting.problem, "");
  EXPECT_TRUE(kTable[2].set(wishes, "1").taken);
}

TEST(Options, TheFirstBrokenRuleIsSaid) {
  static constexpr OptionRule<Wishes> rules[] = {
      [](const Wishes &w) -> std::string { return w.file == "b" ? "no b" : ""; },
      [](const Wishes &w) -> std::string { return w.fast ? "not fast" : ""; }};
  auto broken = [&](const Wishes &wishes) {
    return brokenRule(std::span<const OptionRule<Wishes>>(rules), wishes);
  };
  EXPECT_EQ(broken({"a", false}), "");
  EXPECT_EQ(broken({"b", true}), "no b");
  EXPECT_EQ(broken({"a", true}), "not fast");
}
