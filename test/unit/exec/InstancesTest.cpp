//===- InstancesTest.cpp - the replicas of @parallel regions -------------===//
#include "runtime/exec/table/Instances.h"
#include "Graph.h"
#include "runtime/exec/options/RunOptions.h"
#include <algorithm>

using namespace sluice;
using namespace sluice::test;

namespace {
/// Doubled in a region of its own between Numbers and Show: ids as the compiler gives.
struct Doubling : Graph {
  uint32_t source, doubled, sink;
  explicit Doubling(uint32_t width, HandlerFn numbers = nullptr, SegmentFn twice = nullptr,
                    SegmentFn show = nullptr, SplitKind kind = SplitKind::RoundRobin) {
    source = op("Numbers", 0, 1, numbers);
    doubled = op("A.Doubled", 1, 1);
    region("A.Doubled", doubled, width);
    sink = op("Show", 1, 0);
    connect(0, 0, twice);
    split(0, 0, kind);
    connect(1, 1, show);
    inPorts[0].boundary = inPorts[1].boundary = BoundaryKind::Switchable;
  }
};

std::vector<std::string> names(const Instances &instances) {
  std::vector<std::string> list;
  for (uint32_t i = 0; i < instances.desc.operatorCount; ++i)
    list.push_back(instances.desc.operators[i].name);
  return list;
}
std::vector<uint32_t> consumers(const Instances &instances, uint32_t out) {
  const OutPortDesc &port = instances.desc.outPorts[out];
  return {port.consumers, port.consumers + port.consumerCount};
}
using Ids = std::vector<uint32_t>;
} // namespace

TEST(Instances, OfWidthOneAreTheTemplate) {
  Doubling graph(1);
  Instances made(*graph.build(), {1});
  EXPECT_EQ(names(made), strings({"Numbers", "A.Doubled[0]", "Show"}));
  EXPECT_EQ(consumers(made, 0), Ids{0});
  EXPECT_EQ(consumers(made, 1), Ids{1});
  EXPECT_TRUE(made.partitioners[0].empty()); // whole batches
  EXPECT_EQ(made.desc.stateBytes, 64u);
}

TEST(Instances, RunWholeBatchesWhereChannelsAreAlike) {
  for (SplitKind kind : {SplitKind::RoundRobin, SplitKind::ByKey}) {
    Doubling graph(3, nullptr, nullptr, nullptr, kind);
    graph.regions[0].wholeBatches = 1;
    graph.inPorts[0].inPlaceOutput = 2;
    Instances made(*graph.build(), {3});
    const std::unique_ptr<WholeBatches> &whole = made.partitioners[0].at(0).whole;
    ASSERT_EQ(whole != nullptr, kind == SplitKind::RoundRobin);
    if (whole) {
      EXPECT_EQ(whole->channels.size(), 3 + kBatchRows);
      EXPECT_EQ(whole->inPorts, (Ids{0, 2, 3}));
      EXPECT_EQ(whole->segments(), 1u);
      for (uint32_t row = 0; row < whole->channels.size(); ++row)
        EXPECT_EQ(whole->channels[row], int32_t(row % 3));
    }
  }
  Doubling apart(3);
  EXPECT_FALSE(Instances(*apart.build(), {3}).partitioners[0].at(0).whole);
}

TEST(Instances, StandBehindAllTemplates) {
  Doubling graph(3);
  Instances made(*graph.build(), {3});
  EXPECT_EQ(names(made),
            strings({"Numbers", "A.Doubled[0]", "Show", "A.Doubled[1]", "A.Doubled[2]"}));
  EXPECT_STREQ(made.templateNames[4], "A.Doubled");
  EXPECT_EQ(consumers(made, 0), (Ids{0, 2, 3}));
  for (uint32_t out : {1, 2, 3})
    EXPECT_EQ(consumers(made, out), Ids{1});
  EXPECT_EQ(made.desc.inPorts[1].producers, 3u); // a Final from each
  EXPECT_EQ(made.desc.inPorts[3].producers, 1u);
  EXPECT_EQ(made.desc.inPorts[3].op, 4u);
  EXPECT_EQ(made.desc.operators[4].firstIn, 3u);
  EXPECT_EQ(made.desc.stateBytes, 64u + 2 * 16);
  EXPECT_EQ(made.ofOperator[4]->state, 64u + 16); // for state that begins at 0
  ASSERT_EQ(made.partitioners[0].size(), 1u);
  EXPECT_EQ(made.partitioners[0][0].count, 3u);
  EXPECT_FALSE(made.partitioners[0][0].dropsWindows);
}

