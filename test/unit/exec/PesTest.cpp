//===- PesTest.cpp - which PE runs which operators ------------------------===//
#include "runtime/exec/table/Pes.h"
#include "Graph.h"
#include <stdexcept>

using namespace sluice;
using namespace sluice::test;

namespace {
using Numbers = std::vector<uint32_t>;

/// Programs with links. Operators are by id; those of the first channel have the template's.
struct PesTest : testing::Test {
  Graph g;
  std::vector<uint32_t> widths;
  std::unique_ptr<Instances> made;

  uint32_t op(const char *name, uint32_t inputs, uint32_t outputs, uint32_t pe, int32_t link = -1) {
    uint32_t index = g.op(name, inputs, outputs);
    g.operators[index].pe = pe;
    g.operators[index].link = link;
    return index;
  }
  void region(uint32_t first, uint32_t width, int32_t parent = -1) {
    g.region(g.operators[first].name, first, width, parent);
    widths.push_back(width);
  }
  /// `regions`: of the entries of the table of PEs.
  Pes pes(std::initializer_list<int32_t> regions) {
    for (int32_t region : regions)
      g.pes.push_back({region});
    g.build();
    made = std::make_unique<Instances>(g.desc, widths);
    return Pes(*made);
  }
  /// "A", or "A[1]" of channel 1, by the name in the template.
  uint32_t find(const std::string &name) const {
    size_t bracket = name.find('[');
    int channel = bracket == name.npos ? -1 : std::stoi(name.substr(bracket + 1));
    for (uint32_t i = 0; i < made->desc.operatorCount; ++i)
      if (made->templateNames[i] == name.substr(0, bracket) &&
          made->ofOperator[i]->channel == channel)
        return i;
    throw std::out_of_range(name);
  }
  std::string runs(const Pes &pes, const std::string &name) const {
    std::string result;
    for (uint32_t pe = 0; pe < pes.count(); ++pe)
      result += pes.runs(pe, find(name)) ? '1' : '0';
    return result;
  }
};
} // namespace

TEST_F(PesTest, OneProcessRunsAll) {
  op("In", 0, 1, 0);
  op("Out", 1, 0, 0);
  g.connect(0, 0, nullptr);
  Pes one = pes({});
  EXPECT_EQ(one.count(), 1u);
  EXPECT_EQ(runs(one, "In") + runs(one, "Out"), "11");
}

TEST_F(PesTest, ALinkHasItsEndsInTwo) {
  op("In", 0, 1, 1); // the order of the table is not that of operators
  uint32_t send = op("Send", 1, 0, 1, 0);
  uint32_t receive = op("Receive", 0, 1, 0, 0);
  op("Out", 1, 0, 0);
  g.connect(0, 0, nullptr);
  g.connect(1, 1, nullptr);
  Pes two = pes({-1, -1});
  EXPECT_EQ(two.count(), 2u);
  for (const char *name : {"In", "Send"})
    EXPECT_EQ(runs(two, name), "01") << name;
  for (const char *name : {"Receive", "Out"})
    EXPECT_EQ(runs(two, name), "10") << name;
  EXPECT_EQ(two.receiver(send), receive);
  EXPECT_EQ(two.sendersTo(receive), Numbers{1});
  EXPECT_EQ(two.producersIn(1), (Numbers{1, 0}));
  EXPECT_EQ(two.producersIn(0), (Numbers{0, 1}));
}

