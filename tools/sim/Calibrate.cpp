//===- Calibrate.cpp - sluice-sim calibrate -------------------------------===//
#include "runtime/sim/Calibrate.h"
#include "tools/sim/SimulatorOptions.h"
#include <cstdio>

namespace sluice::simtool {

int calibrateCommand(const SimulatorOptions &o) {
  std::string text = sim::describe(sim::calibrate());
  if (!o.output.empty())
    return writeText(o.output, text) ? 0 : 1;
  fputs(text.c_str(), stdout);
  return 0;
}

} // namespace sluice::simtool
