#include "stdlib/native/csv/LineReader.h"
#include "test/unit/adapters/Files.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

using namespace sluice;
using namespace sluice::test;

namespace {
TupleType pair({{"n", &int32}, {"s", &rstring}});
TupleType line({{"text", &rstring}});
TupleType computed({{"file", &rstring}, {"n", &int32}, {"no", &int64}});
using FileSource = Files;

std::string gzipped(std::string_view text) {
  z_stream z = {};
  deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&z, text.size()) + 64, '\0');
  z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data()));
  z.avail_in = uInt(text.size());
  z.next_out = reinterpret_cast<Bytef *>(out.data());
  z.avail_out = uInt(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}
} // namespace

TEST_F(FileSource, RowsThenWindowThenFinal) {
  write("in.csv", "# comment\n1,a\n\n  2, \"b\" \n3,last");
  set("file", "in.csv");
  EXPECT_EQ(source(pair), 0) << err;
  EXPECT_EQ(events,
            strings({R"({n=1,s="a"})", R"({n=2,s="b"})", R"({n=3,s="last"})", "Window", "Final"}));
}

TEST_F(FileSource, EmptyFileGivesItsMark) {
  set("file", write("in.csv", ""));
  EXPECT_EQ(source(pair), 0);
  EXPECT_EQ(events, strings({"Window", "Final"}));
}

TEST_F(FileSource, StrictParsingEndsTheProgram) {
  write("in.csv", "1,a\n2,b\nthree,c\n4,d\n");
  set("file", "in.csv");
  EXPECT_EQ(source(pair), 1);
  EXPECT_EQ(events, strings({R"({n=1,s="a"})", R"({n=2,s="b"})"}));
  EXPECT_EQ(err, "Main: Main.spl:3:5: error: operator Op: " + (dir / "in.csv").string() +
                     ":3:1: 'three' is no int32 (attribute n)\n");
}

TEST_F(FileSource, PermissiveParsingLeavesOut) {
  write("in.csv", "1,a\nx,b\n2\n3,c,d\n4,d\n");
  set("file", "in.csv");
  set("parsing", "permissive");
  EXPECT_EQ(source(pair), 0);
  EXPECT_EQ(events, strings({R"({n=1,s="a"})", R"({n=4,s="d"})", "Window", "Final"}));
  EXPECT_NE(err.find("3 bad rows left out; the first: "), std::string::npos) << err;
  EXPECT_NE(err.find("in.csv:2:1: 'x' is no int32"), std::string::npos) << err;
}

TEST_F(FileSource, HeaderSeparatorAndSurplus) {
  write("in.txt", "name|n\nsecond\n1|a|more\n");
  set("file", "in.txt");
  set("separator", "|");
  set("hasHeaderLine", "2", &uint32);
  on("ignoreExtraCSVValues");
  EXPECT_EQ(source(pair), 0) << err;
  EXPECT_EQ(events, strings({R"({n=1,s="a"})", "Window", "Final"}));
}

TEST_F(FileSource, DefaultTuple) {
  write("in.csv", ",\n7,\n");
  set("file", "in.csv");
  set("defaultTuple", R"({n=-1,s="dflt"})", pair);
  EXPECT_EQ(source(pair), 0) << err;
  EXPECT_EQ(events, strings({R"({n=-1,s="dflt"})", R"({n=7,s="dflt"})", "Window", "Final"}));
}

TEST_F(FileSource, OutputFunctions) {
  write("in.csv", "10\n\n20\n");
  set("file", "in.csv");
  set("$out.file", "FileName");
  set("$out.no", "TupleNumber");
  EXPECT_EQ(source(computed), 0) << err;
  std::string name = "{file=\"" + (dir / "in.csv").string();
  EXPECT_EQ(events, (std::vector<std::string>{name + "\",n=10,no=1}", name + "\",n=20,no=2}",
                                              "Window", "Final"}));
}

