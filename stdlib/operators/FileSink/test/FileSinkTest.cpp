#include "test/unit/adapters/Files.h"
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

using namespace sluice;
using namespace sluice::test;

namespace {
const TypeDesc texts = listOf(&rstring);
TupleType pair({{"n", &int32}, {"s", &rstring}, {"l", &texts}});
TupleType line({{"text", &rstring}});
struct FileSink : Files {
  FileSink() {
    set("file", "out");
    inputRows = {R"({n=1,s="a,b",l=["x"]})", "W", R"({n=2,s="q\"\t",l=[]})"};
  }
};
} // namespace

TEST_F(FileSink, Csv) {
  EXPECT_EQ(sink(pair), 0) << err;
  EXPECT_EQ(read("out"), "1,\"a,b\",[\"x\"]\n2,\"q\\\"\\t\",[]\n");
}

TEST_F(FileSink, RawStringsAndSeparators) {
  set("quoteStrings", "false", &boolean);
  set("separator", ";");
  EXPECT_EQ(sink(pair), 0) << err;
  EXPECT_EQ(read("out"), "1;a,b;[\"x\"]\n2;q\"\t;[]\n");
}

TEST_F(FileSink, PunctuationsAndSuppress) {
  on("writePunctuations");
  set("suppress", "n");
  set("suppress", "l");
  EXPECT_EQ(sink(pair), 0) << err;
  EXPECT_EQ(read("out"), "\"a,b\"\nPunctuation received: WindowMarker\n\"q\\\"\\t\"\n"
                         "Punctuation received: FinalMarker\n");
}

TEST_F(FileSink, Txt) {
  set("format", "txt");
  set("suppress", "l");
  EXPECT_EQ(sink(pair), 0) << err;
  EXPECT_EQ(read("out"), "{n=1,s=\"a,b\"}\n{n=2,s=\"q\\\"\\t\"}\n");
}

TEST_F(FileSink, Lines) {
  set("format", "line");
  set("eolMarker", "|");
  inputRows = {R"({text="a"})", "W", R"({text=""})", R"({text="b\nc"})"};
  EXPECT_EQ(sink(line), 0) << err;
  EXPECT_EQ(read("out"), "a||b\nc|");
}

TEST_F(FileSink, TruncatesOrAppends) {
  write("out", "old\n");
  inputRows.clear();
  on("append");
  EXPECT_EQ(sink(pair), 0) << err;
  EXPECT_EQ(read("out"), "old\n");
  paramTexts.pop_back();
  EXPECT_EQ(sink(pair), 0) << err;
  EXPECT_EQ(read("out"), "");
}

TEST_F(FileSink, Gzip) {
  set("compression", "gzip");
  set("flush", "1", &uint32);
  EXPECT_EQ(sink(pair), 0) << err;
  gzFile file = gzopen((dir / "out").c_str(), "rb");
  char text[200] = {};
  gzread(file, text, sizeof text);
  gzclose(file);
  EXPECT_STREQ(text, "1,\"a,b\",[\"x\"]\n2,\"q\\\"\\t\",[]\n");
  EXPECT_EQ(read("out").substr(0, 2), "\x1f\x8b");
}

TEST_F(FileSink, StandardOutput) {
  paramTexts[0].text = "/dev/stdout";
  testing::internal::CaptureStdout();
  int code = sink(pair);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "1,\"a,b\",[\"x\"]\n2,\"q\\\"\\t\",[]\n");
  EXPECT_EQ(code, 0) << err;
}

TEST_F(FileSink, CannotOpen) {
  paramTexts[0].text = "nowhere/out";
  EXPECT_EQ(sink(pair), 1);
  EXPECT_EQ(err, "Main: Main.spl:3:5: error: operator Op: cannot open " +
                     (dir / "nowhere/out").string() +
                     ": No such file or directory (`createDirectories : true` makes its "
                     "directory)\n");
}

TEST_F(FileSink, FullDisk) {
  paramTexts[0].text = "/dev/full";
  EXPECT_EQ(sink(pair), 1);
  EXPECT_EQ(
      err,
      "Main: Main.spl:3:5: error: operator Op: cannot write /dev/full: No space left on device\n");
}

TEST_F(FileSink, FileSizeLimit) {
  set("flush", "1", &uint32);
  capture = false;
  EXPECT_EXIT(
      {
        rlimit limit{};
        limit.rlim_cur = limit.rlim_max = 20;
        setrlimit(RLIMIT_FSIZE, &limit);
        exit(sink(pair));
      },
      testing::ExitedWithCode(1), "");
  EXPECT_EQ(read("out").size(), 20u);
}

TEST_F(FileSink, MakesDirectories) {
  paramTexts.front().text = "a/b/out"; // in place of the first
  EXPECT_EQ(sink(pair), 1);
  EXPECT_NE(err.find("a/b/out"), std::string::npos) << err;
  on("createDirectories");
  EXPECT_EQ(sink(pair), 0) << err;
  std::string written = read("a/b/out");
  EXPECT_EQ(written, "1,\"a,b\",[\"x\"]\n2,\"q\\\"\\t\",[]\n");
  EXPECT_EQ(sink(pair), 0) << err; // they are there
  set("moveFileToDirectory", "done/today");
  EXPECT_EQ(sink(pair), 0) << err;
  EXPECT_EQ(read("done/today/out"), written);
}

TEST_F(FileSink, CannotMakeDirectories) {
  write("a", "a file");
  paramTexts.front().text = "a/b/out"; // in place of the first
  on("createDirectories");
  EXPECT_EQ(sink(pair), 1);
  EXPECT_NE(err.find("Not a directory"), std::string::npos) << err;
}
