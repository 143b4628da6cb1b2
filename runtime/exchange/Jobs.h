//===- Jobs.h - who exports and imports at the moment ------------*- C++ -*-===//
#pragma once
#include "runtime/exchange/Messages.h"
#include "runtime/exchange/Registry.h"

namespace sluice::exchange {

struct RunningJob {
  int64_t process;
  Report report;
};

/// Asks all processes of the registry. Those that do not answer within `nanos` ns are in `silent`.
Problem findJobs(int64_t nanos, std::vector<RunningJob> &, std::vector<int64_t> &silent);

/// As `sluice jobs` shows them.
std::string jobsText(const std::vector<RunningJob> &);

} // namespace sluice::exchange
