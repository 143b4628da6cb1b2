//===- FormatTest.cpp - the lines of a trace ------------------------------===//
#include "runtime/trace/Lines.h"
#include <gtest/gtest.h>
#include <limits>

using namespace sluice;
using namespace sluice::trace;

TEST(TraceFormat, Header) {
  Header h;
  h.program = "app";
  h.composite = "demo::Main";
  h.source = "/demo/app.spl";
  h.host = "2 x Test";
  h.started = 1700000000;
  h.graph = {{{"Src", 0, true, false, false, 1, {1, 2}},
              {"Work", 1, false, true, false, 4, {2}},
              {"Sink:1", 2, false, false, true, 1, {}}},
             3};
  h.operators = {{{"Src", "spl.utility::Beacon", "app.spl:3:5"}},
                 {},
                 {{"Sink", "spl.adapter::FileSink", "app.spl:9:1"}, {"Log", "", ""}}};
  h.machine = {2, 4, 50, 0.5, 0.01, 17000};
  h.policy = "paper";
  h.constants = {{"sens", 0.05}, {"period", 5}};
  h.options = {"--elastic=paper", "name=a \"b\""};
  h.start = {{0, 0, 1}, {1, 2, 1}, 1};
  EXPECT_EQ(format(h),
            "{\"line\":\"header\",\"version\":3,\"program\":\"app\",\"composite\":\"demo::Main\","
            "\"source\":\"/demo/app.spl\","
            "\"host\":\"2 x Test\",\"started\":1700000000,\"graph\":{\"domains\":3,\"nodes\":["
            "{\"name\":\"Src\",\"domain\":0,\"source\":true,\"to\":[1,2],\"operators\":["
            "{\"name\":\"Src\",\"kind\":\"spl.utility::Beacon\",\"at\":\"app.spl:3:5\"}]},"
            "{\"name\":\"Work\",\"domain\":1,\"changeable\":true,\"maxWidth\":4,\"to\":[2]},"
            "{\"name\":\"Sink:1\",\"domain\":2,\"queued\":true,\"to\":[],\"operators\":["
            "{\"name\":\"Sink\",\"kind\":\"spl.adapter::FileSink\",\"at\":\"app.spl:9:1\"},"
            "{\"name\":\"Log\"}]}]},"
            "\"machine\":{\"cpus\":2,\"maxThreads\":4,\"handOffNanos\":50,\"rowNanos\":0.5,"
            "\"byteNanos\":0.01,\"wakeNanos\":17000},"
            "\"policy\":{\"name\":\"paper\",\"constants\":{\"sens\":0.05,\"period\":5}},"
            "\"options\":[\"--elastic=paper\",\"name=a \\\"b\\\"\"],"
            "\"start\":{\"threads\":1,\"queued\":[2],\"widths\":[[1,2]]}}\n");
}

TEST(TraceFormat, Sample) {
  elastic::Sample s;
  s.time = 1.25;
  s.length = 0.5;
  s.nodes = {{1e6, 1000, 0, 0, 0.1, 0, 0, 0}, {1e6, 1000, 16e6, 1000, 1.0 / 3, 0, 0, 3}};
  s.busy = 0.9;
  s.cpu = 1;
  EXPECT_EQ(format(SampleLine{s}), "{\"line\":\"sample\",\"time\":1.25,\"length\":0.5,\"busy\":0.9,"
                                   "\"idle\":0,\"parked\":0,\"cpu\":1,\"others\":0,\"latency\":-1,"
                                   "\"nodes\":{\"rows\":[1e+06,1e+06],\"batches\":[1000,1000],"
                                   "\"bytes\":[0,1.6e+07],\"queued\":[0,1000],"
                                   "\"busy\":[0.1,0.3333333333333333],\"depth\":[0,3]}}\n")
      << "what is 0 everywhere is left out";
  EXPECT_NE(format(SampleLine{s, false}).find(",\"used\":false,"), std::string::npos);
}

TEST(TraceFormat, Decision) {
  elastic::Decision d;
  d.kind = elastic::Kind::Try;
  d.reason = "one more thread";
  d.numbers = {{"zulu", 1.5}, {"alpha", 2}};
  d.queues = {{1, true}, {4, false}, {7, true}};
  d.widths = {{2, 4}};
  d.threads = 3;
  d.warmUp = 0.1;
  d.interval = 0.5;
  EXPECT_EQ(format(Decision{1.25, d}),
            "{\"line\":\"decision\",\"time\":1.25,\"kind\":\"try\",\"reason\":\"one more "
            "thread\",\"numbers\":{\"zulu\":1.5,\"alpha\":2},"
            "\"queue\":[1,7],\"unqueue\":[4],\"widths\":[[2,4]],\"threads\":3,\"warmUp\":0.1,"
            "\"window\":0.5}\n");
  EXPECT_EQ(format(Decision{}), "{\"line\":\"decision\",\"time\":0,\"kind\":\"wait\",\"reason\":"
                                "\"\",\"numbers\":{},\"warmUp\":0,\"window\":5}\n");
}

