// Counters: what is counted, whose time runs, and what is derived from them.
#include "Graph.h"
#include "runtime/exec/counters/Meter.h"
#include "runtime/exec/metrics/Stats.h"
#include <cstdio>

using namespace sluice;
using namespace sluice::test;

namespace {
struct FakeClock {
  static inline uint64_t time = 0, readings = 0, cost = 0;
  static uint64_t now() {
    ++readings;
    return time;
  }
};

struct Slow : FakeClock { // from one reading to the next
  static inline uint64_t cost = 30;
  static uint64_t now() { return time += cost; }
};

struct CountersTest : testing::Test {
  CountersTest() {
    FakeClock::time = 1000;
    meter.begin();
    FakeClock::readings = 0;
  }
  /// A batch at `port` that takes `cycles` and then runs `inside`.
  template <typename Inside> void batch(uint32_t port, uint64_t cycles, Inside inside) {
    meter.segment(port, meter.in[port], 1, [&] {
      FakeClock::time += cycles;
      inside();
    });
  }
  void batch(uint32_t port, uint64_t cycles) {
    batch(port, cycles, [] {});
  }
  int64_t cycles(uint32_t port) { return int64_t(meter.in[port].cycles.get()); }

  Meter<FakeClock> meter{3};
};
} // namespace

TEST_F(CountersTest, LongBatchesAreTimedExactly) {
  for (int i = 0; i < 100; ++i) {
    FakeClock::time += 7000; // the source's
    batch(0, 20'000, [&] { batch(1, 180'000); });
  }
  meter.end();
  EXPECT_EQ(cycles(0), 2'000'000);
  EXPECT_EQ(cycles(1), 18'000'000);
  EXPECT_EQ(meter.own.get(), 700'000u);
  for (int port : {0, 1}) {
    EXPECT_EQ(meter.in[port].batches.get(), 100u);
    EXPECT_EQ(meter.in[port].rows.get(), 100u);
    EXPECT_EQ(meter.in[port].timed.get(), 100u);
  }
}

TEST_F(CountersTest, ShortBatchesAreSampled) {
  constexpr int kBatches = 100'000;
  for (int i = 0; i < kBatches; ++i) {
    FakeClock::time += 50;
    batch(0, 100, [&] { batch(1, 200); });
  }
  uint64_t readings = FakeClock::readings;
  meter.end();
  EXPECT_EQ(meter.in[0].batches.get(), uint64_t(kBatches));
  EXPECT_EQ(meter.in[1].rows.get(), uint64_t(kBatches));
  EXPECT_LT(readings, kBatches / 10u);
  // All that passed is charged, and close to where it belongs.
  EXPECT_EQ(int64_t(meter.own.get()) + cycles(0) + cycles(1), 350 * kBatches);
  EXPECT_NEAR(double(cycles(0)), 100.0 * kBatches, 5.0 * kBatches);
  EXPECT_NEAR(double(cycles(1)), 200.0 * kBatches, 10.0 * kBatches);
}

TEST_F(CountersTest, WhatAReadingCostsIsTakenOff) {
  Meter<Slow> slow(1);
  slow.begin();
  constexpr int kBatches = 100'000;
  for (int i = 0; i < kBatches; ++i)
    slow.segment(0, slow.in[0], 1, [] { Slow::time += 50; });
  EXPECT_NEAR(double(slow.in[0].cycles.get()), 50.0 * kBatches, 3.0 * kBatches);
}

TEST_F(CountersTest, PeriodicBatchesDoNotFoolTheSampling) {
  constexpr int kBatches = 200'000; // every 64th goes to another port
  for (int i = 0; i < kBatches; ++i)
    batch(0, 100, [&] { batch(i % 64 ? 1 : 2, 100); });
  meter.end();
  EXPECT_EQ(int64_t(meter.own.get()) + cycles(0) + cycles(1) + cycles(2), 200 * kBatches);
  EXPECT_NEAR(double(cycles(2)), 100.0 * kBatches / 64, 100.0 * kBatches / 64);
  EXPECT_NEAR(double(cycles(1)), 100.0 * kBatches, 5.0 * kBatches);
}

