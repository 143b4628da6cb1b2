//===- Run.cpp - sluice-sim run -------------------------------------------===//
#include "runtime/base/text/Words.h"
#include "runtime/sim/Drive.h"
#include "runtime/sim/Search.h"
#include "runtime/trace/Writer.h"
#include "tools/sim/SimulatorOptions.h"
#include <cstdio>

namespace sluice::simtool {

using namespace sim;

/// Where queues are, by `--policy off|manual|oracle`.
static elastic::Configuration fixedConfiguration(const SimulatorOptions &o, Lab &lab) {
  if (o.policy == "manual" || o.queues == "hand") {
    elastic::Configuration hand = handPlaced(lab);
    if (o.policy == "off" && o.setup.threads)
      hand.threads = o.setup.threads;
    return hand;
  }
  if (o.policy == "oracle")
    return oracle(lab, o.tries);
  uint32_t threads = lab.policyMachine().maxThreads;
  elastic::Configuration none = initialConfiguration(lab.graph());
  none.threads = threads;
  return o.queues == "all" ? allQueued(lab, threads) : none;
}

/// `2 threads, 1 queue`.
static std::string sizeOf(Lab &lab, const elastic::Configuration &set) {
  return counted(set.threads, "thread") + ", " + counted(countQueues(lab.graph(), set), "queue");
}

static int runFixed(const SimulatorOptions &o, Lab &lab) {
  elastic::Configuration set = fixedConfiguration(o, lab);
  double rate = lab.rate(set);
  printf("%s: %s, %s tuples/s\n", o.policy.c_str(), sizeOf(lab, set).c_str(),
         shortNumber(rate).c_str());
  return 0;
}

static trace::Header headerOf(const SimulatorOptions &o, const Lab &lab) {
  trace::Header header;
  header.program = "sluice-sim";
  header.composite = o.graph;
  header.host = o.setup.machine.name + ", simulated, " + o.setup.runtime + " runtime";
  header.graph = lab.graph();
  header.machine = lab.policyMachine();
  header.policy = o.policy;
  for (const elastic::Constant &constant : elastic::constantsOf(o.policy)) {
    header.constants.emplace_back(constant.name, constant.value);
    for (const auto &[name, value] : o.constants)
      if (name == constant.name)
        header.constants.back().second = value;
  }
  header.start = lab.configuration();
  return header;
}

/// Writes what is seen and decided, and what is carried out at once.
struct Tracer {
  trace::Writer &writer;
  const elastic::Graph &graph;
  double rows = 0, cpu = 0;

  void step(const elastic::Sample *sample, const elastic::Decision &decision) {
    double time = sample ? sample->time : 0;
    if (sample) {
      rows += sample->throughput(graph) * sample->length;
      cpu += sample->cpu;
      writer.sample(*sample);
    }
    writer.decision(decision);
    writer.switched(time, decision.queues, decision.widths);
    if (decision.threads)
      writer.threads(time, *decision.threads);
  }
  void end(double time) {
    trace::Final final;
    final.time = time;
    final.rows = rows;
    final.cpu = cpu;
    writer.end(final);
  }
};

static void printSteps(const Record &run) {
  printf("    time  decision     threads  queues   tuples/s  why\n");
  auto line = [](double time, const Step *step, const elastic::Decision &decision) {
    printf("%8.1f  %-11s %8s %7s %10s  %s\n", time, std::string(toString(decision.kind)).c_str(),
           step ? std::to_string(step->threads).c_str() : "",
           step ? std::to_string(step->queues).c_str() : "",
           step ? shortNumber(step->throughput).c_str() : "", decision.reason.c_str());
  };
  line(0, nullptr, run.begin);
  bool watching = false; // nothing new: `settled` again and again
  for (const Step &step : run.steps) {
    bool quiet =
        !step.decision.changes() && (step.decision.kind == elastic::Kind::Wait ||
                                     (step.decision.kind == elastic::Kind::Settled && watching));
    watching |= step.decision.kind == elastic::Kind::Settled;
    watching &= !step.decision.changes();
    if (!quiet)
      line(step.time, &step, step.decision);
  }
}

static void printSaso(const Record &run, double from, double to, bool newLoad) {
  Saso s = saso(run, from, to, newLoad);
  printf("from %.0f s: %s %.1f s, %s after; up to %s above the end's, for %.0f s\n", from,
         s.settled ? "settled after" : "not settled within", s.settling,
         counted(s.changesAfter, "change").c_str(), counted(s.overshoot, "thread").c_str(),
         s.overshootSeconds);
}

static std::string csvOf(const Record &run) {
  std::string text = "time,throughput,threads,queues,decision,reason\n";
  for (const Step &s : run.steps) {
    char line[128];
    snprintf(line, sizeof line, "%.3f,%.6g,%u,%u,%s,", s.time, s.throughput, s.threads, s.queues,
             std::string(toString(s.decision.kind)).c_str());
    text += line + ("\"" + s.decision.reason + "\"\n");
  }
  return text;
}

int runCommand(SimulatorOptions &o) {
  Lab lab(o.setup);
  bool fixed = o.policy == "off" || o.policy == "manual" || o.policy == "oracle";
  if (fixed && (!o.trace.empty() || !o.csv.empty() || !o.constants.empty()))
    return fail(2,
                "--policy " + o.policy + " decides nothing: no --trace, --csv or --elastic-option");
  printf("%s on %s, %s runtime: %s, %s\n", o.graph.c_str(), o.setup.machine.name.c_str(),
         o.setup.runtime.c_str(), counted(o.setup.app.operators.size(), "operator").c_str(),
         counted(o.setup.machine.cpus(), "hardware thread").c_str());
  if (fixed)
    return runFixed(o, lab);
  std::string error;
  auto policy = elastic::makePolicy(o.policy, o.constants, lab.graph(), lab.policyMachine(),
                                    lab.configuration(), error);
  if (!policy)
    return fail(2, "--policy: " + error);
  std::unique_ptr<trace::Writer> writer;
  if (!o.trace.empty() && !(writer = trace::Writer::create("sluice-sim", o.trace, error)))
    return fail(1, "--trace: " + error);
  Observer observer;
  std::unique_ptr<Tracer> tracer;
  if (writer) {
    writer->begin(headerOf(o, lab));
    tracer.reset(new Tracer{*writer, lab.graph()});
    observer = [&](const elastic::Sample *sample, const elastic::Decision &decision) {
      tracer->step(sample, decision);
    };
  }
  Record run = drive(lab, *policy, o.seconds, o.changeAt, observer);
  if (tracer)
    tracer->end(lab.time());
  printSteps(run);
  double end = lab.time();
  printSaso(run, 0, o.changeAt >= 0 ? o.changeAt : end, false);
  if (o.changeAt >= 0)
    printSaso(run, o.changeAt, end, true);
  printf("end: %s, %s tuples/s\n", sizeOf(lab, run.final).c_str(), shortNumber(run.rate).c_str());
  if (lab.stuck())
    return fail(70, "the simulated program stood still: a mistake of the model");
  return o.csv.empty() || writeText(o.csv, csvOf(run)) ? 0 : 1;
}

} // namespace sluice::simtool
