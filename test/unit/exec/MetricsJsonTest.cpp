// The object of --metrics-json.
#include "runtime/exec/metrics/Stats.h"
#include "gtest/gtest.h"

using namespace sluice;

namespace {
struct OneOperator : testing::Test {
  OperatorDesc op = {};
  ProgramDesc desc = {};
  CounterSample sample;
  OneOperator() {
    op.name = "Count";
    op.kind = "Custom";
    desc.mainName = "Main";
    desc.operators = &op;
    desc.operatorCount = 1;
  }
  std::string json() { return metricsJson(desc, sample, figuresOf(desc, sample, true), 0); }
};
} // namespace

TEST_F(OneOperator, HasItsMembersInAFixedLayout) {
  sample.nanos = 500'000'000, sample.cycles = 1'000'000'000;
  sample.sources = {{.op = 0, .waited = 123'456'789}};
  sample.metrics = {{0, "a \"name\"", "", MetricKind::Time, -7}};
  EXPECT_EQ(json(), R"({
  "version": 1,
  "program": "Main",
  "pe": null,
  "exitCode": 0,
  "wallSeconds": 0.5,
  "cyclesPerSecond": 2e+09,
  "sourceTuples": 0,
  "sourceTuplesPerSecond": 0,
  "operators": [
    {
      "name": "Count",
      "kind": "Custom",
      "part": null,
      "segmentOf": 0,
      "tuplesIn": 0,
      "tuplesOut": 0,
      "tuplesPerSecond": 0,
      "cycles": 0,
      "cyclesEstimated": false,
      "cyclesPerTuple": null,
      "timeShare": null,
      "inputs": [],
      "outputs": [],
      "metrics": [
        {"name": "a \"name\"", "description": "", "kind": "Time", "value": -7}
      ],
      "leftOut": []
    }
  ],
  "sources": [
    {"operator": "Count", "waitedSeconds": 0.0617283945}
  ],
  "workers": [],
  "links": [],
  "latency": {"tuples": 0, "p50Seconds": null, "p90Seconds": null, "p99Seconds": null}
}
)");
}

TEST_F(OneOperator, IsUtf8WhateverNamesHold) {
  desc.mainName = "Main\xff";
  sample.metrics = {{0, "m\n\xc3", "half \xe2\x82, whole \xe2\x82\xac", MetricKind::Gauge, 1}};
  std::string text = json();
  auto has = [&](const char *part) { return text.find(part) != text.npos; };
  EXPECT_TRUE(has("\"program\": \"Main\xef\xbf\xbd\",")) << text;
  EXPECT_TRUE(has("{\"name\": \"m\\u000a\xef\xbf\xbd\", \"description\": "
                  "\"half \xef\xbf\xbd\xef\xbf\xbd, whole \xe2\x82\xac\","))
      << text;
}
