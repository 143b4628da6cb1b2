//===- TraceReplayTest.cpp - every policy decides again what it decided ---===//
//
// Policies drive a plant of closed form: a pipeline whose rate follows from the costs
// between queues and from the workers. What the writer has written must replay.
//
//===----------------------------------------------------------------------===//
#include "runtime/trace/Writer.h"
#include "tools/driver/trace/Trace.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace sluice;
using namespace sluice::driver;

namespace {
/// Costs are microseconds a row; noise is a linear congruence, the same every time.
struct Plant {
  explicit Plant(unsigned nodes) {
    for (unsigned i = 0; i < nodes; ++i) {
      graph.nodes.push_back({"Work" + std::to_string(i), i, i == 0, i != 0, false, 1, {}});
      if (i + 1 < nodes)
        graph.nodes.back().to = {i + 1};
      cost.push_back(i % 7 == 3 ? 20 : 1);
    }
    graph.domains = nodes;
    machine.cpus = machine.maxThreads = 8;
    now = elastic::initialConfiguration(graph);
  }
  double noise() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return 0.99 + 0.02 * double(state >> 40) / double(1 << 24);
  }
  elastic::Sample run(double length) {
    double most = 0, region = 0, all = 0;
    for (size_t i = 0; i < cost.size(); ++i) {
      region = now.queued[i] ? cost[i] + 0.5 : region + cost[i];
      most = std::max(most, region);
      all += cost[i] + (now.queued[i] ? 0.5 : 0);
    }
    double rate =
        1e6 / std::max(most, all / std::min<double>(machine.cpus, now.threads + 1)) * noise();
    elastic::Sample s;
    time += length;
    s.time = time;
    s.length = length;
    for (size_t i = 0; i < cost.size(); ++i) {
      double rows = rate * length;
      s.nodes.push_back({rows, rows / 64, now.queued[i] ? rows * 16 : 0,
                         now.queued[i] ? rows / 64 : 0, rows * cost[i] * 1e-6 * noise(), 0, 0});
      s.busy += s.nodes.back().busy;
    }
    s.cpu = s.busy;
    return s;
  }

  elastic::Graph graph;
  elastic::Machine machine;
  elastic::Configuration now;
  std::vector<double> cost;
  double time = 0;
  uint64_t state = 1;
};

struct TraceReplay : testing::Test {
  TraceReplay() { EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("trace", "jsonl", path)); }
  ~TraceReplay() override { llvm::sys::fs::remove(path); }

  void carryOut(Plant &plant, trace::Writer &writer, const elastic::Decision &d) {
    writer.decision(d);
    elastic::apply(d, plant.now);
    plant.time += d.warmUp;
    writer.switched(plant.time, d.queues, d.widths);
    if (d.threads)
      writer.threads(plant.time, *d.threads);
  }

  /// A run with a change of load in the middle and adaptation off for a while.
  void record(const std::string &name, const elastic::Constants &constants, unsigned nodes) {
    Plant plant(nodes);
    std::string error;
    auto writer = trace::Writer::create("test", path.c_str(), error);
    ASSERT_TRUE(writer) << error;
    trace::Header h;
    h.graph = plant.graph;
    h.machine = plant.machine;
    h.policy = name;
    h.constants = constants;
    h.start = plant.now;
    writer->begin(h);
    auto policy =
        elastic::makePolicy(name, constants, plant.graph, plant.machine, plant.now, error);
    ASSERT_TRUE(policy) << error;
    elastic::Decision d = policy->begin();
    for (unsigned i = 0; i < 300; ++i) {
      carryOut(plant, *writer, d);
      if (i == 100)
        plant.cost[1] = 50;
      if (i == 200) {
        writer->pause(plant.time);
        writer->sample(plant.run(1), false);
        writer->resume(plant.time, plant.now);
        policy = elastic::makePolicy(name, constants, plant.graph, plant.machine, plant.now, error);
        d = policy->begin();
        continue;
      }
      elastic::Sample s = plant.run(d.interval);
      writer->sample(s);
      d = policy->step(s);
    }
    writer->decision(d);
    trace::Final end;
    end.time = plant.time;
    writer->end(end);
  }

  std::string replay(const std::string &file, size_t *same = nullptr) {
    auto reader = TraceReader::open(file);
    if (!reader)
      return llvm::toString(reader.takeError());
    auto result = replayTrace(**reader);
    if (!result)
      return llvm::toString(result.takeError());
    if (same)
      *same = result->same;
    return (*reader)->missing().empty() ? "" : "something is missing";
  }
  std::string text() { return (*llvm::MemoryBuffer::getFile(path))->getBuffer().str(); }
  std::string replayText(const std::string &text) {
    auto reader = TraceReader::read("t", text);
    if (!reader)
      return llvm::toString(reader.takeError());
    auto result = replayTrace(**reader);
    return result ? "" : llvm::toString(result.takeError());
  }

  llvm::SmallString<128> path;
};
} // namespace

