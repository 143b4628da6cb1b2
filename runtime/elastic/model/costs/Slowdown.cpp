//===- Slowdown.cpp - how much slower work is when more of it runs ---------===//
#include "runtime/elastic/model/costs/Slowdown.h"
#include <algorithm>

namespace sluice::elastic {

double Slowdown::at(double running) const {
  double below = 1, factor = 1; // one thread alone is not slowed down
  for (const Level &level : levels) {
    if (running <= level.running)
      return factor + (level.factor - factor) * std::max(0.0, running - below) /
                          std::max(1e-9, level.running - below);
    below = level.running;
    factor = level.factor;
  }
  return factor;
}

void Slowdown::learn(double running, double factor) {
  constexpr size_t kept = 32;
  if (measured.size() == kept)
    measured.erase(measured.begin());
  measured.push_back({std::max(1.0, running), std::clamp(factor, 1.0, 8.0), 1});
  std::vector<Level> sorted = measured;
  std::sort(sorted.begin(), sorted.end(), [](const Level &a, const Level &b) {
    return a.running != b.running ? a.running < b.running : a.factor < b.factor;
  });
  levels.clear();
  for (Level next : sorted) { // A factor that falls with more work is noise: both get their mean.
    for (; !levels.empty() && levels.back().factor >= next.factor; levels.pop_back()) {
      const Level &last = levels.back();
      double count = last.count + next.count;
      next = {(last.running * last.count + next.running * next.count) / count,
              (last.factor * last.count + next.factor * next.count) / count, count};
    }
    levels.push_back(next);
  }
}

} // namespace sluice::elastic
