//===- PolicyTest.cpp -----------------------------------------------------===//
#include "runtime/elastic/Policy.h"
#include <gtest/gtest.h>

using namespace sluice::elastic;

TEST(Policy, ApplyingADecisionChangesWhatItNames) {
  Graph graph{{{"S", 0, true}, {"A", 1, false, true}, {"B", 2, false, false, true}}, 3};
  Configuration c = initialConfiguration(graph);
  EXPECT_EQ(c.queued, (std::vector<char>{0, 0, 1}));
  EXPECT_EQ(c.threads, 1u);
  Decision d;
  EXPECT_FALSE(d.changes());
  d.queues = {{1, true}};
  d.widths = {{2, 4}};
  d.threads = 3;
  EXPECT_TRUE(d.changes());
  apply(d, c);
  EXPECT_EQ(c.queued, (std::vector<char>{0, 1, 1}));
  EXPECT_EQ(c.width, (std::vector<uint32_t>{1, 1, 4}));
  EXPECT_EQ(c.threads, 3u);
}

TEST(Policy, ThroughputIsWhatSourcesSubmit) {
  Graph graph{{{"S", 0, true}, {"A", 1}, {"T", 2, true}}, 3};
  Sample sample;
  sample.length = 2;
  sample.nodes = {{100}, {70}, {20}};
  EXPECT_DOUBLE_EQ(sample.throughput(graph), 60);
  sample.length = 0;
  EXPECT_DOUBLE_EQ(sample.throughput(graph), 0);
}