TEST_F(TraceReplay, EveryPolicyDecidesTheSameAgain) {
  for (auto &[name, help] : elastic::policyNames())
    for (unsigned nodes : {2u, 20u, 200u}) {
      record(name, {}, nodes);
      size_t same = 0;
      EXPECT_EQ(replay(path.str().str(), &same), "") << name << ", " << nodes;
      EXPECT_EQ(same, 301u);
    }
}

TEST_F(TraceReplay, ConstantsAreInTheTrace) {
  for (auto &[name, help] : elastic::policyNames())
    for (const elastic::Constant &constant : elastic::constantsOf(name)) {
      double other = constant.value == constant.least ? std::min(constant.most, constant.least + 1)
                                                      : constant.least;
      record(name, {{constant.name, other}}, 12);
      EXPECT_EQ(replay(path.str().str()), "") << name << ", " << constant.name;
    }
}

TEST_F(TraceReplay, ShowsTheFirstDifference) {
  record("paper", {}, 20);
  std::string t = text(), from = "\"window\":";
  size_t line = 0, at = 0;
  for (unsigned i = 0; i < 5; ++i) // the fifth decision
    at = t.find(from, at + 1);
  line = std::count(t.begin(), t.begin() + ptrdiff_t(at), '\n') + 1;
  t.insert(at + from.size(), "1");
  std::string problem = replayText(t);
  EXPECT_EQ(problem.find("t:" + std::to_string(line) +
                         ": after 4 decisions that are the same, this one differs from column "),
            0u)
      << problem;
  EXPECT_NE(problem.find("\nrecorded: {\"line\":\"decision\""), std::string::npos);
  EXPECT_NE(problem.find("\nreplayed: {\"line\":\"decision\""), std::string::npos);
}

TEST_F(TraceReplay, NoticesAChangedSample) {
  record("paper", {}, 20);
  auto reader = TraceReader::open(path.str().str());
  ASSERT_TRUE(bool(reader)) << llvm::toString(reader.takeError());
  std::string changed = (*reader)->headerText() + "\n";
  unsigned samples = 0;
  llvm::Error error = forEachLine(**reader, [&](TraceRecord &record) {
    if (auto *sample = std::get_if<trace::SampleLine>(&record.line); sample && ++samples % 2)
      for (elastic::NodeSample &node : sample->sample.nodes)
        node.rows *= 3;
    changed += trace::format(record.line);
    return llvm::Error::success();
  });
  ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
  EXPECT_NE(replayText(changed).find("\nreplayed: "), std::string::npos) << replayText(changed);
}

TEST_F(TraceReplay, NeedsAWholeTrace) {
  record("paper", {}, 4);
  std::string t = text();
  size_t decision = t.find("{\"line\":\"decision\""), end = t.find('\n', decision) + 1;
  EXPECT_EQ(replayText(std::string(t).erase(decision, end - decision))
                .find("t:2: the line is damaged: the decision on what stands before this sample is "
                      "missing"),
            0u);
  EXPECT_EQ(replayText(std::string(t).insert(end, t.substr(decision, end - decision))),
            "t:3: the line is damaged: a decision without a sample before it");
  size_t sample = t.find("{\"line\":\"sample\"", t.size() / 2);
  size_t sampleEnd = t.find('\n', sample) + 1;
  EXPECT_EQ(replayText(std::string(t).replace(sample, sampleEnd - sample,
                                              trace::format(trace::Lost{3, 1, "too slow"}))),
            "")
      << "it is replayed up to there";
}

TEST_F(TraceReplay, NeedsAPolicy) {
  trace::Header h;
  h.policy = "off";
  EXPECT_EQ(replayText(trace::format(h)), "t: there is nothing to replay: no policy decided");
  h.policy = "soup";
  EXPECT_EQ(replayText(trace::format(h))
                .find("t: the policy cannot be made again: there is no policy 'soup'"),
            0u);
}
