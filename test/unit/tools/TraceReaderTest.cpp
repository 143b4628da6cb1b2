//===- TraceReaderTest.cpp - reading traces -------------------------------===//
#include "tools/driver/trace/TraceReader.h"
#include "gtest/gtest.h"
#include <limits>

using namespace sluice;
using namespace sluice::driver;

namespace {
trace::Header header() {
  trace::Header h;
  h.program = "app";
  h.composite = "demo::Main";
  h.source = "/demo/\xc3\xa4 \"app\".spl";
  h.host = "2 x Test\n";
  h.started = 1700000000;
  h.graph = {{{"Src", 0, true, false, false, 1, {1, 2}},
              {"Work", 1, false, true, false, 4, {2}},
              {"Sink:1", 2, false, false, true, 1, {}}},
             3};
  h.operators = {{{"Src", "spl.utility::Beacon", "app.spl:3:5"}},
                 {},
                 {{"Sink", "spl.adapter::FileSink", "app.spl:9:1"}, {"Log", "", ""}}};
  h.machine = {2, 4, 50, 0.5, 0.1 + 0.2, 17000};
  h.policy = "paper";
  h.constants = {{"sens", 0.05}, {"period", 5}, {"alpha", 1e-300}};
  h.options = {"--elastic=paper", ""};
  h.start = {{0, 0, 1}, {1, 2, 1}, 1};
  return h;
}

elastic::Sample sample() {
  elastic::Sample s;
  s.time = 1.25;
  s.length = 1.0 / 3;
  s.nodes = {{1e6, 1000, 0, 0, 0.1, 0, 0}, {1e15 + 0.5, 1e22, 0, 1, 2.0 / 3, 0, 5e-324}, {}};
  s.busy = 0.9;
  s.idle = 1.7976931348623157e308;
  s.parked = std::numeric_limits<double>::infinity();
  s.cpu = -std::numeric_limits<double>::infinity();
  s.others = 123456789012345680.0;
  s.latency = -1;
  return s;
}

std::string text(const std::vector<trace::Line> &lines) {
  std::string result = trace::format(header());
  for (const trace::Line &line : lines)
    result += trace::format(line);
  return result;
}

/// The error of reading all lines, or "".
std::string problem(const std::string &text) {
  auto reader = TraceReader::read("t", text);
  if (!reader)
    return llvm::toString(reader.takeError());
  return llvm::toString(
      forEachLine(**reader, [](TraceRecord &) { return llvm::Error::success(); }));
}

/// Of a line behind a header.
std::string lineProblem(const std::string &line) { return problem(text({}) + line + "\n"); }
} // namespace

TEST(TraceReader, ReadsWhatIsWritten) {
  elastic::Decision d;
  d.kind = elastic::Kind::Undo;
  d.reason = "because \\ of";
  d.numbers = {{"zulu", 0.1}, {"alpha", 3}, {"zulus", -4e-7}};
  d.queues = {{0, true}, {1, false}, {2, true}};
  d.widths = {{1, 3}};
  d.threads = 0;
  d.warmUp = 0.1;
  elastic::Decision nothing;
  std::vector<trace::Line> lines = {
      trace::Decision{0, nothing},
      trace::SampleLine{sample()},
      trace::Decision{1.25, d},
      trace::Switch{1.5, {{1, true}}, {{1, 2}}},
      trace::Switch{1.5, {}, {{2, 2}}},
      trace::Threads{1.5, 1, 4},
      trace::LoadChange{2, "why"},
      trace::Settled{3, "start", 3, 1e5, 4, 2},
      trace::Pause{4},
      trace::SampleLine{sample(), false},
      trace::Resume{5, {}},
      trace::Resume{6, elastic::Configuration{{0, 1, 0}, {1, 1, 7}, 3}},
      trace::Lost{7, 12, "full"},
      trace::Final{8, -1, 1e9, 2.5, 3, 4, 12, 0.5}};
  auto reader = TraceReader::read("t", text(lines));
  ASSERT_TRUE(bool(reader)) << llvm::toString(reader.takeError());
  EXPECT_EQ((*reader)->header(), header());
  for (const trace::Line &line : lines) {
    auto record = (*reader)->next();
    ASSERT_TRUE(bool(record)) << llvm::toString(record.takeError());
    ASSERT_TRUE(*record);
    EXPECT_TRUE((*record)->line == line) << (*record)->text;
    EXPECT_EQ(trace::format((*record)->line), (*record)->text + "\n");
  }
  auto end = (*reader)->next();
  ASSERT_TRUE(bool(end));
  EXPECT_FALSE(*end);
  EXPECT_EQ((*reader)->missing(),
            std::vector<std::string>{"12 lines were lost before line 14: full"});
}

