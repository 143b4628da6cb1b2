// When FileSink closes its file, what it calls the next one, and what it says.
#include "test/unit/adapters/Files.h"
#include <zlib.h>

using namespace sluice;
using namespace sluice::test;

namespace {
TupleType rows({{"n", &int32}});
TupleType texts({{"n", &int32}, {"file", &rstring}});
TupleType named({{"n", &int32}, {"$file", &rstring}}); // by the Custom before the sink
TupleType name({{"f", &rstring}});

struct FileSinkClosing : Files {
  void feedRows(int count) {
    for (int n = 0; n < count; ++n)
      inputRows.push_back("{n=" + std::to_string(n) + "}");
  }
  void feedNamed(std::initializer_list<const char *> names) {
    renamed = named;
    for (int n = 0; const char *each : names)
      inputRows.push_back("{n=" + std::to_string(n++) + ",file=\"" + each + "\"}");
  }
  void close(const char *mode, const char *limit = nullptr, const char *value = nullptr) {
    set("closeMode", mode);
    if (limit)
      set(limit, value, &uint32);
  }
  /// Runs the operator; the names of closed files without the folder, and Final.
  std::string names(const TypeDesc *type = rows) {
    EXPECT_EQ(run("spl.adapter::FileSink", type, true, true, name), 0) << err;
    std::string result, before = "{f=\"" + dir.string() + "/";
    for (std::string event : events) {
      if (event.starts_with(before))
        event = event.substr(before.size(), event.size() - before.size() - 2);
      result += (result.empty() ? "" : " ") + event;
    }
    return result;
  }
  bool exists(const char *file) { return std::filesystem::exists(dir / file); }
};
} // namespace

TEST_F(FileSinkClosing, Never) {
  set("file", "f");
  feedRows(2);
  EXPECT_EQ(names(), "f Final");
  EXPECT_EQ(read("f"), "0\n1\n");
}

TEST_F(FileSinkClosing, Count) {
  set("file", "f{id}");
  close("count", "tuplesPerFile", "2");
  feedRows(5);
  EXPECT_EQ(names(), "f0 f1 f2 Final");
  EXPECT_EQ(read("f0"), "0\n1\n");
  EXPECT_EQ(read("f1"), "2\n3\n");
  EXPECT_EQ(read("f2"), "4\n");
}

TEST_F(FileSinkClosing, NoEmptyFileBehindAFullOne) {
  set("file", "f{id}");
  close("count", "tuplesPerFile", "2");
  feedRows(2);
  EXPECT_EQ(names(), "f0 Final");
  EXPECT_FALSE(exists("f1"));
}

TEST_F(FileSinkClosing, AnEmptyFileWithoutTuples) {
  set("file", "f{id}");
  close("count", "tuplesPerFile", "2");
  EXPECT_EQ(names(), "f0 Final");
  EXPECT_TRUE(exists("f0"));
}

TEST_F(FileSinkClosing, Punct) {
  set("file", "f{id}");
  close("punct");
  on("writePunctuations");
  inputRows = {"{n=0}", "W", "W", "{n=1}", "{n=2}", "W", "{n=3}"};
  EXPECT_EQ(names(), "f0 f1 f2 Final");
  EXPECT_EQ(read("f0"), "0\nPunctuation received: WindowMarker\n");
  EXPECT_EQ(read("f1"), "1\n2\nPunctuation received: WindowMarker\n");
  EXPECT_EQ(read("f2"), "3\nPunctuation received: FinalMarker\n");
}

TEST_F(FileSinkClosing, SizeOfWhatIsWritten) {
  set("file", "f{id}");
  close("size", "bytesPerFile", "3");
  set("flush", "1", &uint32);
  feedRows(5);
  EXPECT_EQ(names(), "f0 f1 f2 Final");
  EXPECT_EQ(read("f0"), "0\n1\n");
  EXPECT_EQ(read("f2"), "4\n");
}

TEST_F(FileSinkClosing, SizeWithoutWhatIsInTheBuffer) {
  set("file", "f{id}");
  close("size", "bytesPerFile", "3");
  inputRows = {"{n=0}", "{n=1}", "{n=2}", "W", "{n=3}", "{n=4}"};
  EXPECT_EQ(names(), "f0 f1 Final");
  EXPECT_EQ(read("f0"), "0\n1\n2\n3\n"); // the tuple behind the mark sees its bytes
  EXPECT_EQ(read("f1"), "4\n");
}

