// What policies see of a program: nodes, edges, and the time of calls inside a domain.
#include "../exec/Graph.h"
#include "runtime/adapt/Measure.h"
#include "runtime/exec/run/MakeDomains.h"
#include "runtime/exec/state/Program.h"

using namespace sluice;
using namespace sluice::test;
using adapt::Nodes;

namespace {
int32_t nothing(Ctx *, Batch *) { return 0; }

/// Two sources; a merge with two inputs; behind it, called with batches, Expand, and
/// behind that Sink. Left's stream also leads to Log, which is always a queue.
///   Left  -0-> Merge:0 -2-> (Expand) -3-> Sink
///   Right -1-> Merge:1          Left -0-> Log
struct NodesTest : testing::Test {
  Graph g;
  NodesTest() {
    g.op("Left", 0, 1, count<0, 0, 100>);
    g.op("Right", 0, 1, count<1, 0, 100>);
    g.op("Merge", 2, 1);  // input ports 0, 1
    g.op("Expand", 1, 1); // 2
    g.op("Sink", 1, 0);   // 3
    g.op("Log", 1, 0);    // 4
    g.connect(0, 0, nothing);
    g.connect(1, 1, nothing);
    g.connect(2, 2, nothing);
    g.connect(3, 3, nothing);
    g.connect(0, 4, nothing);
    for (uint32_t in : {0, 1, 3})
      g.inPorts[in].boundary = BoundaryKind::Switchable;
    g.inPorts[4].boundary = BoundaryKind::Queue;
  }
  Nodes nodes() {
    domains = std::make_unique<Domains>(makeDomains(*g.build()));
    return Nodes(g.desc, *domains, 2, here);
  }
  std::unique_ptr<Domains> domains;
  std::vector<bool> here;
};
} // namespace

TEST_F(NodesTest, OnlyThoseOfThisProcess) {
  here = {false, true, true, true, true, false};
  elastic::Graph graph = nodes().graph;
  std::vector<std::string> names;
  for (const elastic::Node &node : graph.nodes)
    names.push_back(node.name);
  EXPECT_EQ(names, strings({"Right", "Merge:0", "Merge:1", "Sink"}));
}

TEST_F(NodesTest, SourcesAndPortsWithRings) {
  elastic::Graph graph = nodes().graph;
  std::vector<std::string> names;
  for (const elastic::Node &node : graph.nodes)
    names.push_back(node.name);
  EXPECT_EQ(names, strings({"Left", "Right", "Merge:0", "Merge:1", "Sink", "Log"}));
  auto which = [&](bool elastic::Node::*member) {
    std::string set;
    for (const elastic::Node &node : graph.nodes)
      set += node.*member ? '1' : '0';
    return set;
  };
  EXPECT_EQ(which(&elastic::Node::source), "110000");
  EXPECT_EQ(which(&elastic::Node::changeable), "001110");
  EXPECT_EQ(which(&elastic::Node::queued), "000001");
}

TEST_F(NodesTest, EdgesGoThroughWhatIsCalled) {
  elastic::Graph graph = nodes().graph;
  using List = std::vector<uint32_t>;
  EXPECT_EQ(graph.nodes[0].to, (List{2, 5}));
  EXPECT_EQ(graph.nodes[1].to, (List{3}));
  EXPECT_EQ(graph.nodes[2].to, (List{4}));
  EXPECT_EQ(graph.nodes[3].to, (List{4}));
  EXPECT_EQ(graph.nodes[4].to, (List{}));
}

TEST_F(NodesTest, OperatorsOfANodeAreThoseThatItCalls) {
  using List = std::vector<uint32_t>;
  EXPECT_EQ(nodes().operators, (std::vector<List>{{0}, {1}, {2, 3}, {2, 3}, {4}, {5}}));
}

TEST_F(NodesTest, PartsOfAnOperatorAreToldApart) {
  g.operators[2].part = "logic"; // Merge
  g.operators[1].part = "ticker of input 0";
  elastic::Graph graph = nodes().graph;
  EXPECT_EQ(graph.nodes[1].name, "Right (part ticker of input 0)");
  EXPECT_EQ(graph.nodes[2].name, "Merge:0 (part logic)");
}

TEST_F(NodesTest, BothPortsOfAnOperatorAreOneDomain) {
  elastic::Graph graph = nodes().graph;
  EXPECT_EQ(graph.domains, 5u); // Left, Right, Merge with Expand, Sink, Log
  EXPECT_EQ(graph.nodes[2].domain, graph.nodes[3].domain);
  std::set<uint32_t> domains;
  for (const elastic::Node &node : graph.nodes)
    domains.insert(node.domain);
  EXPECT_EQ(domains.size(), 5u);
}

TEST_F(NodesTest, ExclusivePortsAreNotChangeable) {
  EXPECT_TRUE(nodes().graph.nodes[2].changeable);
  g.inPorts[0].boundary = BoundaryKind::Exclusive;
  EXPECT_FALSE(nodes().graph.nodes[2].changeable);
  EXPECT_TRUE(nodes().graph.nodes[3].changeable);
}

