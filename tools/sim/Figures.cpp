//===- Figures.cpp - what is run for each figure ----------------------------===//
#include "tools/sim/Figures.h"
#include "runtime/sim/Compare.h"
#include "runtime/sim/Search.h"
#include <cmath>
#include <cstdio>
#include <functional>

namespace sluice::simtool {

using namespace sim;

namespace {

std::string format(const char *text, auto... values) {
  char line[512];
  snprintf(line, sizeof line, text, values...);
  return line;
}

/// The experiment of the options, with another graph or machine.
Experiment experimentOf(const SimulatorOptions &o, const std::string &graph,
                        const std::string &machine = "") {
  Experiment result = o.setup;
  std::string error;
  result.app = parseGraph(graph, error);
  if (!machine.empty())
    findMachine(machine, result.machine, error);
  return result;
}

void say(const SimulatorOptions &o, const std::string &what) {
  fprintf(stderr, "figure %s: %s\n", o.figure.c_str(), what.c_str());
}

/// The chart of that title; made if it is not there.
Chart &chartOf(Figure &figure, const Chart &like) {
  for (Chart &chart : figure.charts)
    if (chart.title == like.title)
      return chart;
  return figure.charts.emplace_back(like);
}
void addPoint(Chart &chart, const std::string &series, double x, double y) {
  for (Series &known : chart.series)
    if (known.name == series)
      return known.points.emplace_back(x, y), void();
  chart.series.push_back({series, {{x, y}}});
}

//===--- where the ends are: 9, 10, 11, 12, 15 ------------------------------------===//

struct Point {
  std::string panel; // points of one panel share a chart
  double x;
  std::string name; // of x, for bars
  std::string graph, machine;
};

void comparePoints(const SimulatorOptions &o, Figure &figure, const std::string &xLabel,
                   const std::vector<Point> &points) {
  figure.csv = "panel,graph,machine,runtime,contender,tuples_per_second,threads,queues,settling_"
               "seconds,of_oracle,over_threads_alone,enough_threads\n";
  CompareOptions options;
  options.tries = o.quick ? o.tries / 5 : o.tries;
  for (const Point &point : points) {
    Experiment experiment = experimentOf(o, point.graph, point.machine);
    say(o, point.graph + " on " + experiment.machine.name);
    std::vector<Contender> all = compareAll(experiment, options);
    const Contender *oracle = find(all, "oracle"), *alone = find(all, "threads");
    bool bars = !point.name.empty();
    auto show = [&](const char *what, const char *unit, bool logY,
                    const std::function<double(const Contender &)> &value) {
      Chart &chart =
          chartOf(figure, {point.panel + ": " + what, xLabel, unit, !bars, logY, false, {}, {}});
      double x = bars ? double(chart.names.size()) : point.x;
      if (bars)
        chart.names.push_back(point.name);
      for (const Contender &c : all)
        if (double y = value(c); y > 0)
          addPoint(chart, c.name, x, y);
    };
    show("throughput", "tuples/s", !bars, [](const Contender &c) { return c.rate; });
    show("threads", "threads", false,
         [](const Contender &c) { return c.name == "none" ? 0 : c.threads; });
    show("threads for equal rate", "threads with the rate of `threads`", false,
         [](const Contender &c) { return c.name == "none" ? 0 : c.enough; });
    for (const Contender &c : all)
      figure.csv +=
          format("%s,\"%s\",%s,%s,%s,%.5g,%u,%u,%.1f,%.3f,%.3f,%u\n", point.panel.c_str(),
                 point.graph.c_str(), experiment.machine.name.c_str(), experiment.runtime.c_str(),
                 c.name.c_str(), c.rate, c.threads, c.queues, c.settling,
                 oracle ? c.rate / oracle->rate : 0, alone ? c.rate / alone->rate : 0, c.enough);
  }
}

/// Every payload for every shape and cost.
std::vector<Point> overPayloads(const SimulatorOptions &o, const std::vector<std::string> &shapes,
                                const std::vector<std::string> &costs) {
  std::vector<Point> points;
  for (const std::string &shape : shapes)
    for (const std::string &cost : costs)
      for (double payload :
           o.quick ? std::vector<double>{128, 16384} : std::vector<double>{1, 128, 1024, 16384})
        points.push_back(
            {shape + " " + cost, payload, "", shape + "," + cost + format(",%g", payload), ""});
  return points;
}

bool makePoints(const SimulatorOptions &o, Figure &figure) {
  const std::vector<std::string> both = {"balanced", "skew"};
  const std::string payload = "payload, bytes";
  auto sizes = [&](std::vector<std::string> all) {
    if (o.quick)
      all.resize(1);
    return all;
  };
  if (o.figure == "9")
    comparePoints(o, figure, payload,
                  overPayloads(o, sizes({"pipeline:100", "pipeline:500", "pipeline:1000"}), both));
  else if (o.figure == "10")
    comparePoints(o, figure, payload,
                  overPayloads(o, sizes({"data-parallel:50", "data-parallel:100"}), both));
  else if (o.figure == "11")
    comparePoints(o, figure, payload,
                  overPayloads(o, sizes({"mixed:10x50", "mixed:10x100"}), both));
  else if (o.figure == "12")
    comparePoints(o, figure, payload, overPayloads(o, {"bushy"}, both));
  else if (o.figure == "15") {
    std::vector<Point> points;
    for (const char *graph : {"vwap", "packets:387", "packets:2305"})
      for (const char *machine : {"cpus16", "xeon88"})
        if (!o.quick || graph[0] == 'v')
          points.push_back({graph, 0, machine, graph, machine});
    comparePoints(o, figure, "machine", points);
  } else
    return false;
  return true;
}

//===--- where queues and threads should be: 1 ------------------------------------===//

bool makeLandscape(const SimulatorOptions &o, Figure &figure) {
  const char *graph = "pipeline:100,balanced,128";
  Chart chart{std::string(graph) + ": throughput",
              "queues, evenly spread",
              "tuples/s",
              true,
              true,
              false,
              {},
              {}};
  figure.csv = "graph,machine,runtime,queues,threads,tuples_per_second\n";
  Lab lab(experimentOf(o, graph));
  double last = 0;
  for (double share = 1; last < 100; share /= o.quick ? 2 : 1.4) {
    elastic::Configuration set = share < 0.006 ? allQueued(lab, 1) : cutBy(lab, share);
    double queues = countQueues(lab.graph(), set);
    if (queues <= last)
      continue;
    last = queues;
    for (uint32_t threads : {1u, 4u, 16u, 64u, lab.policyMachine().cpus}) {
      set.threads = threads;
      double rate = lab.rate(set);
      addPoint(chart, format("%u thr.", threads), queues, rate);
      figure.csv += format("\"%s\",%s,%s,%.0f,%u,%.5g\n", graph, lab.setup().machine.name.c_str(),
                           lab.setup().runtime.c_str(), queues, threads, rate);
    }
  }
  figure.charts.push_back(chart);
  return true;
}

//===--- the way there: 6, 13 -------------------------------------------------------===//

struct Variant {
  const char *name, *policy;
  elastic::Constants constants;
};

void addCourse(const SimulatorOptions &o, Figure &figure, const std::string &graph,
               const Variant &variant, double seconds, double changeAt) {
  CompareOptions options;
  options.seconds = seconds;
  say(o, variant.name);
  Contender c =
      drivePolicy(experimentOf(o, graph), variant.policy, variant.constants, options, changeAt);
  auto settling = [&](double from, double to, bool newLoad) {
    Saso found = saso(c.record, from, to, newLoad);
    return found.settled ? format("%.0f s", found.settling) : std::string("never");
  };
  std::string title = variant.name + std::string(": settled after ");
  if (changeAt < 0)
    title += settling(0, seconds, false);
  else
    title += settling(0, changeAt, false) + " and " + settling(changeAt, seconds, true);
  Chart rate{title, "seconds", "tuples/s", false, false, true, {}, {}};
  Chart size{variant.name + std::string(": threads and queues"),
             "seconds",
             "",
             false,
             false,
             true,
             {},
             {}};
  if (figure.csv.empty())
    figure.csv = "variant,graph,machine,runtime,time,tuples_per_second,threads,queues,decision\n";
  Experiment experiment = experimentOf(o, graph);
  for (const Step &step : c.record.steps) {
    addPoint(rate, "throughput", step.time, step.throughput);
    addPoint(size, "threads in use", step.time, step.threads);
    addPoint(size, "queues", step.time, step.queues);
    figure.csv += format("%s,\"%s\",%s,%s,%.2f,%.5g,%u,%u,%s\n", variant.name, graph.c_str(),
                         experiment.machine.name.c_str(), experiment.runtime.c_str(), step.time,
                         step.throughput, step.threads, step.queues,
                         std::string(toString(step.decision.kind)).c_str());
  }
  figure.charts.push_back(rate);
  figure.charts.push_back(size);
}

bool makeCourses(const SimulatorOptions &o, Figure &figure) {
  const Variant settling[] = {
      {"6a plain", "paper", {{"history", 0}, {"satisfaction", 0}}},
      {"6b with history", "paper", {{"satisfaction", 0}}},
      {"6c with satisfaction 0.6", "paper", {}},
      {"6d with satisfaction 0", "paper", {{"sf", 0}}},
      {"threads alone", "threads", {}},
      {"model", "model", {}},
  };
  if (o.figure == "13") {
    for (Variant variant :
         {Variant{"paper", "paper", {}}, {"threads alone", "threads", {}}, {"model", "model", {}}})
      addCourse(o, figure, "pipeline:100,change,1024", variant, o.quick ? 1200 : 2400,
                o.quick ? 600 : 1200);
    return true;
  }
  bool all = o.figure == "6";
  for (size_t i = 0; i < std::size(settling); ++i)
    if (all || (i < 4 && o.figure == format("6%c", char('a' + i))) ||
        (i >= 4 && o.figure.size() == 2))
      addCourse(o, figure, o.quick ? "pipeline:100,balanced,1024" : "pipeline:500,balanced,1024",
                settling[i], 2400, -1);
  return true;
}

struct Known {
  const char *name, *title, *notes;
  bool (*make)(const SimulatorOptions &, Figure &);
};
const Known kFigures[] = {
    {"1", "Queues and threads",
     "Throughput over the number of queues, evenly spread over a pipeline, for several numbers of "
     "threads.",
     makeLandscape},
    {"6a", "Adaptation without history and satisfaction",
     "A pipeline of 500 operators from the start.", makeCourses},
    {"6b", "Adaptation with history", "A pipeline of 500 operators from the start.", makeCourses},
    {"6c", "Adaptation with history and satisfaction factor 0.6",
     "A pipeline of 500 operators from the start.", makeCourses},
    {"6d", "Adaptation with history and satisfaction factor 0",
     "A pipeline of 500 operators from the start.", makeCourses},
    {"6", "Adaptation", "A pipeline of 500 operators from the start.", makeCourses},
    {"9", "Pipelines", "Where each ends, over the size of a tuple.", makePoints},
    {"10", "Data-parallel graphs", "Where each ends, over the size of a tuple.", makePoints},
    {"11", "Mixed graphs", "Ten chains side by side: where each ends, over the size of a tuple.",
     makePoints},
    {"12", "Bushy graph", "82 operators: where each ends, over the size of a tuple.", makePoints},
    {"13", "A change of load", "One heavy operator in ten, then nine in ten.", makeCourses},
    {"15", "VWAP and PacketAnalysis", "Graphs like theirs, of as many operators.", makePoints},
};

} // namespace

std::vector<std::string> figureNames() {
  std::vector<std::string> names;
  for (const Known &known : kFigures)
    names.push_back(known.name);
  return names;
}

bool makeFigure(const std::string &name, const SimulatorOptions &o, Figure &figure) {
  for (const Known &known : kFigures)
    if (name == known.name) {
      figure.title = "Figure " + name + ": " + known.title + " (" + o.setup.runtime + " runtime, " +
                     o.setup.machine.name + ", simulated)";
      figure.notes =
          std::string(known.notes) +
          " docs/simulator.md says what is known of the paper's figure and what is ours.";
      return known.make(o, figure);
    }
  return false;
}

} // namespace sluice::simtool