TEST(TraceReader, CutTracesAreReadUpToTheLastWholeLine) {
  std::string whole =
      text({trace::Decision{}, trace::SampleLine{sample()}, trace::Pause{2}, trace::Final{3}});
  size_t headerEnd = whole.find('\n') + 1, read = 0;
  for (size_t length = 0; length <= whole.size(); ++length) {
    std::string cut = whole.substr(0, length);
    auto reader = TraceReader::read("t", cut);
    if (length < headerEnd) {
      ASSERT_FALSE(bool(reader));
      EXPECT_EQ(llvm::toString(reader.takeError()),
                length ? "t: this is no trace: it has not one whole line"
                       : "t: this is no trace: it is empty");
      continue;
    }
    ASSERT_TRUE(bool(reader)) << llvm::toString(reader.takeError());
    unsigned lines = 0;
    ASSERT_FALSE(bool(forEachLine(**reader, [&](TraceRecord &) {
      ++lines;
      return llvm::Error::success();
    }))) << cut;
    EXPECT_EQ(lines, std::count(cut.begin(), cut.end(), '\n') - 1);
    EXPECT_EQ((*reader)->missing().empty(), length == whole.size());
    EXPECT_EQ((*reader)->missing().size(), length == whole.size() ? 0u
                                           : cut.back() == '\n'   ? 1u
                                                                  : 2u);
    ++read;
  }
  EXPECT_GT(read, 4u);
}

TEST(TraceReader, SaysWhatIsMissing) {
  auto reader = TraceReader::read("t", text({trace::Pause{2.5}}) + "{\"line\"");
  ASSERT_TRUE(bool(reader)) << llvm::toString(reader.takeError());
  EXPECT_FALSE(bool(forEachLine(**reader, [](TraceRecord &) { return llvm::Error::success(); })));
  EXPECT_EQ((*reader)->missing(),
            (std::vector<std::string>{"line 3 is cut off after 7 bytes",
                                      "the end is missing: the last line is of 2.500 s, and the "
                                      "program went on or was killed"}));
}

TEST(TraceReader, IgnoresUnknownMembers) {
  std::string line = "{\"who\":[{}],\"line\":\"pause\",\"time\":1,\"more\":null}";
  trace::Header h = header();
  auto parsed = parseTraceLine(line, &h);
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_TRUE(*parsed == trace::Line(trace::Pause{1}));
}

TEST(TraceReader, ReadsFiguresAndFlowAsTheyWereWritten) {
  trace::Header h = header();
  h.pe = 1;
  h.process = 4711;
  h.flow.operators = {{{"A", "spl.utility::Beacon", "a.spl:1:1"}, "", "", 0, true, false, true},
                      {{"B[1]", "", ""}, "ticker", "B", 0, true, true, false}};
  h.flow.streams = {{0, 1, 7, "switchable"}};
  std::string first = trace::format(h);
  auto header = parseTraceLine(llvm::StringRef(first).drop_back(), nullptr);
  ASSERT_TRUE(bool(header)) << llvm::toString(header.takeError());
  EXPECT_TRUE(*header == trace::Line(h));
  trace::Figures f;
  f.time = 1.5;
  f.operators = {{10, 20, 0.5, 0.25, true}, {-1, -1, 0, 0, false}};
  f.boundaries = {{7, true, 2, 3, 64, 0.125}};
  f.threads = {{"worker 0", "space", 1, 1.25}, {"source A", "runs", -1, -1}};
  f.leftOut = {{1, "late", 3}};
  f.metrics = {{0, "a \"b\"", -5}};
  f.links = {{0, 2, true, 100, 4096, 0.5}};
  f.latencyHalf = 0.001;
  f.latencyMost = 0.002;
  f.cpu = 1.75;
  f.others = 0.5;
  f.memory = 1e9;
  f.cpus = 4;
  f.workers = 1;
  f.mostWorkers = 2;
  f.busy = 0.75;
  f.limit = {"operator", 1, "B limits it"};
  std::string line = trace::format(f);
  auto figures = parseTraceLine(llvm::StringRef(line).drop_back(), &h);
  ASSERT_TRUE(bool(figures)) << llvm::toString(figures.takeError());
  EXPECT_TRUE(*figures == trace::Line(f)) << line;
}

TEST(TraceReader, RefusesWhatIsNewer) {
  std::string newer = text({});
  newer.replace(newer.find("\"version\":3"), 11, "\"version\":4");
  EXPECT_EQ(problem(newer), "t:1: the trace has version 4, and this sluice reads up to version 3: "
                            "use the one that wrote it, or a newer one");
}