TEST(TraceFormat, OtherLines) {
  EXPECT_EQ(format(Switch{2, {{1, true}, {2, false}}, {}}),
            "{\"line\":\"switch\",\"time\":2,\"queue\":[1],\"unqueue\":[2]}\n");
  EXPECT_EQ(format(Switch{2, {}, {{3, 8}}}),
            "{\"line\":\"switch\",\"time\":2,\"widths\":[[3,8]]}\n");
  EXPECT_EQ(format(Threads{2.5, 1, 2}),
            "{\"line\":\"threads\",\"time\":2.5,\"from\":1,\"to\":2}\n");
  EXPECT_EQ(format(LoadChange{3, "slower"}),
            "{\"line\":\"load-change\",\"time\":3,\"reason\":\"slower\"}\n");
  EXPECT_EQ(format(Settled{9, "start", 9, 1e5, 4, 2}),
            "{\"line\":\"settled\",\"time\":9,\"since\":\"start\",\"seconds\":9,\"throughput\":1e+"
            "05,\"threads\":4,\"queues\":2}\n");
  EXPECT_EQ(format(Pause{1}), "{\"line\":\"pause\",\"time\":1}\n");
  EXPECT_EQ(format(Resume{1, {}}), "{\"line\":\"resume\",\"time\":1}\n");
  EXPECT_EQ(format(Resume{1, elastic::Configuration{{0, 1}, {1, 1}, 2}}),
            "{\"line\":\"resume\",\"time\":1,\"start\":{\"threads\":2,\"queued\":[1]}}\n");
  EXPECT_EQ(format(Lost{4, 3, "too slow"}),
            "{\"line\":\"lost\",\"time\":4,\"lines\":3,\"reason\":\"too slow\"}\n");
  EXPECT_EQ(format(Final{5, 1, 2e9, 7.5, 10, 11, 3, 0.25}),
            "{\"line\":\"final\",\"time\":5,\"exitCode\":1,\"rows\":2e+09,\"cpu\":7.5,\"samples\":"
            "10,\"decisions\":11,\"lost\":3,\"controller\":0.25}\n");
  EXPECT_EQ(format(Line(Pause{1})), format(Pause{1}));
}

TEST(TraceFormat, NumbersThatJsonDoesNotHave) {
  auto time = [](double t) { return format(Pause{t}); };
  constexpr double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(time(inf), "{\"line\":\"pause\",\"time\":\"inf\"}\n");
  EXPECT_EQ(time(-inf), "{\"line\":\"pause\",\"time\":\"-inf\"}\n");
  EXPECT_EQ(time(-std::numeric_limits<double>::quiet_NaN()),
            "{\"line\":\"pause\",\"time\":\"nan\"}\n");
  EXPECT_EQ(time(-0.0), "{\"line\":\"pause\",\"time\":0}\n");
  EXPECT_EQ(time(5e-324), "{\"line\":\"pause\",\"time\":5e-324}\n");
}

TEST(TraceFormat, StringsAreUtf8OnOneLine) {
  auto reason = [](std::string text) {
    std::string line = format(LoadChange{0, text});
    constexpr std::string_view head = "{\"line\":\"load-change\",\"time\":0,\"reason\":\"";
    return line.substr(head.size(), line.size() - head.size() - 3);
  };
  EXPECT_EQ(reason("a\nb\\\"\x01\x7f"), "a\\u000ab\\\\\\\"\\u0001\x7f");
  EXPECT_EQ(reason("Grün €\xf0\x9f\x98\x80"), "Grün €\xf0\x9f\x98\x80");
  constexpr auto bad = "\xef\xbf\xbd";
  EXPECT_EQ(reason("\xff"), bad);
  EXPECT_EQ(reason("\xc3"), bad);                                  // cut
  EXPECT_EQ(reason("\xc3("), std::string(bad) + "(");              // not followed
  EXPECT_EQ(reason("\xc0\x80"), std::string(bad) + bad);           // overlong
  EXPECT_EQ(reason("\xed\xa0\x80"), std::string(bad) + bad + bad); // half of a pair
  EXPECT_EQ(reason("\xf4\x90\x80\x80"), std::string(bad) + bad + bad + bad);
  EXPECT_EQ(reason(std::string("a\0b", 3)), "a\\u0000b");
}

TEST(TraceFormat, LargeGraphsStayReasonable) {
  elastic::Sample s;
  s.nodes.resize(2305);
  for (size_t i = 0; i < s.nodes.size(); ++i)
    s.nodes[i] = {1e6 + double(i), 1000, 0, 0, double(i) * 1.7e-5 + 1e-9, 0, 0};
  EXPECT_LT(format(SampleLine{s}).size(), 100'000u);
}
