//===- Consistency.h - what the program says of its checkpoints ----*- C++ -*-===//
//
// Consistent regions (@consistent) of all processes are cut together, so what they say becomes one
// pace for all.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/abi.h"
#include <cstdint>
#include <string>
#include <vector>

namespace sluice {
struct ConsistentRegion;
struct Program;
} // namespace sluice

namespace sluice::checkpoint {

/// What the regions say. `values`: of submission time, in this run. 0, or 1 after a message.
int findRegions(const ProgramDesc &, const std::vector<std::string> &values,
                std::vector<ConsistentRegion> &);

struct Pace {
  int64_t period = 0;   // ns from the end of one checkpoint to the next; -1: only when asked for
  int64_t patience = 0; // ns until one is given up
  double budget = 1;    // what one may cost, as a part of the time until the next one; 1: no limit
};
/// --checkpoint-every, or else the shortest period and the shortest drainTimeout of all regions.
/// Who asks for a period gets it, unless --checkpoint-budget says more.
Pace paceOf(const Program &);

} // namespace sluice::checkpoint
