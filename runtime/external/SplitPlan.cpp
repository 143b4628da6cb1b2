//===- SplitPlan.cpp - in how many passes, and how wide -------------------===//
#include "runtime/external/SplitPlan.h"
#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace sluice::external {

/// Plans that differ by less are the same: then that with the most equal widths is taken.
static constexpr double kSame = 0.005;

static uint64_t ceilOf(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

/// The different values of ceil(n / width), from n on, with the smallest width of each.
static std::vector<std::pair<uint64_t, uint64_t>> quotients(uint64_t n) {
  std::vector<std::pair<uint64_t, uint64_t>> result;
  for (uint64_t width = 1; width <= n;) {
    uint64_t rest = ceilOf(n, width);
    result.emplace_back(rest, width);
    if (rest == 1)
      break;
    width = ceilOf(n, rest - 1);
  }
  return result;
}

namespace {
class Planner {
public:
  explicit Planner(const Problem &problem) : problem(problem) {}
  Plan plan();
  Plan of(const std::vector<Stage> &) const;

private:
  using Widths = std::vector<uint64_t>;
  struct Best {
    double cost;
    uint64_t width; // of the first of the passes; 0: there is none
  };
  double costOf(const Stage &stage) const {
    return secondsPerByte(problem.device, stage, meanRun(problem.memory, stage, bestTurn(stage)));
  }
  const Best &best(uint64_t streams);
  Widths widths(uint64_t streams);
  Stage middle(uint64_t inputs, uint64_t outputs) const;
  std::vector<Stage> stages(const Widths &merges, const Stage &, const Widths &splits) const;

  const Problem &problem;
  std::unordered_map<uint64_t, Best> known; // by streams: what it costs to split into so many
};
} // namespace

/// The cheapest way from one stream to so many, both on the device; merges cost the same.
const Planner::Best &Planner::best(uint64_t streams) {
  if (auto found = known.find(streams); found != known.end())
    return found->second;
  Best result = {streams == 1 ? 0 : INFINITY, 0};
  if (streams > 1)
    for (auto [rest, width] : quotients(streams))
      if (width > 1)
        if (double cost = costOf({1, width}) + best(rest).cost; cost < result.cost)
          result = {cost, width};
  return known[streams] = result;
}

Planner::Widths Planner::widths(uint64_t streams) {
  Widths result;
  for (; streams > 1; streams = ceilOf(streams, result.back()))
    result.push_back(best(streams).width);
  return result;
}

/// The pass in which inputs meet outputs. Where it is the first or the last one its streams may not
/// be on the device.
Stage Planner::middle(uint64_t inputs, uint64_t outputs) const {
  const Stage &whole = problem.whole;
  return {inputs, outputs, whole.reads || inputs < whole.inputs,
          whole.writes || outputs < whole.outputs};
}

std::vector<Stage> Planner::stages(const Widths &merges, const Stage &middle,
                                   const Widths &splits) const {
  std::vector<Stage> result;
  for (uint64_t width : merges)
    result.push_back({width, 1});
  result.push_back(middle);
  for (uint64_t width : splits)
    result.push_back({1, width});
  if (!problem.whole.reads)
    result.front().reads = false;
  if (!problem.whole.writes)
    result.back().writes = false;
  return result;
}

Plan Planner::of(const std::vector<Stage> &list) const {
  Plan plan;
  for (const Stage &stage : list) {
    Turn turn = bestTurn(stage);
    plan.passes.push_back({stage, turn, meanRun(problem.memory, stage, turn)});
    plan.secondsPerByte += costOf(stage);
  }
  return plan;
}

/// As many factors as there are, as equal as they can be, whose product is at least `product`; the
/// larger ones first.
static std::vector<uint64_t> balanced(uint64_t product, size_t factors) {
  auto width = uint64_t(std::ceil(std::pow(double(product), 1 / double(factors)) - 1e-9));
  std::vector<uint64_t> result(factors, width);
  auto reaches = [&] {
    double all = 1;
    for (uint64_t factor : result)
      all *= double(factor);
    return all >= double(product);
  };
  if (!reaches()) // rounding
    result.assign(factors, width + 1);
  for (size_t i = factors; i-- > 0;)
    if (result[i] > 2) {
      --result[i];
      if (!reaches()) {
        ++result[i];
        break;
      }
    }
  return result;
}

Plan Planner::plan() {
  const Stage &whole = problem.whole;
  double least = INFINITY;
  Stage meeting;
  for (auto [merged, inputs] : quotients(whole.inputs))
    for (auto [split, outputs] : quotients(whole.outputs)) {
      Stage stage = middle(inputs, outputs);
      double cost = costOf(stage) + best(merged).cost + best(split).cost;
      if (cost < least) {
        least = cost;
        meeting = stage;
      }
    }
  Widths merges = widths(ceilOf(whole.inputs, meeting.inputs)),
         splits = widths(ceilOf(whole.outputs, meeting.outputs));
  Plan cheapest = of(stages(merges, meeting, splits));
  // One side only: equal widths are as good, and easier to explain.
  if ((whole.inputs > 1) == (whole.outputs > 1))
    return cheapest;
  Widths equal = balanced(std::max(whole.inputs, whole.outputs), cheapest.passes.size());
  std::vector<Stage> list;
  for (uint64_t width : equal)
    list.push_back(whole.inputs > 1 ? Stage{width, 1} : Stage{1, width});
  list.front().reads = whole.reads;
  list.back().writes = whole.writes;
  Plan even = of(list);
  return even.secondsPerByte <= cheapest.secondsPerByte * (1 + kSame) ? even : cheapest;
}

Plan planSplit(const Problem &problem) { return Planner(problem).plan(); }

Plan onePass(const Problem &problem) { return Planner(problem).of({problem.whole}); }

Plan binaryPasses(const Problem &problem) {
  std::vector<Stage> list;
  for (uint64_t streams = problem.whole.inputs; streams > 1; streams = ceilOf(streams, 2))
    list.push_back({2, 1});
  for (uint64_t streams = problem.whole.outputs; streams > 1; streams = ceilOf(streams, 2))
    list.push_back({1, 2});
  if (list.empty())
    list.push_back(problem.whole);
  list.front().reads = problem.whole.reads;
  list.back().writes = problem.whole.writes;
  return Planner(problem).of(list);
}

} // namespace sluice::external