TEST_F(CountersTest, ATimeSliceOfOthersIsNotMultiplied) {
  for (int i = 0; i < 10'000; ++i)
    batch(0, 100);
  uint64_t timed = meter.in[0].timed.get();
  while (meter.in[0].skip)
    batch(0, 100);
  int64_t before = cycles(0);
  ASSERT_GT(meter.in[0].period, 1u);
  batch(0, 50'000'000); // it is the one that is timed
  EXPECT_GT(meter.in[0].timed.get(), timed);
  EXPECT_EQ(cycles(0), before + 50'000'000);
}

/// A batch in which somebody else ran for less than a time slice, where batches take next to
/// nothing.
TEST_F(CountersTest, NorIsAShortInterruption) {
  for (int i = 0; i < 10'000; ++i)
    batch(0, 100);
  while (meter.in[0].skip)
    batch(0, 100);
  int64_t before = cycles(0);
  ASSERT_GT(meter.in[0].period, 1u);
  batch(0, 1'000'000);
  EXPECT_EQ(cycles(0), before + 1'000'000);
}

/// Long batches among short ones are among those that stand for others: on the average they count
/// as they should.
TEST_F(CountersTest, ButSomeThatTakeLongerThanOthersAre) {
  constexpr int kBatches = 400'000;
  for (int i = 0; i < kBatches; ++i) {
    FakeClock::time += 50;
    batch(0, i % 50 ? 2000 : 100'000);
  }
  meter.end();
  double all = 2000.0 * 49 / 50 + 100'000.0 / 50;
  EXPECT_NEAR(double(cycles(0)) / kBatches, all, 0.1 * all);
}

/// Fifty that call each other.
struct DeepTest : CountersTest {
  static constexpr uint32_t kDepth = 50;
  Meter<FakeClock> deep{kDepth};
  DeepTest() { deep.begin(); }
  /// All ports but the last take `each` cycles.
  void pass(uint64_t each, uint64_t last, uint32_t port = 0) {
    deep.segment(port, deep.in[port], 1, [&] {
      FakeClock::time += port + 1 == kDepth ? last : each;
      if (port + 1 < kDepth)
        pass(each, last, port + 1);
    });
  }
  uint64_t lastCycles() const { return deep.in[kDepth - 1].cycles.get(); }
};

TEST_F(DeepTest, WhatBecomesDearerIsSoonKnown) {
  constexpr int kPasses = 20'000;
  for (int i = 0; i < kPasses; ++i)
    pass(100, 100);
  for (int i = 0; i < 500; ++i) // it is timed for the first time
    pass(100, 200'000);
  uint64_t before = lastCycles();
  for (int i = 0; i < kPasses; ++i)
    pass(100, 200'000);
  EXPECT_NEAR(double(lastCycles() - before), 200'000.0 * kPasses, 0.05 * 200'000 * kPasses);
}

/// Where each takes so long that timing it is nothing, all are timed, though for fifty inside each
/// other the last one should have taken longer.
TEST_F(DeepTest, WhatAllBecomesDearIsTimedExactly) {
  for (int i = 0; i < 20'000; ++i)
    pass(100, 100);
  for (int i = 0; i < 500; ++i)
    pass(100'000, 100'000);
  uint64_t before = lastCycles();
  for (int i = 0; i < 10; ++i)
    pass(100'000, 100'000);
  EXPECT_EQ(lastCycles() - before, 10 * 100'000u);
}

TEST_F(CountersTest, WaitingIsNobodysTime) {
  auto wait = [&](uint64_t cycles) {
    meter.beginWait();
    FakeClock::time += cycles;
    meter.endWait();
  };
  FakeClock::time += 10;
  wait(1000);
  batch(0, 20'000, [&] { wait(5000); });
  meter.end();
  EXPECT_EQ(meter.own.get(), 10u);
  EXPECT_EQ(cycles(0), 20'000);
  EXPECT_EQ(meter.waited.get(), 6000u);
}

TEST_F(CountersTest, WaitsThatAreWorkBelongToWhatRuns) {
  auto work = [&](uint64_t place, uint64_t cycles) {
    meter.beginWait();
    FakeClock::time += cycles;
    meter.endWait(place);
  };
  const uint64_t first = CounterTable::AtPort, second = first + 1;
  work(CounterTable::InSource, 1000);
  batch(0, 20'000, [&] {
    work(first, 5000);
    batch(1, 10, [&] { work(second, 7000); });
    work(first, 100);
  });
  meter.end();
  EXPECT_EQ(meter.ownWaited.get(), 1000u);
  EXPECT_EQ(meter.in[0].waited.get(), 5100u);
  EXPECT_EQ(meter.in[1].waited.get(), 7000u);
  EXPECT_EQ(meter.worked.get(), 13'100u);
  EXPECT_EQ(meter.waited.get(), 13'100u);
  EXPECT_EQ(cycles(0), 20'000);
  EXPECT_EQ(cycles(1), 10);
}

/// Also that of one batch in many, which is not timed.
TEST_F(CountersTest, ASeldomSleepIsThatOfItsPort) {
  constexpr uint64_t kSleep = 5'000'000;
  for (int i = 0; i < 100'000; ++i)
    batch(0, 100, [&] {
      batch(1, 100, [&] {
        if (i % 20'000 != 10'007)
          return;
        meter.beginWait();
        FakeClock::time += kSleep;
        meter.endWait(CounterTable::AtPort + 1);
      });
    });
  meter.end();
  EXPECT_EQ(meter.in[1].waited.get(), 5 * kSleep);
  EXPECT_EQ(meter.in[0].waited.get() + meter.ownWaited.get(), 0u);
  EXPECT_EQ(meter.worked.get(), 5 * kSleep);
}

TEST_F(CountersTest, WhereNobodyWillLookNothingIsTimed) {
  Meter<FakeClock> untimed(1, /*times=*/false);
  untimed.begin();
  for (int i = 0; i < 3; ++i)
    untimed.segment(0, untimed.in[0], 5, [] { FakeClock::time += 30'000; });
  EXPECT_TRUE(untimed.passesAll());
  untimed.end();
  EXPECT_EQ(untimed.in[0].batches.get(), 3u);
  EXPECT_EQ(untimed.in[0].rows.get(), 15u);
  EXPECT_EQ(untimed.in[0].timed.get(), 0u);
  EXPECT_EQ(untimed.in[0].cycles.get(), 0u);
}

TEST_F(CountersTest, AWorkersTimeOutsideOfSegmentsIsNobodys) {
  Meter<FakeClock> worker(1);
  FakeClock::time += 1'000'000;
  worker.segment(0, worker.in[0], 5, [] { FakeClock::time += 30'000; });
  FakeClock::time += 1'000'000;
  EXPECT_EQ(worker.in[0].cycles.get(), 30'000u);
  EXPECT_EQ(worker.in[0].rows.get(), 5u);
  EXPECT_EQ(worker.own.get(), 0u);
}

TEST(Counters, LinesOfTwoThreadsAreApart) {
  CounterTable a(2), b(2);
  EXPECT_EQ(uintptr_t(a.in) % 64, 0u);
  EXPECT_EQ(uintptr_t(b.in) % 64, 0u);
}

TEST(Counters, ADifferenceOfSamples) {
  CounterSample early, late;
  early.nanos = 100, late.nanos = 350;
  early.in = {{.batches = 2, .rows = 10, .cycles = 70, .highest = 3, .depth = 1}};
  late.in = {{.batches = 5, .rows = 11, .cycles = 60, .fromQueue = 4, .highest = 4, .depth = 2}};
  late.workers = {{.busy = 9}}; // none before
  CounterSample d = late - early;
  EXPECT_EQ(d.nanos, 250);
  EXPECT_EQ(d.in[0].batches, 3u);
  EXPECT_EQ(d.in[0].rows, 1u);
  EXPECT_EQ(d.in[0].cycles, -10);
  EXPECT_EQ(d.in[0].highest, 4u);
  EXPECT_EQ(d.in[0].depth, 2u);
  EXPECT_EQ(d.workers[0].busy, 9u);
}

//===--- what follows for operators ---------------------------------------------===//

namespace {
/// Source -batch-> A -call-> B -call-> C; B is one for one unless `filter`.
struct Chain {
  explicit Chain(bool filter) {
    g.op("Source", 0, 1, count<0, 0, 1>);
    for (const char *name : {"A", "B", "C"})
      g.op(name, 1, 1);
    g.connect(0, 0, nullptr);
    for (uint32_t i : {1, 2}) { // no batch, no segment: called
      g.consumers[i].push_back(i);
      g.outPorts[i].batchBytes = 0;
      g.inPorts[i].producers = 1;
    }
    g.outPorts[3].batchBytes = 0;
    one[0] = RowsOut::One;
    varies[0] = RowsOut::Unknown;
    for (auto &op : g.operators) {
      op.rowsOut = one;
      op.cost = 1;
    }
    g.operators[2].rowsOut = filter ? varies : one;
    g.operators[1].cost = 2;
    g.build();
    sample.in.resize(3);
    sample.out.resize(4);
    sample.in[0] = {.batches = 10, .rows = 1000, .timed = 10, .cycles = 4000};
    sample.out[0].rows = 1000;
    sample.sources = {{.op = 0, .cycles = 500}};
  }
  Figures figures(bool whole = true) { return figuresOf(g.desc, sample, whole); }
  Graph g;
  RowsOut one[1], varies[1];
  CounterSample sample;
};
} // namespace

TEST(Stats, TuplesOfCalledOperatorsFollow) {
  Figures f = Chain(false).figures();
  EXPECT_EQ(f.fromSources, 1000u);
  for (int op : {1, 2, 3}) {
    EXPECT_EQ(f.operators[op].in, 1000u) << op;
    EXPECT_EQ(f.operators[op].out, 1000u) << op;
  }
}

TEST(Stats, BehindAFilterTheyAreUnknown) {
  Figures f = Chain(true).figures();
  EXPECT_EQ(f.operators[1].out, 1000u);
  EXPECT_EQ(f.operators[2].in, 1000u);
  EXPECT_EQ(f.operators[2].out, std::nullopt);
  EXPECT_EQ(f.operators[3].in, std::nullopt);
  EXPECT_EQ(f.operators[3].cyclesPerTuple, std::nullopt);
}

TEST(Stats, NothingFollowsForATupleThatFailed) {
  Figures f = Chain(false).figures(false);
  EXPECT_EQ(f.operators[1].in, 1000u);
  EXPECT_EQ(f.operators[1].out, std::nullopt);
  Chain caught(false);
  caught.g.operators[1].isCatch = 1;
  EXPECT_EQ(caught.figures().operators[1].out, std::nullopt);
}

TEST(Stats, TimeIsSharedOutByCost) {
  Figures f = Chain(false).figures();
  EXPECT_DOUBLE_EQ(f.operators[0].cycles, 500);
  EXPECT_FALSE(f.operators[0].estimated);
  EXPECT_DOUBLE_EQ(f.operators[1].cycles, 2000);
  EXPECT_DOUBLE_EQ(f.operators[2].cycles, 1000);
  EXPECT_DOUBLE_EQ(f.operators[3].cycles, 1000);
  EXPECT_TRUE(f.operators[3].estimated);
  EXPECT_DOUBLE_EQ(f.cycles, 4500);
  EXPECT_DOUBLE_EQ(*f.operators[1].cyclesPerTuple, 2);
}

TEST(Stats, FusedOperatorsStandBehindTheirHeadAndPartsAreNamed) {
  Graph g; // Source -batch-> A -call-> C, and Source -batch-> B
  g.op("Source", 0, 1, count<0, 0, 1>);
  g.op("A", 1, 1);
  g.op("B", 1, 0);
  g.op("C", 1, 0);
  g.connect(0, 0, nullptr);
  g.connect(0, 1, nullptr);
  g.consumers[1].push_back(2);
  g.outPorts[1].batchBytes = 0;
  g.inPorts[2].producers = 1;
  g.operators[2].name = "A";
  g.operators[2].part = "logic";
  g.build();
  CounterSample sample;
  sample.in.resize(3);
  sample.out.resize(2);
  sample.sources = {{.op = 0}};
  Figures figures = figuresOf(g.desc, sample, true);
  EXPECT_EQ(figures.operators[3].head, 1u);
  std::string table = statsTable(g.desc, sample, figures), names;
  for (size_t at = 0, end; (end = table.find('\n', at)) != std::string::npos; at = end + 1)
    names += table.substr(at, 16) + "|";
  EXPECT_EQ(names.find("operator        |Source          |A               |  C             |"
                       "A (part logic)  |total: "),
            0u)
      << table;
}

TEST(Stats, ASegmentWithManyPathsHasEachOperatorOnce) {
  constexpr uint32_t kDiamonds = 40;
  Graph g; // Source -batch-> A, and 40 times: A -call-> B and C -call-> the next A
  g.op("Source", 0, 1, count<0, 0, 1>);
  auto call = [&](uint32_t from, uint32_t to) { // by operator, each has one port of a kind
    g.consumers[from].push_back(to - 1);
    g.outPorts[from].batchBytes = 0;
    ++g.inPorts[to - 1].producers;
  };
  g.op("A", 1, 1);
  g.connect(0, 0, nullptr);
  for (uint32_t a = 1; a <= 3 * kDiamonds; a += 3) {
    for (const char *name : {"B", "C", "A"})
      g.op(name, 1, 1);
    for (uint32_t side : {a + 1, a + 2}) {
      call(a, side);
      call(side, a + 3);
    }
  }
  g.outPorts.back().batchBytes = 0;
  for (auto &op : g.operators)
    op.cost = 1;
  g.build();
  CounterSample sample;
  sample.in.resize(g.inPorts.size());
  sample.out.resize(g.outPorts.size());
  sample.in[0] = {.batches = 1, .rows = 1, .timed = 1, .cycles = 121};
  Figures f = figuresOf(g.desc, sample, true);
  for (uint32_t op = 1; op < g.operators.size(); ++op) {
    EXPECT_EQ(f.operators[op].head, 1u) << op;
    EXPECT_DOUBLE_EQ(f.operators[op].cycles, 1) << op;
  }
  EXPECT_DOUBLE_EQ(f.cycles, 121);
}

TEST(Stats, TheTableMarksWhatIsEstimatedOrUnknown) {
  Chain chain(true);
  chain.sample.nanos = 1'000'000'000;
  std::string table = statsTable(chain.g.desc, chain.sample, chain.figures());
  EXPECT_EQ(table, "operator  tuples in  tuples out  tuples/s  cycles/tuple     time  queue max\n"
                   "Source                     1000    1.00 k          0.50   11.1 %          -\n"
                   "A              1000        1000    1.00 k         ~2.00  ~44.4 %          -\n"
                   "  B            1000           -    1.00 k         ~1.00  ~22.2 %          -\n"
                   "  C               -           -         -             -  ~22.2 %          -\n"
                   "total: 1.000 s, 1000 tuples from sources, 1.00 k tuples/s\n"
                   "workers: none\n");
}

namespace {
/// A PE that runs the chain but for its source, and has two ends of links.
struct PartOfChain : Chain {
  PartOfChain() : Chain(true) {
    sample.sources.clear();
    sample.nanos = 1'000'000'000;
    sample.pe = 2;
    sample.here = {false, true, true, true};
    sample.links = {{.op = 3,
                     .peer = 1,
                     .sends = true,
                     .frames = 12,
                     .tuples = 1000,
                     .bytes = 2048,
                     .waited = 3'000'000},
                    {.op = 1, .peer = 0, .sends = false, .frames = 1, .tuples = 1, .bytes = 100}};
  }
};
} // namespace

TEST(Stats, TheTableOfAPeHasItsOperatorsAndLinks) {
  PartOfChain chain;
  std::string table = statsTable(chain.g.desc, chain.sample, chain.figures());
  EXPECT_EQ(table, "PE 2\n"
                   "operator  tuples in  tuples out  tuples/s  cycles/tuple     time  queue max\n"
                   "A              1000        1000    1.00 k         ~2.00  ~50.0 %          -\n"
                   "  B            1000           -    1.00 k         ~1.00  ~25.0 %          -\n"
                   "  C               -           -         -             -  ~25.0 %          -\n"
                   "total: 1.000 s, 0 tuples from sources, 0.00 tuples/s\n"
                   "link: C to PE 1, 12 frames, 1000 tuples, 2.05 kB, waited 3.00 ms for credits\n"
                   "link: A from PE 0, 1 frame, 1 tuple, 100 B\n"
                   "workers: none\n");
}

TEST(Stats, WhatAReceiverGetsComesFromNoSource) {
  Chain chain(false);
  chain.g.operators[0].link = 0;
  EXPECT_EQ(chain.figures().fromSources, 0u);
}

TEST(Stats, TheObjectOfAPeCountsPositionsAmongItsOperators) {
  PartOfChain chain;
  std::string json = metricsJson(chain.g.desc, chain.sample, chain.figures(), 0);
  auto has = [&](const char *text) { return json.find(text) != json.npos; };
  EXPECT_TRUE(has("\"pe\": 2,")) << json;
  EXPECT_FALSE(has("\"name\": \"Source\"")) << json;
  EXPECT_FALSE(has("\"segmentOf\": 1")) << json; // the head, A, is the first
  EXPECT_TRUE(has("{\"stream\": \"C\", \"direction\": \"send\", \"pe\": 1, \"frames\": 12, "
                  "\"tuples\": 1000, \"bytes\": 2048, \"creditWaitSeconds\": 0.003}"))
      << json;
  EXPECT_TRUE(has("\"bytes\": 100, \"creditWaitSeconds\": null}")) << json;
}

TEST(Counters, ADifferenceOfSamplesHasThatOfLinks) {
  CounterSample earlier, later;
  earlier.links = {{.op = 1, .frames = 2, .tuples = 10, .bytes = 100, .waited = 5}};
  later.links = {{.op = 1, .frames = 5, .tuples = 30, .bytes = 700, .waited = 6}};
  LinkSample link = (later - earlier).links.at(0);
  EXPECT_EQ(link.frames, 3u);
  EXPECT_EQ(link.tuples, 20u);
  EXPECT_EQ(link.bytes, 600u);
  EXPECT_EQ(link.waited, 1u);
}