TEST_F(FileSource, Lines) {
  write("in.txt", "one\n\n  three  \n#four\r\nlast");
  set("file", "in.txt");
  set("format", "line");
  EXPECT_EQ(source(line), 0) << err;
  EXPECT_EQ(events, strings({R"({text="one"})", R"({text=""})", R"({text="  three  "})",
                             R"({text="#four\r"})", R"({text="last"})", "Window", "Final"}));
}

TEST_F(FileSource, LineMarkers) {
  write("in.txt", "one\r\n\r\nmiddle\rof\nline\r\nrest");
  set("file", "in.txt");
  set("format", "line");
  set("eolMarker", "\r\n");
  EXPECT_EQ(source(line), 0) << err;
  EXPECT_EQ(events, strings({R"({text="one"})", R"({text=""})", R"({text="middle\rof\nline"})",
                             R"({text="rest"})", "Window", "Final"}));
}

TEST_F(FileSource, TupleLiterals) {
  write("in.txt", "{n=1,s=\"x\"}\n# no\n{s=\"x\",n=2}\n { n = 3 , s = 'y' } behind\n{n=4}\n");
  set("file", "in.txt");
  set("format", "txt");
  set("parsing", "permissive");
  EXPECT_EQ(source(pair), 0) << err;
  EXPECT_EQ(events, strings({R"({n=1,s="x"})", R"({n=3,s="y"})", "Window", "Final"}));
}

TEST_F(FileSource, MissingFiles) {
  set("file", "absent.csv");
  EXPECT_EQ(source(pair), 1);
  EXPECT_EQ(events, strings({}));
  EXPECT_EQ(err, "Main: Main.spl:3:5: error: operator Op: cannot open " +
                     (dir / "absent.csv").string() + ": No such file or directory\n");
  on("ignoreOpenErrors");
  EXPECT_EQ(source(pair), 0);
  EXPECT_EQ(events, strings({"Final"}));
}

TEST_F(FileSource, ADirectoryCannotBeRead) {
  set("file", dir);
  EXPECT_EQ(source(pair), 1);
  EXPECT_NE(err.find("cannot read"), std::string::npos) << err;
}

TEST_F(FileSource, NamesFromAStream) {
  write("a.txt", "1\n2\n");
  write("b.txt", "3\n");
  set("format", "line");
  inputRows = {R"({text="a.txt"})", "W", R"({text="b.txt"})", R"({text="a.txt"})"};
  EXPECT_EQ(run("spl.adapter::FileSource", line, true, true), 0) << err;
  EXPECT_EQ(events, strings({R"({text="1"})", R"({text="2"})", "Window", R"({text="3"})", "Window",
                             R"({text="1"})", R"({text="2"})", "Window", "Final"}));
}

TEST_F(FileSource, AHeaderOfSeveralLinesInEachFile) {
  write("a.csv", "\"the\nname\"\na1\n");
  write("b.csv", "name\nb1\nb2\n");
  set("quoting", "rfc4180");
  on("hasHeaderLine");
  inputRows = {R"({text="a.csv"})", R"({text="b.csv"})"};
  EXPECT_EQ(run("spl.adapter::FileSource", line, true, true), 0) << err;
  EXPECT_EQ(events, strings({R"({text="a1"})", "Window", R"({text="b1"})", R"({text="b2"})",
                             "Window", "Final"}));
}

TEST_F(FileSource, DeletesAndMoves) {
  set("file", write("in.csv", "1,a\n"));
  on("deleteFile");
  EXPECT_EQ(source(pair), 0) << err;
  EXPECT_FALSE(exists(dir / "in.csv"));
  paramTexts.clear();
  create_directory(dir / "done");
  set("file", write("in.csv", "1,a\n"));
  set("moveFileToDirectory", "done");
  EXPECT_EQ(source(pair), 0) << err;
  EXPECT_FALSE(exists(dir / "in.csv"));
  EXPECT_TRUE(exists(dir / "done" / "in.csv"));
}

TEST_F(FileSource, Compressed) {
  std::string rows;
  for (int i = 0; i < 50000; ++i)
    rows += std::to_string(i) + ",\"row " + std::to_string(i) + "\"\n";
  write("in.gz", gzipped(rows) + gzipped("-1,end\n")); // two members
  set("file", "in.gz");
  set("compression", "gzip");
  EXPECT_EQ(source(pair), 0) << err;
  ASSERT_EQ(events.size(), 50003u);
  EXPECT_EQ(events[49999], R"({n=49999,s="row 49999"})");
  EXPECT_EQ(events[50000], R"({n=-1,s="end"})");
}

TEST_F(FileSource, DamagedCompression) {
  std::string good = gzipped("1,a\n2,b\n");
  set("file", "in.gz");
  set("compression", "gzip");
  write("in.gz", good.substr(0, good.size() - 9));
  EXPECT_EQ(source(pair), 1);
  EXPECT_NE(err.find("end too early"), std::string::npos) << err;
  write("in.gz", "1,a\n");
  EXPECT_EQ(source(pair), 1);
  EXPECT_NE(err.find("damaged"), std::string::npos) << err;
}

TEST_F(FileSource, APipeIsReadAsItFills) {
  std::string fifo = dir / "pipe";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  int fd = ::open(fifo.c_str(), O_RDWR); // never at its end
  ASSERT_GE(fd, 0);
  ASSERT_EQ(::write(fd, "1,a\n2,", 6), 6);
  set("file", "pipe");
  capture = false;
  EXPECT_EXIT(
      {
        // Row 1 has come out, and most likely the source waits for the rest of row 2, when the
        // signal comes.
        int told[2];
        ASSERT_EQ(pipe(told), 0);
        if (fork() == 0) {
          ::close(told[1]);
          char byte;
          if (::read(told[0], &byte, 1) == 1) {
            usleep(300000);
            kill(getppid(), SIGTERM);
          }
          _exit(0);
        }
        afterTuple = [&] { ASSERT_EQ(::write(told[1], "", 1), 1); };
        int code = source(pair);
        for (auto &e : events)
          fprintf(stderr, "%s ", e.c_str());
        exit(code);
      },
      testing::ExitedWithCode(0), "\\{n=1,s=\"a\"\\} Final");
  close(fd);
}

TEST(LineReader, AnyLineEnd) {
  LineReader reader(nullptr);
  reader.openText("a\nb\r\nc\rd\r\r\n\n\re", "");
  std::string_view line;
  for (const char *wanted : {"a", "b", "c", "d", "", "", "", "e"}) {
    ASSERT_EQ(reader.next(line), LineReader::Status::Line);
    EXPECT_EQ(line, wanted);
  }
  EXPECT_EQ(reader.next(line), LineReader::Status::End);
}

TEST(LineReader, LinesThatGoOn) {
  LineReader reader(nullptr);
  reader.openText("a\r\nb\rc\nd", "");
  std::string_view line;
  ASSERT_EQ(reader.next(line), LineReader::Status::Line);
  EXPECT_TRUE(reader.extend(line));
  EXPECT_EQ(line, "a\r\nb");
  EXPECT_TRUE(reader.extend(line));
  EXPECT_EQ(line, "a\r\nb\rc");
  reader.shorten(line, 1);
  ASSERT_EQ(reader.next(line), LineReader::Status::Line);
  EXPECT_EQ(line, "b");
  line.remove_prefix(1); // what was read already need not be kept
  EXPECT_TRUE(reader.extend(line));
  EXPECT_TRUE(reader.extend(line));
  EXPECT_EQ(line, "\rc\nd");
  EXPECT_FALSE(reader.extend(line));
  EXPECT_EQ(line, "\rc\nd");
  EXPECT_EQ(reader.next(line), LineReader::Status::End);
}

/// One line of all lines of a file of many blocks, then all but the first again.
TEST(LineReader, LinesThatGoOnAcrossBlocks) {
  char name[] = "/tmp/sluice-unit-XXXXXX";
  int fd = mkstemp(name);
  std::string content;
  for (int i = 0; i < 150000; ++i)
    content += std::to_string(i) + (i % 3 ? "\r\n" : "\r");
  ASSERT_EQ(write(fd, content.data(), content.size()), ssize_t(content.size()));
  close(fd);
  LineReader reader(nullptr);
  ASSERT_EQ(reader.open(name, {}, ""), 0);
  std::string_view line;
  ASSERT_EQ(reader.next(line), LineReader::Status::Line);
  int lines = 1;
  for (; reader.extend(line); ++lines)
    ASSERT_EQ(line.substr(0, 9), std::string_view(content).substr(0, line.substr(0, 9).size()));
  EXPECT_EQ(lines, 150000);
  EXPECT_TRUE(content.starts_with(line));
  reader.shorten(line, 1);
  for (int i = 1; i < 150000; ++i) {
    ASSERT_EQ(reader.next(line), LineReader::Status::Line);
    ASSERT_EQ(line, std::to_string(i));
  }
  EXPECT_EQ(reader.next(line), LineReader::Status::End);
  unlink(name);
}

TEST(LineReader, LinesAcrossBlocks) {
  char name[] = "/tmp/sluice-unit-XXXXXX";
  int fd = mkstemp(name);
  std::string content, longLine(700000, 'x');
  for (int i = 0; i < 100000; ++i)
    content += std::to_string(i) + "\r\n";
  content += longLine + "\r\n\r\n";
  ASSERT_EQ(write(fd, content.data(), content.size()), ssize_t(content.size()));
  close(fd);
  LineReader reader(nullptr);
  ASSERT_EQ(reader.open(name, {}, "\r\n"), 0);
  std::string_view line;
  for (int i = 0; i < 100000; ++i) {
    ASSERT_EQ(reader.next(line), LineReader::Status::Line);
    ASSERT_EQ(line, std::to_string(i));
  }
  ASSERT_EQ(reader.next(line), LineReader::Status::Line);
  EXPECT_TRUE(line == longLine);
  ASSERT_EQ(reader.next(line), LineReader::Status::Line);
  EXPECT_EQ(line, "");
  EXPECT_EQ(reader.next(line), LineReader::Status::End);
  unlink(name);
}
