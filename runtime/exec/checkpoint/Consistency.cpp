//===- Consistency.cpp - what the program says of its checkpoints ----------===//
#include "runtime/exec/checkpoint/Consistency.h"
#include "runtime/exec/state/Cut.h"
#include "runtime/exec/state/Program.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace sluice::checkpoint {

/// Of programs without consistent regions: seconds.
static constexpr double kPeriod = 1, kPatience = 1;
static constexpr double kBudget = 0.05; // where nothing says how often
static constexpr double kMostSeconds = 1e9;

static int64_t nanosOf(double seconds) {
  return int64_t(std::min(seconds, kMostSeconds) * double(os::kNanos));
}

namespace {
/// Reads the numbers of one region.
struct Reader {
  const ProgramDesc &desc;
  const std::vector<std::string> &values;
  const ConsistentDesc &region;
  bool isWrong = false;

  double read(const StartNumber &number, const char *what, bool isWhole = false) {
    if (number.submission < 0)
      return number.value;
    const std::string &text = values[number.submission];
    char *end = nullptr;
    double value = strtod(text.c_str(), &end);
    if (end != text.c_str() && !*end && value > 0 &&
        (!isWhole || (value == std::floor(value) && value <= kMostSeconds)))
      return value;
    fprintf(stderr,
            "%s: error: %s:%u:%u: the submission-time value %s = '%s' is the %s of a consistent "
            "region: it must be a %snumber above 0\n",
            desc.mainName, region.file, region.line, region.column,
            desc.submissions[number.submission].name, text.c_str(), what, isWhole ? "whole " : "");
    isWrong = true;
    return 0;
  }
};
} // namespace

int findRegions(const ProgramDesc &desc, const std::vector<std::string> &values,
                std::vector<ConsistentRegion> &regions) {
  for (uint32_t i = 0; i < desc.consistentCount; ++i) {
    const ConsistentDesc &region = desc.consistents[i];
    Reader reader{desc, values, region};
    regions.push_back({.period = reader.read(region.period, "period"),
                       .drainTimeout = reader.read(region.drainTimeout, "drainTimeout"),
                       .resetTimeout = reader.read(region.resetTimeout, "resetTimeout"),
                       .resetAttempts = uint32_t(reader.read(
                           region.resetAttempts, "maxConsecutiveResetAttempts", /*isWhole=*/true)),
                       .isOperatorDriven = region.isOperatorDriven != 0});
    if (reader.isWrong)
      return 1;
  }
  return 0;
}

Pace paceOf(const Program &p) {
  double period = kMostSeconds, patience = kMostSeconds;
  bool isPeriodic = p.cut.regions.empty();
  for (const ConsistentRegion &region : p.cut.regions) {
    patience = std::min(patience, region.drainTimeout);
    if (region.isOperatorDriven)
      continue;
    period = std::min(period, region.period);
    isPeriodic = true;
  }
  if (p.cut.regions.empty())
    period = kPeriod, patience = kPatience;
  const CheckpointOptions &options = p.options.checkpoints;
  bool isAnyPeriod = p.cut.regions.empty() && !options.every;
  double budget = options.budget.value_or(isAnyPeriod ? kBudget : 1);
  if (options.every)
    period = *options.every;
  else if (!isPeriodic)
    return {.period = -1, .patience = nanosOf(patience), .budget = budget};
  return {.period = nanosOf(period), .patience = nanosOf(patience), .budget = budget};
}

} // namespace sluice::checkpoint
