//===- WriterTest.cpp - a trace on its way to a file ----------------------===//
#include "runtime/trace/Writer.h"
#include "runtime/base/os.h"
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

using namespace sluice;
using namespace sluice::trace;
using elastic::Kind;

namespace {
class TraceWriter : public testing::Test {
protected:
  TraceWriter() {
    header.graph = {{{"S", 0, true, false, false, 1, {1}}, {"A", 1, false, true, false, 1, {}}}, 2};
    header.start = elastic::initialConfiguration(header.graph);
    header.policy = "test";
    writer = Writer::create("app", path, error);
  }
  ~TraceWriter() override { unlink(path.c_str()); }

  void sample(double time, double rows) {
    elastic::Sample s;
    s.time = time;
    s.length = 0.5;
    s.nodes = {{rows}, {rows}};
    writer->sample(s);
  }
  void decide(Kind kind, const char *reason = "why") {
    elastic::Decision d;
    d.kind = kind;
    d.reason = reason;
    writer->decision(d);
  }
  std::string text() {
    std::ifstream file(path);
    std::stringstream s;
    s << file.rdbuf();
    return s.str();
  }
  /// The lines of one kind.
  std::string lines(const std::string &kind) {
    std::stringstream all(text());
    std::string line, result;
    while (std::getline(all, line))
      if (line.find("\"line\":\"" + kind + "\"") != std::string::npos)
        result += line + "\n";
    return result;
  }

  std::string path = testing::TempDir() + "trace-" + std::to_string(getpid()) + ".jsonl", error;
  Header header;
  std::unique_ptr<Writer> writer;
};
} // namespace

TEST_F(TraceWriter, WritesEachLineAtOnce) {
  ASSERT_TRUE(writer) << error;
  writer->begin(header);
  EXPECT_EQ(text(), format(header));
  decide(Kind::Try);
  sample(1, 100);
  EXPECT_EQ(lines("decision"), "{\"line\":\"decision\",\"time\":0,\"kind\":\"try\",\"reason\":"
                               "\"why\",\"numbers\":{},\"warmUp\":0,\"window\":5}\n");
  EXPECT_NE(lines("sample"), "");
  decide(Kind::Wait);
  EXPECT_NE(lines("decision").find("\"time\":1,\"kind\":\"wait\""), std::string::npos)
      << "a decision has the time of its sample";
}

TEST_F(TraceWriter, WritesAllConstants) {
  header.policy = "paper";
  header.constants = {{"sens", 0.25}};
  writer->begin(header);
  EXPECT_NE(text().find("\"policy\":{\"name\":\"paper\",\"constants\":{\"sens\":0.25,"),
            std::string::npos)
      << text();
  for (const elastic::Constant &constant : elastic::constantsOf("paper"))
    EXPECT_NE(text().find("\"" + constant.name + "\":"), std::string::npos) << constant.name;
}

TEST_F(TraceWriter, SaysWhenItSettled) {
  writer->begin(header);
  decide(Kind::Try);
  writer->switched(0.25, {{1, true}}, {});
  writer->threads(0.5, 2);
  sample(1, 100);
  decide(Kind::Settled);
  EXPECT_EQ(lines("settled"), "{\"line\":\"settled\",\"time\":1,\"since\":\"start\",\"seconds\":1,"
                              "\"throughput\":200,\"threads\":2,\"queues\":1}\n");
  sample(2, 100);
  decide(Kind::Settled);
  sample(3, 100);
  decide(Kind::Wait);
  sample(4, 100);
  decide(Kind::Settled);
  EXPECT_EQ(lines("load-change"), "");
  std::string once = lines("settled");
  EXPECT_EQ(std::count(once.begin(), once.end(), '\n'), 1) << once;
  sample(5, 10);
  decide(Kind::LoadChange, "slower by half");
  EXPECT_EQ(lines("load-change"),
            "{\"line\":\"load-change\",\"time\":5,\"reason\":\"slower by half\"}\n");
  sample(5.5, 10);
  decide(Kind::Try);
  sample(7, 20);
  decide(Kind::Settled);
  EXPECT_NE(lines("settled").find(
                "\"time\":7,\"since\":\"load-change\",\"seconds\":2,\"throughput\":40,"),
            std::string::npos);
}

TEST_F(TraceWriter, TellsWhatTheSettlingDecisionSets) {
  writer->begin(header);
  elastic::Decision d;
  d.kind = Kind::Settled;
  d.threads = 7;
  d.queues = {{1, true}};
  writer->decision(d);
  EXPECT_NE(lines("settled").find("\"threads\":7,\"queues\":1}"), std::string::npos)
      << lines("settled");
  EXPECT_EQ(writer->configuration().threads, 1u) << "not carried out yet";
}

TEST_F(TraceWriter, KeepsWhatIsSet) {
  writer->begin(header);
  writer->threads(1, 1);
  writer->switched(1, {}, {});
  EXPECT_EQ(text(), format(header)) << "nothing changed";
  writer->threads(2, 3);
  writer->switched(3, {{1, true}}, {{1, 2}});
  EXPECT_EQ(lines("threads"), "{\"line\":\"threads\",\"time\":2,\"from\":1,\"to\":3}\n");
  EXPECT_EQ(writer->configuration(), (elastic::Configuration{{0, 1}, {1, 2}, 3}));
}

TEST_F(TraceWriter, PausesAndResumes) {
  writer->begin(header);
  writer->pause(4);
  sample(5, 10);
  writer->resume(6, elastic::Configuration{{0, 0}, {1, 1}, 2});
  decide(Kind::Try);
  EXPECT_NE(lines("decision").find("\"time\":6,"), std::string::npos);
  sample(8, 10);
  decide(Kind::Settled);
  EXPECT_NE(
      lines("settled").find("\"since\":\"resume\",\"seconds\":2,\"throughput\":20,\"threads\":2,"),
      std::string::npos);
}

TEST_F(TraceWriter, EndsWithTotals) {
  writer->begin(header);
  decide(Kind::Wait);
  sample(1, 10);
  sample(2, 10);
  writer->lost(3, 5, "too slow");
  Final final;
  final.time = 4;
  final.rows = 25;
  final.cpu = 3.5;
  final.controller = 0.125;
  writer->end(final);
  EXPECT_EQ(lines("final"), "{\"line\":\"final\",\"time\":4,\"exitCode\":0,\"rows\":25,\"cpu\":3.5,"
                            "\"samples\":2,\"decisions\":1,\"lost\":5,\"controller\":0.125}\n");
  EXPECT_FALSE(writer->working());
  decide(Kind::Wait);
  EXPECT_EQ(text().back(), '\n');
  EXPECT_EQ(text().rfind("{\"line\":\"final\""), text().size() - lines("final").size())
      << "nothing comes behind it";
}

TEST_F(TraceWriter, SaysWhyItCannotBegin) {
  EXPECT_FALSE(Writer::create("app", "/nonexistent/x", error));
  EXPECT_EQ(error, "cannot write /nonexistent/x: No such file or directory");
}

TEST_F(TraceWriter, WarnsOnceWhenTheDiskIsFull) {
  writer = Writer::create("app", "/dev/full", error);
  if (!writer)
    GTEST_SKIP() << error;
  testing::internal::CaptureStderr();
  writer->begin(header);
  EXPECT_FALSE(writer->working());
  decide(Kind::Wait);
  sample(1, 10);
  writer->end({});
  writer.reset();
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "app: warning: cannot write /dev/full: No space left on device; tracing ends, the "
            "program goes on\n");
}