TEST(TraceReader, RefusesWhatIsNoTrace) {
  EXPECT_EQ(problem("composite Main {}\n"), "t:1: this is no trace: the first line is no JSON");
  EXPECT_EQ(problem("{\"line\":\"pause\",\"time\":1}\n"),
            "t:1: this is no trace: the first line is no `header`");
  EXPECT_EQ(problem("[]\n"), "t:1: this is no trace: the first line is no `header`");
  EXPECT_EQ(problem(std::string(1000000, '[') + "\n"),
            "t:1: the line is damaged: brackets in brackets");
}

TEST(TraceReader, RefusesDamagedLines) {
  constexpr auto damaged = "t:2: the line is damaged: ";
  auto expect = [&](const std::string &line, const std::string &what) {
    EXPECT_EQ(lineProblem(line), damaged + what) << line;
  };
  expect("{\"line\":\"pause\"}", "`time` is missing");
  expect("{\"line\":\"pause\",\"time\":\"1\"}", "`time` is no number");
  expect("{\"line\":\"pause\",\"time\":-1}", "`time` is no time");
  expect("{\"line\":\"pause\",\"time\":\"nan\"}", "`time` is no time");
  expect("{\"line\":\"paused\",\"time\":1}", "there is no kind of line `paused`");
  expect("{\"time\":1}", "no member `line` says what it is");
  expect("{\"line\":7}", "no member `line` says what it is");
  expect("{\"line\":\"threads\",\"time\":1,\"from\":1,\"to\":-1}",
         "`to` is no number of the right kind");
  expect("{\"line\":\"threads\",\"time\":1,\"from\":1,\"to\":1.5}",
         "`to` is no number of the right kind");
  expect("{\"line\":\"threads\",\"time\":1,\"from\":1,\"to\":4294967296}",
         "`to` is no number of the right kind");
  expect("{\"line\":\"switch\",\"time\":1,\"queue\":[3],\"unqueue\":[]}",
         "`queue` are not numbers of nodes in ascending order");
  expect("{\"line\":\"switch\",\"time\":1,\"queue\":[2,1],\"unqueue\":[]}",
         "`queue` are not numbers of nodes in ascending order");
  expect("{\"line\":\"switch\",\"time\":1,\"queue\":[1],\"unqueue\":[1]}",
         "`queue` and `unqueue` name the same node");
  expect("{\"line\":\"switch\",\"time\":1,\"widths\":[[1]]}",
         "`widths` are not pairs of a node and a width");
  expect("{\"line\":\"switch\",\"time\":1,\"widths\":[[1,0]]}",
         "`widths` is no number of the right kind");
  expect("{\"line\":\"switch\",\"time\":1,\"widths\":[[9,2]]}",
         "`widths` are not of nodes in ascending order");
  expect("{\"line\":\"decision\",\"time\":1,\"kind\":\"guess\",\"reason\":\"\",\"numbers\":{},"
         "\"warmUp\":0,\"window\":1}",
         "`kind` is none of the kinds of decisions");
  std::string s = trace::format(trace::SampleLine{sample()});
  s.pop_back();
  expect(std::string(s).replace(s.find("\"rows\":["), 8, "\"rows\":[1,"),
         "`rows` has 4 elements, and the graph 3 nodes");
  expect(std::string(s).replace(s.find("\"nodes\":{"), 9, "\"nodes\":{\"bytes\":[],"),
         "`bytes` has 0 elements, and the graph 3 nodes");
  std::string second = trace::format(header());
  second.pop_back();
  expect(second, "a second header");
  EXPECT_EQ(lineProblem("").find(damaged), 0u) << "an empty line";
  EXPECT_EQ(lineProblem("{\"line\":\"pause\",\"time\":1} x").find(damaged), 0u);
  EXPECT_EQ(lineProblem("{\"line\":\"pa\xff\",\"time\":1}").find(damaged), 0u);
  EXPECT_EQ(problem(text({trace::Final{}, trace::Pause{}})),
            "t:3: the line is damaged: nothing may stand behind `final`");
}

TEST(TraceReader, RefusesGraphsThatDoNotHold) {
  auto changed = [](const std::string &from, const std::string &to) {
    std::string t = text({});
    return problem(t.replace(t.find(from), from.size(), to));
  };
  EXPECT_EQ(changed("\"to\":[1,2]", "\"to\":[1,3]"),
            "t:1: the line is damaged: `to` is no number of a node");
  EXPECT_EQ(changed("\"domain\":2", "\"domain\":3"),
            "t:1: the line is damaged: `domain` is beyond the number of domains");
  EXPECT_EQ(changed("\"queued\":[2]", "\"queued\":[3]"),
            "t:1: the line is damaged: `queued` are not numbers of nodes in ascending order");
  EXPECT_EQ(changed("\"machine\":{", "\"machines\":{"),
            "t:1: the line is damaged: `machine` is missing");
}
