//===- Paper.cpp - sluice-sim paper ----------------------------------------===//
#include "tools/sim/Figures.h"
#include <cstdio>
#include <filesystem>

namespace sluice::simtool {

/// The files' names without what is behind the dot; in a folder, the default name.
static std::string baseOf(const SimulatorOptions &o) {
  namespace fs = std::filesystem;
  fs::path output = o.output;
  std::error_code none;
  return output.filename().empty() || fs::is_directory(output, none)
             ? (output / ("figure-" + o.figure)).string()
             : o.output;
}

int paperCommand(const SimulatorOptions &o) {
  Figure figure;
  makeFigure(o.figure, o, figure); // the command line was checked
  std::string base = baseOf(o);
  if (!writeText(base + ".csv", figure.csv) ||
      !writeText(base + ".html", toPage(figure.title, figure.notes, figure.charts, figure.csv)))
    return 1;
  printf("%s\nwritten: %s.csv, %s.html\n", figure.title.c_str(), base.c_str(), base.c_str());
  return 0;
}

} // namespace sluice::simtool
