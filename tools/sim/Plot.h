//===- Plot.h - charts as SVG, a page of them as HTML ------------*- C++ -*-===//
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace sluice::simtool {

struct Series {
  std::string name; // its colour follows from it
  std::vector<std::pair<double, double>> points;
};

struct Chart {
  std::string title, xLabel, yLabel;
  bool logX = false, logY = false;
  bool steps = false;             // a value holds until the next
  std::vector<std::string> names; // of x = 0, 1, 2...: bars instead of lines
  std::vector<Series> series;
};

std::string toSvg(const Chart &);
/// A page that needs nothing else: charts, then the table of `csv`, with the notes between.
std::string toPage(const std::string &title, const std::string &notes, const std::vector<Chart> &,
                   const std::string &csv);

} // namespace sluice::simtool
