//===- Paper.cpp - sluice-sim paper ----------------------------------------===//
#include "tools/sim/Figures.h"
#include <cstdio>

namespace sluice::simtool {

int paperCommand(const Options &o) {
  Figure figure;
  makeFigure(o.figure, o, figure); // the command line was checked
  std::string base = o.output.empty() ? "figure-" + o.figure : o.output;
  if (!writeText(base + ".csv", figure.csv) || !writeText(base + ".html", toPage(figure.title, figure.notes, figure.charts, figure.csv)))
    return 1;
  printf("%s\nwritten: %s.csv, %s.html\n", figure.title.c_str(), base.c_str(), base.c_str());
  return 0;
}

} // namespace sluice::simtool