TEST(Instances, OfInnerRegionsMultiply) {
  Graph graph;
  graph.op("In", 0, 1);
  graph.op("Nest.F", 1, 1);
  graph.op("Nest.Out", 1, 1);
  graph.region("Nest", 1, 3);
  graph.region("Nest.Out", 2, 2, 0);
  graph.op("Show", 1, 0);
  graph.connect(0, 0, nullptr);
  graph.split(0, 0, SplitKind::RoundRobin);
  graph.connect(1, 1, nullptr);
  graph.split(1, 1, SplitKind::RoundRobin);
  graph.connect(2, 2, nullptr);
  Instances made(*graph.build(), {3, 2});
  std::vector<std::string> list = names(made), sorted = list;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, strings({"In", "Nest[0].F", "Nest[0].Out[0]", "Nest[0].Out[1]", "Nest[1].F",
                             "Nest[1].Out[2]", "Nest[1].Out[3]", "Nest[2].F", "Nest[2].Out[4]",
                             "Nest[2].Out[5]", "Show"}));
  for (uint32_t op = 0; op < list.size(); ++op) {
    const OperatorDesc &desc = made.desc.operators[op];
    std::string name = list[op];
    if (name.find(".F") == name.npos)
      continue;
    // Each F feeds the two of its own channel.
    std::vector<std::string> fed;
    for (uint32_t in : consumers(made, desc.firstOut))
      fed.push_back(list[made.desc.inPorts[in].op].substr(0, 7));
    EXPECT_EQ(fed, std::vector<std::string>(2, name.substr(0, 7)));
    EXPECT_EQ(made.partitioners[desc.firstOut].size(), 1u);
  }
  EXPECT_EQ(made.desc.inPorts[2].producers, 6u);
  const Replica &last =
      *made.ofOperator[std::find(list.begin(), list.end(), "Nest[2].Out[5]") - list.begin()];
  EXPECT_EQ(last.index, 1u);
  EXPECT_EQ(last.channel, 5);
  EXPECT_EQ(last.maxChannels, 6);
  EXPECT_EQ(last.outer->channel, 2);
  EXPECT_EQ(last.outer->outer, &made.outside());
}

TEST(Instances, OfAdjacentRegionsMeetEachOther) {
  Graph graph;
  graph.op("In", 0, 1);
  graph.op("A", 1, 1);
  graph.region("A", 1, 2);
  graph.op("B", 1, 0);
  graph.region("B", 2, 3);
  graph.connect(0, 0, nullptr);
  graph.split(0, 0, SplitKind::RoundRobin);
  graph.connect(1, 1, nullptr);
  graph.split(1, 1, SplitKind::RoundRobin);
  Instances made(*graph.build(), {2, 3});
  for (uint32_t op = 0; op < made.desc.operatorCount; ++op) {
    const OperatorDesc &desc = made.desc.operators[op];
    if (desc.name[0] == 'B')
      EXPECT_EQ(made.desc.inPorts[desc.firstIn].producers, 2u) << desc.name;
    if (desc.name[0] != 'A')
      continue;
    EXPECT_EQ(consumers(made, desc.firstOut).size(), 3u);
    ASSERT_EQ(made.partitioners[desc.firstOut].size(), 1u); // a splitter of its own
    EXPECT_TRUE(made.partitioners[desc.firstOut][0].dropsWindows);
  }
}

TEST(Instances, HaveTheWidthThatIsGiven) {
  Doubling graph(0);
  graph.regions[0].submission = 1;
  graph.submissions = {{"Main.a", nullptr, 0, 0}, {"Main.w", nullptr, 0, 0}};
  const ProgramDesc &desc = *graph.build();
  RunOptions options;
  std::vector<uint32_t> widths;
  for (const char *wrong : {"0", "-1", "x", "", "3 ", "4097", "99999999999"}) {
    options.values = {"7", wrong};
    testing::internal::CaptureStderr();
    EXPECT_EQ(findWidths(desc, options, widths), 1);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("Main.w = '" + std::string(wrong) + "'"),
              std::string::npos);
  }
  options.values = {"7", "5"};
  widths.clear();
  EXPECT_EQ(findWidths(desc, options, widths), 0);
  EXPECT_EQ(widths, Ids{5});
}