TEST_F(PesTest, ChannelsHavePesOfTheirOwn) {
  op("In", 0, 1, 0);
  uint32_t send = op("Send", 1, 0, 0, 0); // into the region
  op("Receive", 0, 1, 1, 0);
  op("Work", 1, 1, 1);
  op("SendOut", 1, 0, 1, 1);
  op("ReceiveOut", 0, 1, 2, 1);
  region(send, 3);
  op("Out", 1, 0, 2);
  g.connect(0, 0, nullptr);
  g.split(0, 0, SplitKind::RoundRobin);
  g.connect(1, 1, nullptr);
  g.connect(2, 2, nullptr);
  g.connect(3, 3, nullptr);
  Pes five = pes({-1, 0, -1});
  EXPECT_EQ(five.count(), 5u);
  EXPECT_EQ(runs(five, "In"), "10000");
  EXPECT_EQ(runs(five, "Out"), "00001");
  const char *own[] = {"01000", "00100", "00010"};
  for (uint32_t channel = 0; channel < 3; ++channel) {
    std::string suffix = "[" + std::to_string(channel) + "]";
    EXPECT_EQ(runs(five, "Work" + suffix), own[channel]);
    EXPECT_EQ(runs(five, "Send" + suffix), "10000"); // one for each channel, in the producer's PE
    EXPECT_EQ(five.receiver(find("Send" + suffix)), find("Receive" + suffix));
    EXPECT_EQ(five.sendersTo(find("Receive" + suffix)), Numbers{0});
    EXPECT_EQ(runs(five, "SendOut" + suffix), own[channel]);
    EXPECT_EQ(runs(five, "ReceiveOut" + suffix), "00001");
    EXPECT_EQ(five.sendersTo(find("ReceiveOut" + suffix)), Numbers{1 + channel});
  }
  EXPECT_EQ(five.producersIn(4)[g.operators[find("Out")].firstIn], 3u); // all channels, merged
}

TEST_F(PesTest, ASenderRunsWhereverAProducerIs) {
  uint32_t a = op("A", 0, 1, 0);
  region(a, 2);
  uint32_t send = op("Send", 1, 0, 0, 0);
  op("Receive", 0, 1, 1, 0);
  op("B", 1, 0, 1);
  region(send, 3);
  g.connect(0, 0, nullptr);
  g.split(0, 1, SplitKind::RoundRobin);
  g.connect(1, 1, nullptr);
  Pes five = pes({0, 1});
  EXPECT_EQ(five.count(), 5u);
  EXPECT_EQ(runs(five, "A[1]"), "01000");
  for (const char *suffix : {"[0]", "[1]", "[2]"}) {
    EXPECT_EQ(runs(five, std::string("Send") + suffix), "11000");
    EXPECT_EQ(five.sendersTo(find(std::string("Receive") + suffix)), (Numbers{0, 1}));
    uint32_t in = made->desc.operators[find(std::string("Send") + suffix)].firstIn;
    EXPECT_EQ(five.producersIn(0)[in], 1u); // of the two that it has
    EXPECT_EQ(five.producersIn(1)[in], 1u);
    EXPECT_EQ(five.producersIn(2)[in], 0u);
  }
  EXPECT_EQ(runs(five, "B[2]"), "00001");
}

TEST_F(PesTest, OfInnerRegionsMultiply) {
  op("In", 0, 1, 0);
  uint32_t outer = op("F", 1, 1, 1);
  uint32_t inner = op("G", 1, 0, 2);
  region(outer, 2);
  region(inner, 3, 0);
  g.connect(0, 0, nullptr);
  g.split(0, 0, SplitKind::RoundRobin);
  g.connect(1, 1, nullptr);
  g.split(1, 1, SplitKind::RoundRobin);
  Pes many = pes({-1, 0, 1});
  EXPECT_EQ(many.count(), 1u + 2u + 2u * 3u);
  EXPECT_EQ(runs(many, "F[1]"), "001000000");
  for (uint32_t channel = 0; channel < 6; ++channel) {
    std::string expected(9, '0');
    expected[3 + channel] = '1';
    EXPECT_EQ(runs(many, "G[" + std::to_string(channel) + "]"), expected);
  }
}

TEST_F(PesTest, APeOfTheOuterRegionRunsWhatIsInside) {
  op("In", 0, 1, 0);
  uint32_t outer = op("F", 1, 1, 1);
  uint32_t inner = op("G", 1, 0, 1);
  region(outer, 2);
  region(inner, 3, 0);
  g.connect(0, 0, nullptr);
  g.split(0, 0, SplitKind::RoundRobin);
  g.connect(1, 1, nullptr);
  g.split(1, 1, SplitKind::RoundRobin);
  Pes three = pes({-1, 0});
  EXPECT_EQ(three.count(), 3u);
  EXPECT_EQ(runs(three, "G[2]"), "010");
  EXPECT_EQ(runs(three, "G[3]"), "001");
}