TEST_F(FileSinkClosing, SizeOfALongFile) {
  set("file", "f{id}");
  close("size", "bytesPerFile", "10000");
  feedRows(5000);
  EXPECT_EQ(names(), "f0 f1 Final");
  EXPECT_NEAR(double(read("f0").size()), 12294, 10);
}

TEST_F(FileSinkClosing, Time) {
  set("file", "f{id}");
  set("closeMode", "time");
  set("timePerFile", "0", &float64);
  feedRows(2);
  EXPECT_EQ(names(), "f0 f1 f2 Final");
  EXPECT_EQ(read("f0"), "");
  EXPECT_EQ(read("f1"), "0\n");
  EXPECT_EQ(read("f2"), "1\n");
}

TEST_F(FileSinkClosing, Dynamic) {
  close("dynamic");
  feedNamed({"a", "a", "b", "a"});
  EXPECT_EQ(names(texts), "a b a Final");
  EXPECT_EQ(read("a"), "3\n");
  EXPECT_EQ(read("b"), "2\n");
}

TEST_F(FileSinkClosing, DynamicAppends) {
  close("dynamic");
  on("append");
  feedNamed({"a", "b", "a"});
  EXPECT_EQ(names(texts), "a b a Final");
  EXPECT_EQ(read("a"), "0\n2\n");
}

TEST_F(FileSinkClosing, DynamicNumbers) {
  close("dynamic");
  feedNamed({"a{id}", "a{id}", "b", "b"});
  EXPECT_EQ(names(texts), "a0 a1 b Final");
}

TEST_F(FileSinkClosing, DynamicWithoutTuplesHasNoFile) {
  set("file", "f");
  close("dynamic");
  EXPECT_EQ(names(), "Final");
  EXPECT_FALSE(exists("f"));
}

TEST_F(FileSinkClosing, FirstTupleNamesTheFile) {
  feedNamed({"a", "b"});
  EXPECT_EQ(names(texts), "a Final");
  EXPECT_EQ(read("a"), "0\n1\n");
}

TEST_F(FileSinkClosing, FirstTupleNamesEachFile) {
  close("count", "tuplesPerFile", "2");
  feedNamed({"a", "b", "c", "d"});
  EXPECT_EQ(names(texts), "a c Final");
}

TEST_F(FileSinkClosing, Moves) {
  std::filesystem::create_directory(dir / "done");
  set("file", "f{id}");
  set("moveFileToDirectory", "done");
  close("count", "tuplesPerFile", "1");
  feedRows(2);
  EXPECT_EQ(names(), "done/f0 done/f1 Final");
  EXPECT_EQ(read("done/f1"), "1\n");
  EXPECT_FALSE(exists("f0"));
}

TEST_F(FileSinkClosing, MovesIntoADirectoryThatIsThere) {
  set("file", "f");
  set("moveFileToDirectory", "done");
  EXPECT_EQ(sink(rows), 1);
  EXPECT_NE(err.find("files cannot be moved to"), err.npos) << err;
}

TEST_F(FileSinkClosing, CompressesEachFile) {
  set("file", "f{id}");
  set("compression", "gzip");
  close("count", "tuplesPerFile", "1");
  feedRows(2);
  EXPECT_EQ(names(), "f0 f1 Final");
  gzFile file = gzopen((dir / "f1").c_str(), "rb");
  char text[20] = {};
  gzread(file, text, sizeof text);
  gzclose(file);
  EXPECT_STREQ(text, "1\n");
}

TEST_F(FileSinkClosing, IgnoresFailures) {
  set("file", "/dev/full");
  set("writeFailureAction", "ignore");
  set("flush", "1", &uint32);
  feedRows(3);
  EXPECT_EQ(sink(rows), 0);
  EXPECT_EQ(err, "");
}

TEST_F(FileSinkClosing, LogsFailuresOfAFileOnce) {
  set("file", "/dev/full");
  set("writeFailureAction", "log");
  set("flush", "1", &uint32);
  feedRows(3);
  EXPECT_EQ(sink(rows), 0);
  EXPECT_EQ(err, "Main: Main.spl:3:5: warning: operator Op: cannot write /dev/full: No space left "
                 "on device\n");
}