TEST(Instances, AreNotMoreThanAnybodyCanMean) {
  Graph graph;
  graph.op("A.B", 0, 0);
  graph.region("A", 0, 4096);
  graph.region("A.B", 0, 17, 0);
  testing::internal::CaptureStderr();
  std::vector<uint32_t> widths;
  EXPECT_EQ(findWidths(*graph.build(), RunOptions(), widths), 1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("more than 65536 channels"),
            std::string::npos);
}

//===--- running ---------------------------------------------------------------===//

namespace {
/// Says which channel each number came through; window punctuation passes.
int32_t twice(Ctx *ctx, Batch *b) {
  int32_t result = each(
      ctx, b,
      [&](int64_t v) { return append(ctx, 1, 100 * v + ctx->channel * 10 + ctx->maxChannels); },
      [&](PunctuationKind kind) {
        if (kind == PunctuationKind::Window)
          return sl_port_punct(ctx, 1, uint32_t(kind), 0);
        return sl_port_final(ctx, 0) && sl_op_closed(ctx, 1) ? finish(ctx, 1) : 0;
      });
  return result ? result : sl_forward(ctx, 1);
}
int32_t numbers(Ctx *ctx) {
  for (int64_t i = 0; i < 7; ++i) {
    if (append(ctx, 0, i) < 0)
      return -1;
    if (i == 3 && sl_port_punct(ctx, 0, uint32_t(PunctuationKind::Window), 0) < 0)
      return -1;
  }
  return finish(ctx, 0);
}
std::vector<std::string> sorted(std::vector<std::string> list) {
  std::sort(list.begin(), list.end());
  return list;
}
} // namespace

TEST(Replicas, GetRowsInTurnAndAllPunctuation) {
  Doubling graph(3, numbers, twice, show<'v', 1>);
  EXPECT_EQ(graph.run({"--deterministic"}), 0);
  EXPECT_EQ(events, strings({"v3", "v113", "v223", "v303", "vW", "vW", "vW", "v413", "v523", "v603",
                             "vF"}));
}

TEST(Replicas, GetTheirPartsOfABatch) {
  for (const char *option : {"--queues=none", "--queues=all", "--chaos=3"}) {
    Doubling graph(3, numbers, twice, show<'v', 1>);
    EXPECT_EQ(graph.run({option}), 0);
    EXPECT_EQ(sorted(events), sorted(strings({"v3", "v113", "v223", "v303", "vW", "vW", "vW",
                                              "v413", "v523", "v603", "vF"})));
    EXPECT_EQ(events.back(), "vF");
    auto at = [](const char *what) { return std::find(events.begin(), events.end(), what); };
    EXPECT_LT(at("v3"), at("v303")); // in order within a channel
    EXPECT_LT(at("v303"), at("v603"));
  }
}

TEST(Replicas, MayAllGetEverything) {
  Doubling graph(2, numbers, twice, show<'v', 1>, SplitKind::ToAll);
  EXPECT_EQ(graph.run({}), 0);
  EXPECT_EQ(events.size(), 7u * 2 + 2 + 1);
}

TEST(DealtCounts, AreThoseOfTuplesThatGoToChannelsInTurn) {
  for (uint32_t channels : {2u, 3u, 50u, 1000u}) {
    DealtCounts counts(channels);
    std::vector<int64_t> missing(channels);
    uint32_t first = channels - 1, by = 1;
    for (uint32_t rows : {1024u, 1u, 999u, 2u, 1024u, 0u, 50u}) {
      counts.add(by, first, rows);
      counts.add(0, first, 77);
      counts.takeBack(0, first, 77);
      missing[by] -= rows;
      for (uint32_t row = 0; row < rows; ++row)
        ++missing[(first + row) % channels];
      first = (first + rows) % channels;
      by = (by + 1) % channels;
      EXPECT_EQ(counts.missing(), missing);
    }
  }
}
