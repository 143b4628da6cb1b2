// The command line of a run.
#include "runtime/exec/options/RunOptions.h"
#include "Graph.h"
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

using namespace sluice;
using namespace sluice::test;

namespace {
struct Command : testing::Test {
  Graph g;
  int code = -1;
  std::string out, err;
  Command() {
    g.submissions = {{"Main.n", nullptr, 0, 0},
                     {"Main.tokens", "[\"a\",\"b\"]", 1, 0},
                     {"ns::Part.who", "nobody", 0, 0},
                     {"Other.who", "else", 0, 0}};
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

TEST_F(Command, NamesOfHiddenAttributes) {
  TypeDesc inner = {}, map = {}, list = {}, outer = {};
  const Field ofInner[] = {{"pin", &g.int64, 0, 0}};
  const Field ofOuter[] = {{"word", &g.int64, 0, 0}, {"deep", &list, 8, 0}};
  inner.kind = outer.kind = Kind::Tuple;
  inner.fields = ofInner;
  inner.count = std::size(ofInner);
  outer.fields = ofOuter;
  outer.count = std::size(ofOuter);
  map.kind = Kind::Map; // map<int64, inner>
  map.elem = &g.int64;
  map.value = &inner;
  list.kind = Kind::List;
  list.elem = &map;
  const TypeDesc *const types[] = {&outer};
  g.op("To", 1, 0);
  g.operators[0].inTypes = types;
  EXPECT_TRUE(parse({"--console", "--console-allow=tap", "--console-hides=pin,word,deep", "n=1"}))
      << err;
  for (auto [given, problem] :
       {std::pair("--console-hides=word,words", "attribute 'words' (did you mean 'word'?)\n"),
        std::pair("--console-hides=password", "attribute 'password'\n")})
    refuse({"--console", "--console-allow=tap", given, "n=1"}, 2, problem);
}

TEST_F(Command, ValuesFromElsewhere) {
  std::string path = testing::TempDir() + "sluice-value-" + std::to_string(getpid());
  std::ofstream(path) << "from=a file\r\n";
  setenv("SLUICE_TEST_VALUE", "from the environment", 1);
  auto o = parse({("n=@file:" + path).c_str(), "Part.who=@env:SLUICE_TEST_VALUE"});
  remove(path.c_str());
  ASSERT_TRUE(o) << err;
  EXPECT_EQ(o->values[0], "from=a file");
  EXPECT_EQ(o->shown[0], "@file:" + path);
  EXPECT_EQ(o->values[2], "from the environment");
  EXPECT_EQ(o->shown[2], "@env:SLUICE_TEST_VALUE");
  EXPECT_EQ(o->given[1], "Part.who=@env:SLUICE_TEST_VALUE");
  refuse({"n=@file:/no/such/file"}, 2, "'n': cannot read /no/such/file: No such file");
  refuse({"n=@env:SLUICE_NO_SUCH"}, 2, "'n': the environment has no variable `SLUICE_NO_SUCH`");
}

TEST_F(Command, SecretsAreNotShown) {
  g.submissions[0].isSecret = 1;
  auto o = parse({"--stats", "n=hush", "Part.who=me"});
  ASSERT_TRUE(o) << err;
  EXPECT_EQ(o->values[0], "hush");
  EXPECT_EQ(o->shown[0], "***");
  EXPECT_EQ(o->given, (std::vector<std::string>{"--stats", "n=***", "Part.who=me"}));
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
    const char *behind = o.mayLackValue() ? o.argument : o.argument ? " " : "  ";
    std::string head = "\n  " + std::string(o.name) + behind;
    EXPECT_NE(out.find(head), std::string::npos) << o.name;
  }
  for (size_t at = 0, end; (end = out.find('\n', at)) != std::string::npos; at = end + 1)
    EXPECT_LE(end - at, 100u) << out.substr(at, end - at);
}

TEST_F(Command, EveryOptionIsKnown) {
  for (const RunOption &o : runOptionTable()) {
    if (o.mayLackValue()) {
      EXPECT_TRUE(parse({"n=1", o.name})) << err;
    } else if (o.argument) {
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
