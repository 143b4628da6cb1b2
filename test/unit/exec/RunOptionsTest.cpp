// The command line of a run.
#include "runtime/exec/options/RunOptions.h"
#include "Graph.h"

using namespace sluice;
using namespace sluice::test;

namespace {
struct Command : testing::Test {
  Graph g;
  int code = -1;
  std::string out, err;
  Command() {
    g.submissions = {{"Main.n", nullptr, 0},
                     {"Main.tokens", "[\"a\",\"b\"]", 1},
                     {"ns::Part.who", "nobody", 0},
                     {"Other.who", "else", 0}};
  }
  std::optional<RunOptions> parse(std::vector<const char *> args) {
    args.insert(args.begin(), "app");
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    auto options =
        parseOptions(*g.build(), int(args.size()), const_cast<char **>(args.data()), code);
    out = testing::internal::GetCapturedStdout();
    err = testing::internal::GetCapturedStderr();
    return options;
  }
  void refuse(std::vector<const char *> args, int expected, const char *text) {
    EXPECT_FALSE(parse(args));
    EXPECT_EQ(code, expected) << err;
    EXPECT_NE(err.find(text), std::string::npos) << err;
  }
};
} // namespace

TEST_F(Command, ValuesAndDefaults) {
  auto o = parse(
      {"n=a=b c", "--data-dir", "/tmp", "Part.who=me", "--batch-rows=3", "--trace-level", "info"});
  ASSERT_TRUE(o) << err;
  EXPECT_EQ(o->values, (std::vector<std::string>{"a=b c", "[\"a\",\"b\"]", "me", "else"}));
  EXPECT_EQ(o->dataDir, "/tmp");
  EXPECT_EQ(o->batchRows, 3u);
  EXPECT_EQ(o->traceLevel, 3);
  EXPECT_FALSE(o->deterministic);
}

TEST_F(Command, Sizes) {
  const std::pair<const char *, uint64_t> sizes[] = {{"--memory-limit=100", 100},
                                                     {"--memory-limit=3K", 3 << 10},
                                                     {"--memory-limit=1.5M", 3 << 19},
                                                     {"--memory-limit=2G", uint64_t(2) << 30}};
  for (auto [option, bytes] : sizes) {
    auto o = parse({"n=1", option});
    ASSERT_TRUE(o) << err;
    EXPECT_EQ(o->memoryLimit, bytes);
  }
  for (const char *option : {"--memory-limit=0", "--memory-limit=M", "--memory-limit=-1K",
                             "--memory-limit=1T", "--memory-limit=1e30"})
    refuse({"n=1", option}, 2, "--memory-limit needs a size like 512M or 2G");
  refuse({"n=1", "--memory-limit=0.1"}, 2, "--memory-limit needs a size");
}

TEST_F(Command, QualifiedNames) {
  EXPECT_TRUE(parse({"Main.n=", "ns::Part.who=x", "--deterministic"}));
  EXPECT_TRUE(parse({"n=", "Part.who=x", "Other.who=y"}));
}

TEST_F(Command, WrongValues) {
  refuse({}, 1, "required submission-time value missing: Main.n");
  refuse({"n=1", "N=2"}, 2, "no submission-time value 'N'");
  refuse({"n=1", "nope=2"}, 2, "Main.tokens=VALUE,...  (default: a,b)");
  refuse({"n=1", "Main.n=2"}, 2, "'Main.n' is given twice");
  refuse({"n=1", "who=2"}, 2, "may be ns::Part.who or Other.who");
  refuse({"n=1", "art.who=2"}, 2, "no submission-time value 'art.who'");
}

TEST_F(Command, WrongUsage) {
  refuse({"n=1", "--nope"}, 2, "unknown option --nope");
  refuse({"n=1", "--n=3"}, 2, "unknown option --n=3; a value of the program has no dashes: n=3");
  refuse({"n=1", "--data-dir"}, 2, "needs a value");
  refuse({"n=1", "--batch-rows", "0"}, 2, "1 to 1024");
  refuse({"n=1", "--batch-rows", "2x"}, 2, "1 to 1024");
  refuse({"n=1", "--trace-level", "loud"}, 2, "--trace-level needs");
  refuse({"n=1", "token"}, 2, "neither an option nor NAME=VALUE");
}

