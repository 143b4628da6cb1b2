//===- Bowtie.cpp - sluice-sim bowtie --------------------------------------===//
#include "runtime/sim/Bowtie.h"
#include "runtime/base/text/Words.h"
#include "tools/sim/Plot.h"
#include "tools/sim/SimulatorOptions.h"
#include <cmath>
#include <cstdio>

namespace sluice::simtool {

using namespace external;

namespace {

constexpr uint32_t kTurns = 100; // that are played
/// Games of more streams take too long to be played.
constexpr uint64_t kMostPlayed = 20'000;

bool isPlayed(const Stage &stage) { return std::max(stage.inputs, stage.outputs) <= kMostPlayed; }

std::string sizeText(double bytes) { return shortNumber(bytes) + "B"; }

std::string widthsOf(const Plan &plan) {
  std::string text;
  size_t count = plan.passes.size();
  for (size_t i = 0; i < count; ++i) {
    const Stage &s = plan.passes[i].stage;
    if (count > 6 && i == 2) {
      text += ", ... (" + std::to_string(count) + ")";
      break;
    }
    text += (i ? ", " : "") + std::to_string(s.inputs) + " x " + std::to_string(s.outputs);
  }
  return text;
}

/// The shortest mean run of all passes.
const Pass &shortest(const Plan &plan) {
  const Pass *least = &plan.passes.front();
  for (const Pass &pass : plan.passes)
    if (pass.run < least->run)
      least = &pass;
  return *least;
}

std::string ratePlayed(const Problem &problem, const Plan &plan, uint64_t seed) {
  double seconds = 0;
  for (const Pass &pass : plan.passes) {
    if (!isPlayed(pass.stage))
      return "-";
    sim::DeviceWork work = sim::playTurns(problem.memory, pass.stage, pass.turn, kTurns, seed);
    seconds += work.seconds(problem.device) / work.bytes;
  }
  return sizeText(2 / seconds) + "/s";
}

void printPlans(const SimulatorOptions &o) {
  const Problem &problem = o.bowtie;
  const Stage &whole = problem.whole;
  printf("%s to %s, %s of memory, a device of %s/s (read) and %s/s (write), %g ms a seek\n\n",
         counted(whole.inputs, "stream").c_str(), counted(whole.outputs, "stream").c_str(),
         sizeText(problem.memory).c_str(), sizeText(problem.device.readRate).c_str(),
         sizeText(problem.device.writeRate).c_str(), problem.device.seek * 1000);
  printf("%-14s %12s %12s %14s  %s\n", "", "rate", "simulated", "shortest run", "passes");
  const std::pair<const char *, Plan> plans[] = {{"best plan", planSplit(problem)},
                                                 {"one pass", onePass(problem)},
                                                 {"binary", binaryPasses(problem)}};
  for (const auto &[name, plan] : plans)
    printf("%-14s %12s %12s %14s  %s\n", name, (sizeText(plan.rate()) + "/s").c_str(),
           ratePlayed(problem, plan, o.setup.seed).c_str(), sizeText(shortest(plan).run).c_str(),
           widthsOf(plan).c_str());
}

/// How long runs are in one pass, by how the memory is used.
void printRuns(const SimulatorOptions &o) {
  double memory = o.bowtie.memory;
  const Stage &stage = o.bowtie.whole;
  uint64_t seed = o.setup.seed;
  printf("\n%-34s %10s %12s\n", "one pass", "mean run", "simulated");
  auto print = [&](const std::string &name, double run, auto play) {
    std::string played = isPlayed(stage) ? sizeText(play().meanRun()) : "-";
    printf("%-34s %10s %12s\n", name.c_str(), sizeText(run).c_str(), played.c_str());
  };
  print("a part of the memory for each", evenRun(memory, stage),
        [&] { return sim::playEven(memory, stage, 4, seed); });
  for (Turn turn : {Turn{1, 1}, bestTurn(stage)})
    print(std::to_string(turn.refilled) + " refilled, " + std::to_string(turn.emptied) +
              " emptied in a turn",
          meanRun(memory, stage, turn),
          [&] { return sim::playTurns(memory, stage, turn, kTurns, seed); });
}

/// 1, 2, 4, ... and the last one.
std::vector<uint64_t> powers(uint64_t most) {
  std::vector<uint64_t> result;
  for (uint64_t i = 1; i < most; i *= 2)
    result.push_back(i);
  result.push_back(most);
  return result;
}

/// How long runs are over the number of outputs that are emptied, for several widths.
Chart runsByTurn(const Problem &problem) {
  Chart chart{"Runs by buckets emptied a turn", "c", "bytes", true, true, false, {}, {}};
  for (uint64_t outputs : {16, 64, 256, 1024}) {
    Series series{"m = " + std::to_string(outputs), {}};
    for (uint64_t c : powers(outputs))
      series.points.emplace_back(c, meanRun(problem.memory, {1, outputs}, {1, c}));
    chart.series.push_back(series);
  }
  return chart;
}

Chart runsByWidth(const Problem &problem) {
  Chart chart{"Runs by outputs", "m", "bytes", true, true, false, {}, {}};
  Series best{"c = sqrt(m)", {}}, one{"c = 1", {}}, even{"even parts", {}};
  for (uint64_t m : powers(problem.whole.outputs)) {
    Stage stage{1, m};
    best.points.emplace_back(m, meanRun(problem.memory, stage, bestTurn(stage)));
    one.points.emplace_back(m, meanRun(problem.memory, stage, {1, 1}));
    even.points.emplace_back(m, evenRun(problem.memory, stage));
  }
  chart.series = {best, one, even};
  return chart;
}

Chart ratesByWidth(const Problem &problem) {
  Chart chart{"Throughput by outputs", "m", "bytes/s", true, true, false, {}, {}};
  Series best{"best plan", {}}, one{"one pass", {}}, binary{"binary", {}};
  for (uint64_t m : powers(problem.whole.outputs)) {
    Problem part = problem;
    part.whole = {1, m};
    best.points.emplace_back(m, planSplit(part).rate());
    one.points.emplace_back(m, onePass(part).rate());
    binary.points.emplace_back(m, binaryPasses(part).rate());
  }
  chart.series = {best, one, binary};
  return chart;
}

std::string csvOf(const std::vector<Chart> &charts) {
  std::string csv = "chart,series,x,y\n";
  for (const Chart &chart : charts)
    for (const Series &series : chart.series)
      for (auto [x, y] : series.points) {
        char line[256];
        snprintf(line, sizeof line, "\"%s\",\"%s\",%.0f,%.6g\n", chart.title.c_str(),
                 series.name.c_str(), x, y);
        csv += line;
      }
  return csv;
}

} // namespace

int bowtieCommand(const SimulatorOptions &o) {
  printPlans(o);
  printRuns(o);
  if (o.output.empty())
    return 0;
  Problem wide = o.bowtie; // the charts go up to the wider side
  wide.whole = {1, std::max(o.bowtie.whole.inputs, o.bowtie.whole.outputs)};
  std::vector<Chart> charts = {runsByTurn(wide), runsByWidth(wide), ratesByWidth(wide)};
  std::string csv = csvOf(charts),
              notes = "One stream becomes m streams through one memory, on a device on which a "
                      "change of place costs time. Merges of m streams are the same, backward.";
  if (!writeText(o.output + ".csv", csv) ||
      !writeText(o.output + ".html", toPage("Bowtie: runs and throughput", notes, charts, csv)))
    return 1;
  printf("\nwritten: %s.csv, %s.html\n", o.output.c_str(), o.output.c_str());
  return 0;
}

} // namespace sluice::simtool