TEST_F(NodesTest, QueuesOfTheStartAreKnown) {
  domains = std::make_unique<Domains>(makeDomains(*g.build()));
  domains->inPorts[1]->port.setMode(queue::Mode::Queued);
  Nodes n(g.desc, *domains, 2, here);
  EXPECT_TRUE(n.graph.nodes[3].queued);
  EXPECT_TRUE(n.graph.nodes[3].changeable);
  EXPECT_EQ(elastic::initialConfiguration(n.graph).queued, (std::vector<char>{0, 0, 0, 1, 0, 1}));
}

TEST_F(NodesTest, WhatKeepsNothingMayBeRunByAllWorkers) {
  for (const elastic::Node &node : nodes().graph.nodes)
    EXPECT_EQ(node.maxWidth, 1u) << node.name;
  g.operators[4].shared = 1; // Sink
  elastic::Graph graph = nodes().graph;
  EXPECT_EQ(graph.nodes[3].maxWidth, 1u);
  EXPECT_EQ(graph.nodes[4].maxWidth, 2u);
}

TEST_F(NodesTest, TimeOfCallsBelongsToWhoLeadsThere) {
  Nodes n = nodes();
  ASSERT_EQ(n.called.size(), 1u);
  EXPECT_EQ(n.called[0].inPort, 2u);
  EXPECT_EQ(n.called[0].by, (std::vector<uint32_t>{2, 3}));

  adapt::Snapshot before, after; // one second of 1000 cycles
  before.counters.in.resize(5);
  before.counters.out.resize(4);
  before.counters.sources = {{0, 0, 0, 0}, {1, 0, 0, 0}};
  after = before;
  before.counters.nanos = 500, after.counters.nanos = 1'000'000'500, after.counters.cycles = 1000;
  after.counters.in[0] = {.batches = 3,
                          .rows = 30,
                          .cycles = 100,
                          .fromQueue = 2,
                          .bytes = 77,
                          .blocked = 250'000'000,
                          .depth = 4};
  after.counters.in[1] = {.batches = 1, .rows = 10, .cycles = 50};
  after.counters.in[2] = {.batches = 4, .rows = 40, .cycles = 400, .waited = 80};
  after.counters.out[0].rows = 30;
  after.counters.sources[0].cycles = 200;
  after.counters.sources[0].blocked = 125'000'000;
  after.counters.sources[0].waited = 700;
  after.counters.sources[0].ownWaited = 300;
  elastic::Sample s =
      adapt::measure(n, g.desc, elastic::initialConfiguration(n.graph), 500, before, after);
  EXPECT_DOUBLE_EQ(s.time, 1);
  EXPECT_DOUBLE_EQ(s.length, 1);
  elastic::NodeSample left{.rows = 30, .busy = 0.2, .waited = 0.3, .blocked = 0.125};
  EXPECT_EQ(s.nodes[0], left);
  elastic::NodeSample merge0{.rows = 30,
                             .batches = 3,
                             .bytes = 77,
                             .queued = 2,
                             .busy = 0.1 + 0.4 * 0.75,
                             .waited = 0.08 * 0.75,
                             .blocked = 0.25,
                             .depth = 4};
  EXPECT_EQ(s.nodes[2], merge0);
  EXPECT_DOUBLE_EQ(s.nodes[3].busy, 0.05 + 0.4 * 0.25);
  EXPECT_DOUBLE_EQ(s.nodes[3].waited, 0.08 * 0.25);
  EXPECT_DOUBLE_EQ(s.throughput(n.graph), 30);
}

TEST_F(NodesTest, WorkersAboveTheLevelAreParked) {
  Nodes n = nodes();
  adapt::Snapshot before, after;
  for (adapt::Snapshot *at : {&before, &after}) {
    at->counters.in.resize(5);
    at->counters.out.resize(4);
    at->counters.workers.resize(4);
  }
  after.counters.nanos = 2'000'000'000, after.counters.cycles = 1;
  after.counters.workers[0] = {
      .busy = 1'500'000'000, .parked = 9'000'000'000, .blocked = 500'000'000}; // it woke just now
  after.cpu.own = 1.25;
  elastic::Configuration set = elastic::initialConfiguration(n.graph);
  set.threads = 3;
  elastic::Sample s = adapt::measure(n, g.desc, set, 0, before, after);
  EXPECT_DOUBLE_EQ(s.busy, 1);
  EXPECT_DOUBLE_EQ(s.idle, 5);
  EXPECT_DOUBLE_EQ(s.parked, 2);
  EXPECT_DOUBLE_EQ(s.cpu, 1.25);
  EXPECT_DOUBLE_EQ(s.others, 0); // not known
  // Asleep in the middle of batches: what they leave free is idle.
  after.counters.workers[1] = {.busy = 2'000'000'000, .waited = 1};
  elastic::Sample asleep = adapt::measure(n, g.desc, set, 0, before, after);
  EXPECT_DOUBLE_EQ(asleep.busy, 3);
  EXPECT_DOUBLE_EQ(asleep.idle, 5);
  after.counters.workers[1] = {};
  before.cpu.all = 10, after.cpu.all = 13;
  EXPECT_DOUBLE_EQ(adapt::measure(n, g.desc, set, 0, before, after).others, 1.75);
}