TEST_F(Command, VirtualTimeIsDeterministic) {
  auto o = parse({"n=1", "--clock=virtual"});
  ASSERT_TRUE(o) << err;
  EXPECT_TRUE(o->deterministic);
  EXPECT_EQ(o->elastic, "off");
  o = parse({"n=1", "--clock", "real"});
  ASSERT_TRUE(o) << err;
  EXPECT_FALSE(o->deterministic);
  refuse({"n=1", "--clock=slow"}, 2, "--clock needs real, virtual or jumping");
  refuse({"n=1", "--clock"}, 2, "option --clock needs a value");
  refuse({"n=1", "--clock=virtual", "--queues=all"}, 2, "--clock=virtual runs everything by calls");
  refuse({"n=1", "--clock=virtual", "--width=2"}, 2, "it has no --width");
  refuse({"n=1", "--clock=virtual", "--elastic=paper"}, 2,
         "--clock=virtual and --elastic=paper do not go together");
}

TEST_F(Command, HelpHasEveryOptionAndFitsTheLine) {
  EXPECT_FALSE(parse({"--help"}));
  for (const RunOption &o : runOptionTable()) {
    std::string head = "\n  " + std::string(o.name) + (o.argument ? " " : "  ");
    EXPECT_NE(out.find(head), std::string::npos) << o.name;
  }
  for (size_t at = 0, end; (end = out.find('\n', at)) != std::string::npos; at = end + 1)
    EXPECT_LE(end - at, 100u) << out.substr(at, end - at);
}

TEST_F(Command, EveryOptionIsKnown) {
  for (const RunOption &o : runOptionTable()) {
    if (o.argument) {
      refuse({"n=1", o.name}, 2, ("option " + std::string(o.name) + " needs a value").c_str());
      parse({"n=1", (std::string(o.name) + "=").c_str()});
    } else {
      parse({"n=1", o.name});
    }
    EXPECT_EQ(err.find("unknown option"), std::string::npos) << err;
  }
}

TEST_F(Command, HelpListsRequiredValuesFirst) {
  EXPECT_FALSE(parse({"--help"}));
  EXPECT_EQ(code, 0);
  size_t required = out.find("Main.n=VALUE  (required)"), other = out.find("Main.tokens=");
  EXPECT_LT(required, other);
  EXPECT_NE(other, std::string::npos);
}

TEST_F(Command, ValuesReachTheProgram) {
  g.op("Src", 0, 0, [](Ctx *ctx) {
    Str s;
    sl_submission(ctx, 0, &s);
    note(std::string(s.data(), s.len));
    Seq list;
    sl_submission(ctx, 1, &list);
    for (uint32_t i = 0; i < list.len; ++i) {
      const Str &e = static_cast<Str *>(list.data)[i];
      note("[" + std::string(e.data(), e.len) + "]");
    }
    return 0;
  });
  EXPECT_EQ(g.run({"n=a text that is longer than twelve bytes", "tokens=a,b c,,d"}), 0);
  EXPECT_EQ(events,
            strings({"a text that is longer than twelve bytes", "[a]", "[b c]", "[]", "[d]"}));
}

TEST_F(Command, FloatText) {
  auto o = parse({"n=1"});
  ASSERT_TRUE(o) << err;
  EXPECT_EQ(o->floatText, FloatText::Spl);
  o = parse({"n=1", "--float-text=shortest"});
  ASSERT_TRUE(o) << err;
  EXPECT_EQ(o->floatText, FloatText::Shortest);
  refuse({"n=1", "--float-text=exact"}, 2, "--float-text needs spl or shortest");
  refuse({"n=1", "--float-text"}, 2, "option --float-text needs a value");
}
