//===- Figures.h - the figures of the Middleware 2019 paper ------*- C++ -*-===//
#pragma once
#include "tools/sim/Plot.h"
#include "tools/sim/SimulatorOptions.h"

namespace sluice::simtool {

struct Figure {
  std::string title, notes;
  std::vector<Chart> charts;
  std::string csv;
};

/// Their names, as `--figure` takes them.
std::vector<std::string> figureNames();
/// False: there is no such figure.
bool makeFigure(const std::string &name, const SimulatorOptions &, Figure &);

} // namespace sluice::simtool
